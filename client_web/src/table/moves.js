/**
 * Reading the legal list. The client knows no rules: which pile a card is taken from and where it may be let go follows
 * from the names in a move and from `layout.preview` alone.
 */

/** @typedef {import("../types.js").Layout} Layout */
/** @typedef {import("../types.js").Lift} Lift */
/** @typedef {import("../types.js").Piles} Piles */

/**
 * @typedef {object} Move
 * @property {string} text as the server spells it
 * @property {string[]} names the piles it names, one or two
 * @property {Lift[]} lifts cards that it surely moves, with real pile names
 */

/**
 * The pile names that a move text is made of, or null when it is not made of names of this table.
 * @param {string} text
 * @param {ReadonlySet<string>} names
 * @returns {string[] | null}
 */
export function splitMove(text, names) {
  if (names.has(text)) return [text];
  for (let at = 1; at < text.length; at += 1) {
    const first = text.slice(0, at);
    const second = text.slice(at);
    // The first of two names ends in a digit: that is what makes a move text readable in one way only.
    if (/[0-9]$/.test(first) && names.has(first) && names.has(second)) return [first, second];
  }
  return null;
}

/**
 * Cards that a move surely moves.
 * @param {string[]} names
 * @param {Layout} layout
 * @returns {Lift[]}
 */
function liftsOf(names, layout) {
  const kinds = new Map(layout.piles.map((pile) => [pile.name, pile.kind]));
  const shape = names.map((name) => kinds.get(name)).join("+");
  /** @param {string} place */
  const real = (place) => (place === "@1" ? names[0] : place === "@2" ? names[1] : place);
  return (layout.preview?.[shape] ?? []).map(([from, to]) => [real(from), real(to)]);
}

/**
 * The legal list, understood.
 * @param {string[]} legal
 * @param {Layout} layout
 * @returns {Move[]}
 */
export function readMoves(legal, layout) {
  const names = new Set(layout.piles.map((pile) => pile.name));
  return legal.flatMap((text) => {
    const parts = splitMove(text, names);
    return parts ? [{ text, names: parts, lifts: liftsOf(parts, layout) }] : [];
  });
}

/**
 * Whether a card of this pile is what the player takes to make the move.
 * @param {Move} move
 * @param {string} pile
 */
export function takesFrom(move, pile) {
  return move.lifts.length ? move.lifts.some(([from]) => from === pile) : move.names[0] === pile;
}

/**
 * Piles on which a card taken from `pile` may be let go to make the move.
 * @param {Move} move
 * @param {string} pile
 * @returns {string[]}
 */
export function dropsOf(move, pile) {
  const others = move.names.filter((name) => name !== pile);
  if (others.length) return others;
  return move.lifts.filter(([from]) => from === pile).map(([, to]) => to);
}

/**
 * Every pile where a card taken from `pile` may go, with the move that does it. The first in the legal list wins.
 * @param {Move[]} moves
 * @param {string} pile
 * @returns {Map<string, Move>}
 */
export function targetsFrom(moves, pile) {
  /** @type {Map<string, Move>} */
  const targets = new Map();
  for (const move of moves) {
    if (!takesFrom(move, pile)) continue;
    for (const target of dropsOf(move, pile)) if (!targets.has(target)) targets.set(target, move);
  }
  return targets;
}

/**
 * The move made by touching this pile alone, if there is one.
 * @param {Move[]} moves
 * @param {string} pile
 */
export function touchMove(moves, pile) {
  return moves.find((move) => move.names.length === 1 && move.names[0] === pile) ?? null;
}

/**
 * The first legal move that uses a card of this pile.
 * @param {Move[]} moves
 * @param {string} pile
 */
export function firstMove(moves, pile) {
  return moves.find((move) => (move.names.length === 1 && move.names[0] === pile) || takesFrom(move, pile)) ?? null;
}

/**
 * The piles after the cards that a move surely moves have moved; cards that may not be known stay where they are.
 * @param {Piles} piles
 * @param {Move} move
 * @returns {Piles}
 */
export function afterLifts(piles, move) {
  const after = { ...piles };
  for (const [from, to] of move.lifts) {
    const source = after[from] ?? [];
    const card = source.at(-1);
    if (card === undefined || card === "??" || !(to in after)) continue;
    after[from] = source.slice(0, -1);
    after[to] = [...after[to], card];
  }
  return after;
}
