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
  const { own, pace, times, moves, progress } = found;
  const spreads = [
    times ? histogram(times, t("Times of wins")) : null,
    moves ? histogram(moves, t("Moves of wins")) : null,
    // Where hardly anybody has won, how far people came tells more.
    progress && found.won < found.total ? histogram(progress, t("Progress of everybody")) : null,
  ];
  return h("section", { class: "field", "aria-label": t("The field") },
    h("h3", {}, t("The field")),
    h("p", { class: "field-sum" }, n("{count} result", "{count} results", found.total), ", ",
      t("{count} won ({share})", { count: number(found.won), share: percent(found.won / found.total) }), ". ",
      own && found.total > 1 ? h("strong", {}, t("You did better than {share} of the field, ties counted half.", { share: percent(own.percentile / 100) })) : null,
      own && found.total === 1 ? h("strong", {}, t("You are the first on this board.")) : null),
    h("div", { class: "charts" }, spreads, pace ? paceChart(pace) : null),
    own ? sharePanel({
      title: game.title, date: found.date, ruleset: found.ruleset, over: /** @type {import("../types.js").Over} */ (own.outcome),
      time_ms: own.time_ms, moves: own.moves, progress: own.progress, maximum: game.maximum, rank: own.rank, of: own.of, pace: pace?.own_ms ?? null,
    }) : null);
}
