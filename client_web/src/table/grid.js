/**
 * The grid of cells that takes focus, touches and names. It lies over the drawn cards, one cell for each card that can be
 * pointed at and one for each empty pile, in rows from the top, so that arrows and screen readers find their way.
 */

import { h } from "../dom.js";
import { cardPlace } from "./geometry.js";
import { cellName, pileName } from "./names.js";

/** @typedef {import("../types.js").Piles} Piles */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {{key: string, pile: string, index: number, card: string | null, x: number, y: number, name: string, classes: string[]}} Cell */
/** @typedef {{selected: string | null, targets: ReadonlySet<string>, playable: ReadonlySet<string>, waiting: ReadonlySet<string>, hinted: readonly string[]}} Marks */

/**
 * The cells of a table, in reading order.
 * @param {Geometry} geometry
 * @param {Piles} piles
 * @param {Marks} marks
 * @returns {Cell[]}
 */
export function cellsOf(geometry, piles, marks) {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const { spec } of geometry.places.values()) kinds.set(spec.kind, (kinds.get(spec.kind) ?? 0) + 1);
  /** @type {Cell[]} */
  const cells = [];
  for (const [pile, place] of geometry.places) {
    if (!place.shown) continue;
    const cards = piles[pile] ?? [];
    const last = Math.max(0, cards.length - 1);
    const stacked = place.spec.fan === "none";
    for (let index = stacked ? last : 0; index <= last; index += 1) {
      const top = index === last;
      const card = cards[index] ?? null;
      const selected = top && marks.selected === pile;
      const target = top && marks.targets.has(pile);
      const playable = top && marks.playable.has(pile);
      const classes = ["cell"];
      if (card === null) classes.push("vacant");
      if (selected) classes.push("selected");
      if (target) classes.push("target");
      const hinted = top && marks.hinted.includes(pile);
      if (hinted) classes.push("hinted", marks.hinted[0] === pile ? "hint-take" : "hint-lay");
      if (top && marks.waiting.has(pile)) classes.push("waiting");
      cells.push({
        key: `${pile}:${index}`, pile, index, card, ...cardPlace(geometry, pile, index), classes,
        name: cellName({
          card, pile: pileName(place.spec, kinds.get(place.spec.kind) === 1), count: cards.length, above: last - index,
          playable, selected, target, hinted, stacked,
        }),
      });
    }
  }
  return cells.sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * The nearest cell in a direction: along the axis first, sideways distance counts double.
 * @param {Cell[]} cells
 * @param {Cell} from
 * @param {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} key
 * @returns {Cell | null}
 */
export function neighbour(cells, from, key) {
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const ahead = sign * (across ? cell.x - from.x : cell.y - from.y);
    if (ahead < 4) continue;
    const aside = Math.abs(across ? cell.y - from.y : cell.x - from.x);
    const distance = ahead + aside * 2.2;
    if (distance < least) {
      least = distance;
      best = cell;
    }
  }
  return best;
}

export class Grid {
  /** @type {Cell[]} */
  #cells = [];
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  /** What each element shows; what has not changed is not touched. @type {Map<string, string>} */
  #shown = new Map();
  #order = "";
  #current = "";
  #layer;

  /** @param {HTMLElement} layer element with the role of a grid */
  constructor(layer) {
    this.#layer = layer;
    layer.addEventListener("focusin", (event) => {
      const key = /** @type {HTMLElement} */ (event.target).dataset.key;
      if (key) this.#rove(key);
    });
  }

