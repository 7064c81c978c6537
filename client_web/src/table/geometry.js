/** Where piles and cards lie, in pixels, for the room that there is. */

/** @typedef {import("../types.js").Layout} Layout */
/** @typedef {import("../types.js").PileSpec} PileSpec */
/** @typedef {import("../types.js").Piles} Piles */

/** Height of a card for a width of one. */
export const RATIO = 1.4;
/** Distance between neighbouring places, for a card of size one. */
const PITCH_X = 1.09;
const PITCH_Y = 1.07;
/** Part of a card that stays visible under the next one of a fan: as wished, and at least. */
const FAN = 0.31;
const FAN_LEAST = 0.15;
const FAN_SIDE = 0.26;
/** Widest card, in pixels. */
const WIDEST = 116;

/** @typedef {{spec: PileSpec, x: number, y: number, dx: number, dy: number, shown: boolean}} Place of a pile in pixels; `dx`, `dy` from card to card */
/** @typedef {{width: number, height: number, cardWidth: number, cardHeight: number, places: Map<string, Place>}} Geometry */

/**
 * Piles to draw: all, except empty places that take nothing where the layout or their kind says so.
 * @param {PileSpec[]} specs
 * @param {Layout} layout
 * @param {Piles} piles
 * @param {ReadonlySet<string>} legal piles that a legal move names or lays a card on
 */
function shownNames(specs, layout, piles, legal) {
  return new Set(specs.filter(({ name, kind }) => {
    const bare = kind === "cell" || kind === layout.fit;
    return !bare || (piles[name] ?? []).length > 0 || legal.has(name);
  }).map(({ name }) => name));
}

/**
 * The outer rows or columns of the fitted kind that hold nothing to show are cut away. What lies beyond them moves up, and
 * what lies beside them keeps to the middle.
 * @param {PileSpec[]} specs
 * @param {Layout} layout
 * @param {ReadonlySet<string>} shown
 * @param {"x" | "y"} axis
 * @returns {(spec: PileSpec) => number}
 */
function trimmed(specs, layout, shown, axis) {
  const fitted = specs.filter((spec) => spec.kind === layout.fit);
  const kept = fitted.filter((spec) => shown.has(spec.name)).map((spec) => spec[axis]);
  if (!kept.length) return (spec) => spec[axis];
  const all = fitted.map((spec) => spec[axis]);
  const first = Math.min(...all);
  const last = Math.max(...all);
  const before = Math.min(...kept) - first;
  const after = last - Math.max(...kept);
  const beside = specs.filter((spec) => spec.kind !== layout.fit && spec[axis] >= first && spec[axis] <= last).map((spec) => spec[axis]);
  // Upwards they move no further than the top row: height is dear on a phone that lies on its side.
  const middle = axis === "y" ? Math.min((before + after) / 2, Math.min(...beside) - first) : (before + after) / 2;
  return (spec) => {
    const at = spec[axis];
    if (spec.kind === layout.fit) return at - before;
    if (at < first) return at;
    return at > last ? at - before - after : at - middle;
  };
}

/**
 * Piles in the rows under fans move down as far as the fans need and the room allows.
 * @param {{spec: PileSpec, y: number, cards: number, shown: boolean}[]} piles in units of the layout; changed in place
 * @param {number} limit height of the room, in cards
 * @param {number} fan part of a card that stays visible in a fan
 */
function spread(piles, limit, fan) {
  const visible = piles.filter((pile) => pile.shown);
  const rows = [...new Set(visible.map((pile) => pile.y))].sort((a, b) => a - b);
  /** @param {number} y */
  const need = (y) => Math.max(...visible.filter((pile) => pile.y === y)
    .map(({ spec, cards }) => 1 + (spec.fan === "down" ? fan * Math.max(0, cards - 1) : 0)));
  const end = Math.max(...rows.map((y) => y * PITCH_Y + need(y)));
  let free = limit - end;
  let moved = 0;
  rows.forEach((y, at) => {
    for (const pile of piles) if (pile.y === y) pile.y += moved;
    if (at + 1 === rows.length) return;
    const missing = need(y + moved) + 0.08 - (rows[at + 1] - y) * PITCH_Y;
    const more = Math.max(0, Math.min(missing, free));
    free -= more;
    moved += more / PITCH_Y;
  });
}

/**
 * Where everything lies.
 * @param {Layout} layout
 * @param {Piles} piles
 * @param {ReadonlySet<string>} legal
 * @param {number} width room in pixels
 * @param {number} height room in pixels
 * @returns {Geometry}
 */
