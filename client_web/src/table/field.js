/** How everybody did at a daily, and where one stands among them: on the end screen, and on a daily's page after its close. */

import { field as fetchField } from "../api.js";
import { histogram } from "../charts/histogram.js";
import { paceChart } from "../charts/pace.js";
import { h } from "../dom.js";
import { number, percent } from "../format.js";
import { n, t } from "../i18n.js";
import { sharePanel } from "./share.js";

/** @typedef {import("../types.js").Field} Field */

/**
 * The field of a daily as a section, or null where there is nothing to tell.
 * @param {string} date
 * @param {string} ruleset
 * @param {{title: string, maximum: number}} game
 * @returns {Promise<HTMLElement | null>}
 */
export async function fieldSection(date, ruleset, game) {
  const found = await fetchField(date, ruleset).catch(() => null);
  return found?.total ? section(found, game) : null;
}

/**
 * @param {Field} found
 * @param {{title: string, maximum: number}} game
 */
function section(found, game) {
  const { own, pace, times, moves, progress, scores } = found;
  const spreads = [
    scores ? histogram(scores, t("Scores of wins")) : null,
    times ? histogram(times, t("Times of wins")) : null,
    moves ? histogram(moves, t("Moves of wins")) : null,
    // Where hardly anybody has won, how far people came tells more.
    progress && found.won < found.total ? histogram(progress, t("Progress of everybody")) : null,
  ];
  return h("section", { class: "field", "aria-label": t("The field") },
    h("h3", {}, t("The field")),
    h("p", { class: "field-sum" }, n("{count} result", "{count} results", found.total), ", ",
      t("{count} won ({share})", { count: number(found.won), share: percent(found.won / found.total) }), ". ",
      own ? h("strong", {}, standing(own)) : null),
    h("div", { class: "charts" }, spreads, pace ? paceChart(pace) : null),
    own ? sharePanel({
      title: game.title, date: found.date, ruleset: found.ruleset, over: /** @type {import("../types.js").Over} */ (own.outcome),
      time_ms: own.time_ms, moves: own.moves, progress: own.progress, maximum: game.maximum, score: own.score, rank: own.rank, of: own.of, course: own.course,
    }) : null);
}

/**
 * Where somebody stands among the others, in words that are true to the last of them.
 * @param {import("../types.js").FieldOwn} own
 */
function standing({ of, beaten, equal }) {
  const others = of - 1;
  if (!others) return t("You are the first on this board.");
  if (beaten === others) return n("You did better than the only other player.", "You did better than all {count} others.", others);
  const ties = equal ? n("{count} did exactly as well.", "{count} did exactly as well.", equal) : "";
  if (!beaten) return ties || t("Nobody stands behind you so far.");
  // Cut off, not rounded: nobody has beaten a hundred per cent of the others who has not beaten them all.
  const share = percent(Math.floor((beaten / others) * 1000) / 1000);
  return [t("You did better than {count} of {others} others ({share}).", { count: number(beaten), others: number(others), share }), ties].join(" ").trim();
}