  /**
   * Shows the cells. Focus stays on its card, or goes to the nearest place that is left.
   * @param {Cell[]} cells
   * @param {Geometry} geometry
   */
  show(cells, geometry) {
    const focused = this.#layer.contains(document.activeElement);
    const before = this.#cells.find((cell) => cell.key === this.#current) ?? null;
    this.#cells = cells;
    for (const cell of cells) this.#update(cell, geometry);
    const order = cells.map((cell) => `${cell.key}@${cell.y}`).join(" ");
    if (order !== this.#order) this.#arrange(order);
    const now = cells.some((cell) => cell.key === this.#current) ? this.#current : this.#nearest(before);
    if (now) this.#rove(now);
    const element = this.#elements.get(now);
    if (focused && element && document.activeElement !== element) element.focus({ preventScroll: true });
  }

  /**
   * @param {Cell} cell
   * @param {Geometry} geometry
   */
  #update(cell, geometry) {
    let element = this.#elements.get(cell.key);
    if (!element) {
      element = h("div", { role: "gridcell", tabindex: "-1" });
      element.dataset.key = cell.key;
      element.dataset.pile = cell.pile;
      element.dataset.index = String(cell.index);
      this.#elements.set(cell.key, element);
    }
    const shown = `${cell.x} ${cell.y} ${geometry.cardWidth} ${cell.card} ${cell.classes} ${cell.name}`;
    if (this.#shown.get(cell.key) === shown) return;
    this.#shown.set(cell.key, shown);
    const { style } = element;
    element.className = cell.classes.join(" ");
    element.dataset.card = cell.card ?? "";
    style.transform = `translate(${cell.x}px, ${cell.y}px)`;
    style.inlineSize = `${geometry.cardWidth}px`;
    style.blockSize = `${geometry.cardHeight}px`;
    if (element.getAttribute("aria-label") !== cell.name) element.setAttribute("aria-label", cell.name);
    element.setAttribute("aria-selected", String(cell.classes.includes("selected")));
  }

  /** @param {string} order */
  #arrange(order) {
    this.#order = order;
    /** @type {HTMLElement[]} */
    const rows = [];
    let y = NaN;
    for (const cell of this.#cells) {
      if (cell.y !== y) {
        rows.push(h("div", { role: "row", class: "row" }));
        y = cell.y;
      }
      /** @type {HTMLElement} */ (rows.at(-1)).append(/** @type {HTMLElement} */ (this.#elements.get(cell.key)));
    }
    this.#layer.replaceChildren(...rows);
    const alive = new Set(this.#cells.map((cell) => cell.key));
    for (const key of [...this.#elements.keys()]) {
      if (alive.has(key)) continue;
      this.#elements.delete(key);
      this.#shown.delete(key);
    }
  }

  /** @param {Cell | null} gone */
  #nearest(gone) {
    if (!gone) return this.#cells.find((cell) => cell.card !== null)?.key ?? this.#cells[0]?.key ?? "";
    const same = this.#cells.filter((cell) => cell.pile === gone.pile).at(-1);
    if (same) return same.key;
    let best = "";
    let least = Infinity;
    for (const cell of this.#cells) {
      const distance = Math.hypot(cell.x - gone.x, cell.y - gone.y);
      if (distance < least) {
        least = distance;
        best = cell.key;
      }
    }
    return best;
  }

  /** @param {string} key */
  #rove(key) {
    if (this.#current !== key) this.#elements.get(this.#current)?.setAttribute("tabindex", "-1");
    this.#current = key;
    this.#elements.get(key)?.setAttribute("tabindex", "0");
  }

  /** Gives the grid the focus, on the cell that had it last. */
  focus() {
    this.#elements.get(this.#current)?.focus({ preventScroll: true });
  }

  /**
   * Gives the focus to the top card of a pile.
   * @param {string} pile
   */
  focusPile(pile) {
    const cell = this.#cells.filter((one) => one.pile === pile).at(-1);
    if (cell) this.#elements.get(cell.key)?.focus({ preventScroll: true });
  }

  /**
   * Moves focus by an arrow key, Home or End.
   * @param {string} key
   * @returns {boolean} whether the key was one of these
   */
  walk(key) {
    const from = this.#cells.find((cell) => cell.key === this.#current);
    if (!from) return false;
    /** @type {Cell | null | undefined} */
    let to;
    if (key === "Home") to = this.#cells[0];
    else if (key === "End") to = this.#cells.at(-1);
    else if (key === "ArrowUp" || key === "ArrowDown" || key === "ArrowLeft" || key === "ArrowRight") to = neighbour(this.#cells, from, key);
    else return false;
    if (to) this.#elements.get(to.key)?.focus({ preventScroll: true });
    return true;
  }
}