export function arrange(layout, piles, legal, width, height) {
  const narrow = width < height * 0.9;
  const specs = narrow && layout.tall?.length ? layout.tall : layout.piles;
  const shown = shownNames(specs, layout, piles, legal);
  const moveX = trimmed(specs, layout, shown, "x");
  const moveY = trimmed(specs, layout, shown, "y");
  const at = specs.map((spec) => ({
    spec, x: moveX(spec), y: moveY(spec), cards: (piles[spec.name] ?? []).length, shown: shown.has(spec.name),
  }));
  const visible = at.filter((pile) => pile.shown);
  const left = Math.min(...visible.map((pile) => pile.x), Infinity);
  const top = Math.min(...visible.map((pile) => pile.y), Infinity);
  for (const pile of at) {
    pile.x -= left;
    pile.y -= top;
  }
  const wide = Math.max(1, ...visible.map(({ x, spec, cards }) => x * PITCH_X + 1 + (spec.fan === "side" ? FAN_SIDE * Math.max(0, cards - 1) : 0)));
  const tall = Math.max(1, ...visible.map(({ y, spec, cards }) => y * PITCH_Y + 1 + (spec.fan === "down" ? FAN_LEAST * Math.max(3, cards - 1) : 0)));
  const cardWidth = Math.max(20, Math.floor(Math.min(WIDEST, width / wide, height / tall / RATIO)));
  const cardHeight = Math.round(cardWidth * RATIO);
  const limit = height / cardHeight;
  if (visible.some((pile) => pile.spec.fan === "down")) spread(at, limit, FAN);
  /** @type {Map<string, Place>} */
  const places = new Map();
  let bottom = 0;
  let end = 0;
  for (const pile of at) {
    const y = pile.y * PITCH_Y;
    const below = Math.min(limit, ...visible.filter((other) => other.y > pile.y && Math.abs(other.x - pile.x) < 1).map((other) => other.y * PITCH_Y - 0.06));
    const room = (below - y - 1) / Math.max(1, pile.cards - 1);
    const dy = pile.spec.fan === "down" ? Math.max(0.04, Math.min(FAN, room)) * cardHeight : 0;
    const dx = pile.spec.fan === "side" ? FAN_SIDE * cardWidth : 0;
    places.set(pile.spec.name, { spec: pile.spec, x: pile.x * PITCH_X * cardWidth, y: y * cardHeight, dx, dy, shown: pile.shown });
    if (!pile.shown) continue;
    bottom = Math.max(bottom, y * cardHeight + cardHeight + dy * Math.max(0, pile.cards - 1));
    end = Math.max(end, pile.x * PITCH_X * cardWidth + cardWidth + dx * Math.max(0, pile.cards - 1));
  }
  const shift = (width - end) / 2;
  const drop = Math.max(0, (height - bottom) / 3);
  const fans = visible.some((pile) => pile.spec.fan === "down");
  for (const place of places.values()) {
    place.x = Math.round(place.x + shift);
    place.y = Math.round(place.y + (fans ? 0 : drop));
  }
  return { width, height, cardWidth, cardHeight, places };
}

/**
 * Place of a card of a pile.
 * @param {Geometry} geometry
 * @param {string} pile
 * @param {number} index from the bottom
 */
export function cardPlace(geometry, pile, index) {
  const place = geometry.places.get(pile);
  return place ? { x: Math.round(place.x + place.dx * index), y: Math.round(place.y + place.dy * index) } : { x: 0, y: 0 };
}

/**
 * The area of a whole pile, for letting a card go on it.
 * @param {Geometry} geometry
 * @param {string} pile
 * @param {number} cards how many it holds
 */
export function pileArea(geometry, pile, cards) {
  const place = /** @type {Place} */ (geometry.places.get(pile));
  const last = Math.max(0, cards - 1);
  return { x: place.x, y: place.y, width: geometry.cardWidth + place.dx * last, height: geometry.cardHeight + place.dy * last };
}

/**
 * The legal pile that a card let go with this area belongs to: the one that it covers most, or that the pointer is in.
 * @param {Geometry} geometry
 * @param {Piles} piles
 * @param {Iterable<string>} candidates
 * @param {{x: number, y: number}} card top left corner of the card let go
 * @param {{x: number, y: number}} pointer
 * @returns {string | null}
 */
export function pileUnder(geometry, piles, candidates, card, pointer) {
  let best = null;
  let most = geometry.cardWidth * geometry.cardHeight * 0.12;
  for (const name of candidates) {
    if (!geometry.places.get(name)?.shown) continue;
    const area = pileArea(geometry, name, (piles[name] ?? []).length);
    const across = Math.min(card.x + geometry.cardWidth, area.x + area.width) - Math.max(card.x, area.x);
    const down = Math.min(card.y + geometry.cardHeight, area.y + area.height) - Math.max(card.y, area.y);
    const inside = pointer.x >= area.x && pointer.x <= area.x + area.width && pointer.y >= area.y && pointer.y <= area.y + area.height;
    const covered = Math.max(0, across) * Math.max(0, down) + (inside ? geometry.cardWidth * geometry.cardHeight : 0);
    if (covered > most) {
      most = covered;
      best = name;
    }
  }
  return best;
}
