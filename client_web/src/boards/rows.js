/** The rows of a board: what stands in them by kind of board, and a table that changes in place. */

import { boardOf } from "../addresses.js";
import { fill, h } from "../dom.js";
import { clock, day, number } from "../format.js";
import { n, t } from "../i18n.js";
import { verdict } from "../table/words.js";
import { playerLink } from "../views/parts.js";

/** @typedef {import("../dom.js").Child} Child */
/** @typedef {import("../types.js").BoardRow} BoardRow */
/** @typedef {import("../types.js").SeasonRow} SeasonRow */
/** @typedef {import("../types.js").RecordRow} RecordRow */

/** Any row: all have a rank and a player, and results also their attempt. */
/** @typedef {{rank: number, player: import("../types.js").Player, attempt?: string}} Row */
/** `kind`: a class of the column's cells. */
/** @template R @typedef {{name: string, kind: string, cell: (row: R) => Child}} Column */
/** `under`: what stands below the name where there is no room for a column. */
/** @template R @typedef {{columns: Column<R>[], under: (row: R) => Child}} Shape */

/** @param {string} text */
function figures(text) {
  return h("bdi", { dir: "ltr" }, text);
}

/**
 * @template {BoardRow} R
 * @param {string} [moves] a class of the column of moves
 * @returns {Column<R>[]}
 */
function timeAndMoves(moves = "") {
  return [
    { name: t("Time"), kind: "num", cell: (row) => figures(clock(row.time_ms, true)) },
    { name: t("Moves"), kind: `num ${moves}`.trim(), cell: (row) => figures(number(row.moves)) },
  ];
}

/**
 * The board of a deal.
 * @param {number} maximum greatest progress
 * @param {boolean} scored whether the game has a score
 * @returns {Shape<BoardRow>}
 */
export function dayShape(maximum, scored) {
  /** @param {BoardRow} row */
  const progress = (row) => h("bdi", { class: "board-progress", dir: "ltr" }, `${number(row.progress)} / ${number(maximum)}`);
  /** @param {BoardRow} row */
  const outcome = (row) => verdict(row.outcome === "open" ? null : /** @type {import("../types.js").Over} */ (row.outcome));
  /** @type {Column<BoardRow>} */
  const score = { name: t("Score"), kind: "num strong", cell: (row) => (typeof row.score === "number" ? figures(number(row.score)) : "–") };
  return {
    columns: [
      {
        name: t("Result"), kind: "col-result",
        cell: (row) => (row.outcome === "won" ? h("span", { class: "chip chip-won" }, outcome(row)) : [h("span", { class: "chip" }, outcome(row)), progress(row)]),
      },
      // A phone has room for three columns of figures; by score and time it is ranked, the moves go below the name.
      ...(scored ? [score, ...timeAndMoves("col-result")] : timeAndMoves()),
    ],
    under: (row) => {
      const lines = [row.outcome === "won" ? null : [outcome(row), " ", progress(row)], scored ? n("{count} move", "{count} moves", row.moves) : null];
      const told = lines.filter((line) => line !== null);
      return told.length ? told.flatMap((line, at) => (at ? [" · ", line] : [line])).flat() : null;
    },
  };
}

/** @returns {Shape<SeasonRow>} */
export function seasonShape() {
  return {
    columns: [
      { name: t("Points"), kind: "num strong", cell: (row) => figures(number(row.points)) },
      { name: t("Days counted"), kind: "num", cell: (row) => figures(number(row.counted)) },
      { name: t("Days played"), kind: "num col-result", cell: (row) => figures(number(row.played)) },
    ],
    under: () => null,
  };
}

/**
 * The records of a game.
 * @param {string} ruleset
 * @returns {Shape<RecordRow>}
 */
export function recordsShape(ruleset) {
  /** @param {RecordRow} row */
  const when = (row) => h("a", { href: boardOf({ id: row.challenge, date: row.date, ruleset }) }, row.date ? day(row.date, "short") : t("Challenge"));
  return { columns: [...timeAndMoves(), { name: t("Day"), kind: "num col-result", cell: when }], under: when };
}

