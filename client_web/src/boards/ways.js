/** What stands under a board: how it is ranked, the whole of it as a file, and ways on. */

import { h, icon } from "../dom.js";
import { clock, ltr } from "../format.js";
import { t } from "../i18n.js";
import { rankKeys, undoPolicy } from "../table/words.js";
import { addressOf, exportOf } from "./place.js";

/** @typedef {import("./place.js").Place} Place */

/** @param {string | null} formula of a season's points, null where there are none */
export function formulaLine(formula) {
  return formula === null ? null : h("p", { class: "small board-formula" }, t(formula), " ", t("Only closed days count."));
}

/** @param {number} ms how long the server was away */
function outageText(ms) {
  return t("The server was away for {time}; that was taken off the time of whoever was playing.", { time: ltr(clock(ms)) });
}

/**
 * By what a deal was ranked and played.
 * @param {{keys: string[], undo: "counted" | "none" | "free" | null, outageMs: number}} ranking
 */
function rankingLine({ keys, undo, outageMs }) {
  return h("p", { class: "small board-ranking" }, t("Ranked by: {keys}.", { keys: rankKeys(keys) }), " ", undo ? [undoPolicy(undo), " "] : null,
    outageMs ? [outageText(outageMs), " "] : null,
    t("Equal results have equal ranks. Won deals come before those that were not won, which are ordered by progress."));
}

/**
 * @param {Place} place
 * @param {string | null} formula of a season's points
 * @param {{keys: string[], undo: "counted" | "none" | "free" | null, outageMs: number} | null} ranking of a deal
 */
export function foot(place, formula, ranking) {
  return h("footer", { class: "board-foot" }, formulaLine(formula), ranking ? rankingLine(ranking) : null,
    h("p", { class: "board-files" }, icon("file"), h("span", {}, t("The whole board:")),
      h("a", { href: exportOf(place, "csv"), download: true }, "CSV"), h("a", { href: exportOf(place, "ndjson"), download: true }, "NDJSON")));
}

/**
 * Links to the rules, and of a deal to its proof and to the other deals of its day or event.
 * @param {Place} place
 * @param {import("./head.js").Known} known
 * @param {import("../types.js").Challenge | null} deal null while it is not known, or where there is none
 */
export function waysOn(place, { games, event }, deal) {
  return [
    h("a", { href: `/rules/${encodeURIComponent(place.ruleset)}` }, t("Rules")),
    deal ? h("a", { href: `/verify/${encodeURIComponent(deal.id)}` }, deal.seed ? t("Verify the deal") : t("How to verify")) : null,
    place.kind === "challenge" ? event?.challenges.filter(({ id }) => id !== place.period).map(({ id, title }) => h("a", { href: addressOf({ ...place, period: id, at: null }) }, t(title))) : null,
    place.kind !== "day" ? null : games.filter(({ key }) => key !== place.ruleset)
      .map(({ key, title }) => h("a", { href: addressOf({ ...place, ruleset: key, at: null }) }, t(title))),
  ];
}
