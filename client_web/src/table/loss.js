/** Where a game was lost, its par, and playing on from there: told once the deal is no secret any more. */

import { analysis as fetchAnalysis, ApiError } from "../api.js";
import { fill, h } from "../dom.js";
import { number } from "../format.js";
import { n, rich, t } from "../i18n.js";
import { spelledMove } from "./narrate.js";

/** @typedef {import("../types.js").Analysis} Analysis */

/** Tries, and milliseconds between them, while the server is finding it out. */
const TRIES = 20;
const AGAIN_MS = 1_500;

/**
 * The analysis of an attempt; asked for again while it is being found out. Null where there is none to be had.
 * @param {string} attempt
 * @param {() => boolean} wanted
 * @returns {Promise<Analysis | null>}
 */
async function found(attempt, wanted) {
  for (let left = TRIES; left > 0 && wanted(); left -= 1) {
    try {
      const told = await fetchAnalysis(attempt);
      if (told.fate !== "searching") return told;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "try_later") return null;
    }
    await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
  }
  return null;
}

/**
 * What a loss is told with.
 * @typedef {object} About
 * @property {import("../types.js").Layout} layout
 * @property {(seq: number) => import("../types.js").Piles} pilesAt the piles at a point of the game, none where they are not known
 * @property {boolean} par whether par is to be told: elsewhere it may stand already
 * @property {() => boolean} wanted whether it is still looked at
 */

/**
 * A section that fills itself as soon as it is known where an attempt was lost.
 * @param {string} attempt
 * @param {About} about
 */
export function lossSection(attempt, about) {
  const words = h("div", { class: "loss-words", role: "status" }, h("p", { class: "small" }, t("Looking for where it was lost…")));
  const section = h("section", { class: "loss", "aria-label": t("Where it was lost") }, h("h3", {}, t("Where it was lost")), words);
  void found(attempt, about.wanted).then((told) => {
    if (told) fill(words, ...sentences(told, about));
    else fill(words, h("p", { class: "small" }, t("This could not be found out now.")));
  });
  return section;
}

/**
 * @param {Analysis} told
 * @param {About} about
 * @returns {(HTMLElement | null)[]}
 */
function sentences(told, about) {
  return [
    h("p", {}, fateText(told, about)),
    told.lost ? playOn(told, told.lost.seq, t("Play on from before this move"))
      : told.between && told.deal_winnable ? playOn(told, told.between[0], t("Play on from there")) : null,
    told.slips.length ? h("p", {}, n("{count} losing move was taken back in time.", "{count} losing moves were taken back in time.", told.slips.length)) : null,
    parText(told, about.par),
  ];
}

/**
 * @param {Analysis} told
 * @param {About} about
 */
function fateText(told, { layout, pilesAt }) {
  const { fate, lost, between } = told;
  switch (fate) {
    case "won": return t("Nowhere: this game was won.");
    case "winnable": return t("Nowhere: it could still be won when it ended.");
    case "never": return t("This deal could not be won from the start.");
    case "lost":
      if (lost) {
        const move = [spelledMove(layout, pilesAt(lost.seq), lost.move), " ", h("bdi", { class: "notation" }, lost.move)];
        return rich("By move {number}, {move}: before it the game could be won, after it no more.", { number: number(lost.seq + 1), move });
      }
      if (between && between[0] > 0) return t("Between moves {from} and {to}; nearer than that it could not be decided.", { from: number(between[0] + 1), to: number(between[1]) });
      return t("By move {number} at the latest; nearer than that it could not be decided.", { number: number(between ? between[1] : 0) });
    case "untold": return t("In this game it is not told which move lost.");
    default: return t("It could not be decided whether and where it was lost.");
  }
}

/**
 * @param {Analysis} told
 * @param {boolean} whole whether par itself is told, and not only how this game stands to it
 */
function parText(told, whole) {
  const { par, par_exact: exact, above_par: above } = told;
  if (par === null) return null;
  const about = exact ? n("Par is {count} move: no way to win is shorter.", "Par is {count} moves: no way to win is shorter.", par)
    : n("The shortest way to win that is known has {count} move.", "The shortest way to win that is known has {count} moves.", par);
  const own = above === null ? null : above === 0 ? t("This game took no move more.")
    : above > 0 ? n("This game took {count} move more.", "This game took {count} moves more.", above)
    : t("This game was shorter still.");
  const words = [whole ? about : null, own].filter(Boolean).join(" ");
  return words ? h("p", { class: "small" }, words) : null;
}

/**
 * @param {Analysis} told
 * @param {number} seq
 * @param {string} name
 */
function playOn(told, seq, name) {
  const query = new URLSearchParams({ branch: told.attempt, seq: String(seq) });
  return h("p", {}, h("a", { class: "button loss-on", href: `/practice/${encodeURIComponent(told.ruleset)}?${query}` }, name));
}