/** @param {import("../types.js").DayBoard | import("../types.js").SeasonBoard | import("../types.js").RecordsBoard} page */
export function totalText(page) {
  return "formula" in page ? n("{count} player", "{count} players", page.total) : n("{count} result", "{count} results", page.total);
}

/** A table whose rows stay where they are while their contents change. */
export class BoardTable {
  #head = h("tr");
  #body = h("tbody");
  #apart = h("tbody", { class: "own-apart" });
  /** @type {Map<string, {said: string, element: HTMLElement}>} */
  #rows = new Map();
  #shape = "";
  element;

  constructor() {
    this.element = h("table", { class: "results" }, h("thead", {}, this.#head), this.#body);
  }

  /**
   * Shows rows. Those that were there already are moved or written again; nothing else is touched.
   * @template {Row} R
   * @param {Shape<R>} shape
   * @param {R[]} rows
   * @param {R | null} own the reader's own row
   */
  show(shape, rows, own) {
    const names = shape.columns.map(({ name }) => name).join("\n");
    if (names !== this.#shape) {
      this.#shape = names;
      this.#rows.clear();
      fill(this.#head, h("th", { scope: "col", class: "num" }, t("Rank")), h("th", { scope: "col" }, t("Player")),
        shape.columns.map(({ name, kind }) => h("th", { scope: "col", class: kind }, name)));
    }
    /** @type {Map<string, {said: string, element: HTMLElement}>} */
    const shown = new Map();
    const mine = own?.player.id;
    for (const row of rows) shown.set(keyOf(row), this.#row(shape, row, row.player.id !== mine ? "" : keyOf(row) === keyOf(own ?? row) ? "own pinned" : "own"));
    const before = [...this.#body.children];
    const wanted = [...shown.values()].map(({ element }) => element);
    wanted.forEach((element, at) => {
      if (this.#body.children[at] !== element) this.#body.insertBefore(element, this.#body.children[at] ?? null);
    });
    for (const element of before) if (!wanted.includes(/** @type {HTMLElement} */ (element))) element.remove();
    this.#rows = shown;
    const apart = own && !rows.some((row) => row.player.id === mine) ? own : null;
    fill(this.#apart, apart ? build(shape, apart, "own pinned") : null);
    if (apart) this.element.append(this.#apart);
    else this.#apart.remove();
  }

  /**
   * @template {Row} R
   * @param {Shape<R>} shape
   * @param {R} row
   * @param {string} own class of the reader's own rows; the one by which he is ranked is pinned
   */
  #row(shape, row, own) {
    const said = JSON.stringify([row, own]);
    const known = this.#rows.get(keyOf(row));
    if (known?.said === said) return known;
    const element = build(shape, row, own);
    if (!known) return { said, element };
    // Cells that say the same stay, and with them the focus that may be in them.
    [...element.children].forEach((cell, at) => {
      const before = known.element.children[at];
      if (!before.isEqualNode(cell)) before.replaceWith(cell);
    });
    known.element.className = element.className;
    known.element.dataset.rank = String(row.rank);
    return { said, element: known.element };
  }
}

/** @param {Row} row */
function keyOf(row) {
  return row.attempt ?? row.player.id;
}

/**
 * @template {Row} R
 * @param {Shape<R>} shape
 * @param {R} row
 * @param {string} own class of the reader's own rows
 */
function build(shape, row, own) {
  const under = shape.under(row);
  return h("tr", { class: own, "data-rank": row.rank },
    h("td", { class: "num rank" }, figures(number(row.rank))),
    h("th", { scope: "row" }, playerLink(row.player), own ? h("span", { class: "badge badge-you" }, t("you")) : null,
      under ? h("span", { class: "row-state" }, under) : null),
    shape.columns.map(({ kind, cell }) => h("td", { class: kind }, cell(row))));
}
