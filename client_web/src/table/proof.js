/** What was proved of a deal, told after its close: par, and the winning line as a replay on a table of its own. */

import { ApiError, witness as fetchWitness } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { number } from "../format.js";
import { n, t } from "../i18n.js";
import { Board } from "./board.js";
import { refusal } from "./names.js";
import { spelledMove } from "./narrate.js";

/** @typedef {import("../types.js").Challenge} Challenge */
/** @typedef {import("../types.js").Piles} Piles */
/** @typedef {import("../types.js").Witness} Witness */

/** @type {import("./board.js").Scene["marks"]} */
const NO_MARKS = { selected: null, targets: new Set(), playable: new Set(), waiting: new Set(), hinted: [] };

/**
 * Par and a way to the replay, or null before the close and where nothing was proved.
 * @param {Challenge} deal
 * @returns {HTMLElement | null}
 */
export function proofSection({ id, par, par_exact: exact, score }) {
  if (typeof par !== "number") return null;
  const place = h("div", { class: "witness-place" });
  const show = h("button", { type: "button", class: "button", onclick: () => void open() }, t("Show the winning line"));
  const open = async () => {
    show.disabled = true;
    try {
      const line = await fetchWitness(id);
      show.remove();
      fill(place, replay(line));
      // The slider stands below the board, of which all shall be seen.
      /** @type {HTMLElement | null} */ (place.querySelector("input"))?.focus({ preventScroll: true });
      place.querySelector(".witness-board")?.scrollIntoView({ block: "start" });
    } catch (error) {
      show.disabled = false;
      fill(place, h("p", { role: "alert" }, error instanceof ApiError && error.code !== "offline" ? refusal(error.code)
        : t("The server cannot be reached. Your games are safe there.")));
    }
  };
  return h("section", { class: "proof", "aria-label": t("Par") },
    h("h3", {}, t("Par")),
    h("p", { class: "proof-par" },
      n("This deal can be won in {count} move.", "This deal can be won in {count} moves.", par), " ",
      exact ? t("No win has fewer: that is proved.") : t("No shorter win is known."),
      typeof score === "number" ? [" ", t("It scores {score}.", { score: number(score) })] : null),
    show, place);
}

/**
 * A table on which a line is followed move by move.
 * @param {Witness} line
 */
function replay(line) {
  const tables = [line.piles];
  for (const { piles } of line.moves) tables.push({ .../** @type {Piles} */ (tables.at(-1)), ...piles });
  const last = line.moves.length;
  const board = new Board(t("Table of the winning line"));
  const told = h("p", { class: "witness-move", "aria-live": "polite" });
  const slider = h("input", { type: "range", class: "witness-slider", min: "0", max: String(last), step: "1", value: "0", dir: "ltr", "aria-label": t("Move of the winning line") });
  const back = h("button", { type: "button", class: "tool", "aria-label": t("One move back"), onclick: () => go(at() - 1) }, icon("back"));
  const on = h("button", { type: "button", class: "tool", "aria-label": t("One move on"), onclick: () => go(at() + 1) }, icon("next"));

  const at = () => Number(slider.value);
  /** @param {number} move */
  function go(move) {
    slider.value = String(Math.min(last, Math.max(0, move)));
    show();
  }
  function show() {
    const move = at();
    back.disabled = move === 0;
    on.disabled = move === last;
    const words = move ? t("Move {number} of {total}", { number: number(move), total: number(last) }) : t("The deal");
    const done = move ? spelledMove(line.layout, tables[move - 1], line.moves[move - 1].move) : "";
    slider.setAttribute("aria-valuetext", done ? `${words}: ${done}` : words);
    fill(told, words, done ? [": ", h("bdi", {}, done), " ", h("bdi", { class: "notation", "aria-hidden": "true" }, line.moves[move - 1].move)] : null);
    board.draw({ layout: line.layout, piles: tables[move], legal: new Set(), touchable: new Set(), marks: NO_MARKS });
  }
  slider.addEventListener("input", show);
  show();
  // The scrubber runs as the table does: it is not mirrored.
  return h("div", { class: "witness" },
    h("div", { class: "witness-board" }, board.element),
    h("div", { class: "witness-bar", dir: "ltr" }, back, slider, on), told);
}
