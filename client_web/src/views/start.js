/** Before a ranked attempt: what it is and what counts, at rest. The clock starts when the deal is shown, never here. */

import { boardOf } from "../addresses.js";
import { challenge as fetchChallenge, dailies, rulesets } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { day, localInstant, sentence } from "../format.js";
import { n, rich, t } from "../i18n.js";
import { rankKeys, undoPolicy } from "../table/words.js";
import { loading } from "./parts.js";
import { view as table } from "./table.js";

/** @typedef {import("../types.js").Challenge} Challenge */
/** @typedef {import("../types.js").RulesetInfo} RulesetInfo */

/** Kept with the address while its reader has chosen to start: after a reload the table comes back at once. */
const STARTED = Object.freeze({ start: true });

/**
 * The deal of an address, or null where there is none to be told of.
 * @param {string[]} params
 * @returns {Promise<Challenge | null>}
 */
async function dealOf([first, second]) {
  if (first === "challenge") return fetchChallenge(second).catch(() => null);
  const found = await dailies(first).catch(() => null);
  return found?.dailies.find((one) => one.ruleset === second) ?? null;
}

/**
 * Whether a deal waits to be started by this reader. Whatever else it is, the table shows or tells.
 * @param {Challenge | null} deal
 * @returns {deal is Challenge}
 */
function waits(deal) {
  return deal !== null && !deal.own && !deal.seed && deal.players !== undefined && !(deal.closes_at && Date.parse(deal.closes_at) <= Date.now());
}

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  if (/** @type {{start?: boolean} | null} */ (visit.state)?.start) return table(root, visit);
  let alive = true;
  /** @type {(() => void) | void} */
  let leave;
  const sit = () => {
    leave = table(root, visit);
  };
  fill(root, loading());
  void Promise.all([dealOf(visit.params), rulesets().catch(() => [])]).then(([deal, games]) => {
    if (!alive) return;
    if (!waits(deal)) {
      sit();
      return;
    }
    const game = games.find((one) => one.key === deal.ruleset) ?? null;
    const date = deal.kind === "daily" ? deal.date : null;
    if (date) visit.replace(`/daily/${date}/${encodeURIComponent(deal.ruleset)}`);
    visit.title(sentence(t(deal.title), date ? day(date, "short") : deal.event?.name));
    fill(root, page(deal, game, () => {
      visit.replace(null, STARTED);
      sit();
    }));
  });
  return () => {
    alive = false;
    leave?.();
  };
};

/**
 * @param {Challenge} deal
 * @param {RulesetInfo | null} game
 * @param {() => void} start
 */
function page(deal, game, start) {
  const key = encodeURIComponent(deal.ruleset);
  return h("div", { class: "start-page" },
    h("a", { class: "tool start-home", href: "/" }, icon("home"), h("span", {}, t("All games"))),
    h("article", { class: "start" },
      h("h1", { tabindex: "-1" }, t(deal.title)),
      h("p", { class: "start-date" }, deal.kind === "daily" && deal.date ? day(deal.date) : deal.event ? h("bdi", {}, deal.event.name) : t("Challenge")),
      h("ul", { class: "start-facts" },
        h("li", {}, icon("clock"), h("span", {}, t("You have one attempt. The clock starts when the cards are shown, and does not stop."))),
        game ? h("li", {}, icon("board"), h("span", {}, t("What ranks: {keys}", { keys: rankKeys(game.rankings.main) }))) : null,
        game ? h("li", {}, icon("undo"), h("span", {}, undoPolicy(game.undo))) : null,
        h("li", {}, icon("people"), h("span", {}, deal.players
          ? n("{count} player has started", "{count} players have started", deal.players) : t("Nobody has started yet. Be the first!"))),
        deal.ends_at ? h("li", {}, icon("seal"), h("span", {}, rich("Can be started until {instant}", { instant: localInstant(Date.parse(deal.ends_at)) }))) : null),
      h("button", { type: "button", class: "button button-main start-button", onclick: start }, t("Start")),
      h("div", { class: "buttons" },
        h("a", { class: "button", href: `/rules/${key}` }, t("Rules")),
        h("a", { class: "button", href: `/practice/${key}` }, t("Practise first")),
        h("a", { class: "button", href: boardOf(deal) }, t("Board")))));
}
