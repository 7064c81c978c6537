/** What a table page shows when there is no game to play: why, how it stood, the field of a closed daily, and ways on. */

import { boardOf } from "../addresses.js";
import { challenge as fetchChallenge, dailies, rulesets } from "../api.js";
import { h } from "../dom.js";
import { day, localInstant, sentence } from "../format.js";
import { rich, t } from "../i18n.js";
import { fieldSection } from "../table/field.js";
import { refusal } from "../table/names.js";
import { proofSection } from "../table/proof.js";
import { difficulty, rankText, undoPolicy, verdict } from "../table/words.js";

/** @typedef {import("../types.js").Challenge} Challenge */

/**
 * The deal of an address, where it can be told.
 * @param {string[]} params
 * @returns {Promise<Challenge | null>}
 */
async function dealOf([first, second]) {
  if (first === "practice") return null;
  if (first === "challenge") return fetchChallenge(second).catch(() => null);
  return (await dailies(first).catch(() => null))?.dailies.find((one) => one.ruleset === second) ?? null;
}

/**
 * @param {string} code why the game cannot be opened
 * @param {string[]} params of the address: `challenge` or `practice` or a date, and what of it
 * @returns {Promise<{title: string, subtitle: string, element: HTMLElement}>}
 */
export async function noGame(code, params) {
  const [first, second] = params;
  const [deal, games] = await Promise.all([dealOf(params), rulesets().catch(() => [])]);
  const game = games.find((one) => one.key === (deal?.ruleset ?? second));
  const coming = deal && Date.parse(deal.opens_at) > Date.now();
  const field = deal?.seed && deal.date && game ? await fieldSection(deal.date, game.key, { title: t(game.title), maximum: game.maximum }) : null;
  return {
    title: deal ? t(deal.title) : "Samedeal",
    subtitle: deal?.date ? day(deal.date) : deal?.event?.name ?? "",
    element: h("div", { class: "failure" },
      h("h2", {}, refusal(code)),
      coming ? h("p", {}, rich("It opens: {instant}", { instant: localInstant(Date.parse(deal.opens_at)) })) : null,
      deal?.difficulty ? h("p", { class: "small" }, t("Difficulty: {level}", { level: difficulty(deal.difficulty) })) : null,
      deal?.own?.over ? h("p", {}, sentence(verdict(deal.own.over), rankText(deal.own.rank, deal.own.of))) : null,
      deal && game ? h("p", { class: "small" }, undoPolicy(game.undo)) : null,
      h("div", { class: "buttons" },
        h("a", { class: "button button-main", href: "/" }, t("Today’s games")),
        first === "practice" && code !== "ruleset/unknown" ? h("a", { class: "button", href: `/practice/${encodeURIComponent(second)}` }, t("Practise")) : null,
        deal && !coming ? h("a", { class: "button", href: boardOf(deal) }, t("See the board")) : null,
        deal?.seed ? h("a", { class: "button", href: `/practice/${deal.ruleset}?challenge=${encodeURIComponent(deal.id)}` }, t("Practise this deal")) : null,
        deal?.seed ? h("a", { class: "button", href: `/verify/${encodeURIComponent(deal.id)}` }, t("Verify the deal")) : null),
      deal ? proofSection(deal) : null,
      field),
  };
}
