/** Recomputes commitment and deal in the browser, and says in words what was checked and what was not. */

import { boardOf } from "../addresses.js";
import { challenge as fetchChallenge, rulesets } from "../api.js";
import { commitment, deal, DEAL_VERSION } from "../deal.js";
import { fill, h, icon } from "../dom.js";
import { day, localInstant, sentence } from "../format.js";
import { rich, t } from "../i18n.js";
import { cardPicture } from "../table/cards.js";
import { cardName } from "../table/names.js";
import { failure, loading } from "./parts.js";

/** @typedef {import("../types.js").Challenge} Challenge */

/** @type {import("../main.js").View} */
export const view = (root, { params: [id], title }) => {
  title(t("Verify a deal"));
  const load = async () => {
    fill(root, loading());
    try {
      const [challenge, games] = await Promise.all([fetchChallenge(id), rulesets()]);
      const size = games.find((game) => game.key === challenge.ruleset)?.deck_size ?? 52;
      fill(root, h("article", { class: "verify" },
        h("h1", {}, t("Verify this deal")),
        h("p", { class: "verify-what" }, sentence(t(challenge.title), challenge.date ? day(challenge.date) : null)),
        challenge.seed ? revealed(challenge, challenge.seed, size) : sealed(challenge)));
    } catch (error) {
      fill(root, failure(error, () => void load()));
    }
  };
  void load();
};

/** @param {string} value */
function code(value) {
  return h("code", { class: "hash", dir: "ltr" }, value);
}

/** @param {Challenge} challenge */
function sealed(challenge) {
  return [
    h("div", { class: "verdict-line", "data-ok": "wait" }, icon("seal"),
      h("p", {}, Date.parse(challenge.opens_at) > Date.now() ? t("This deal is still sealed: it has not been opened yet.")
        : t("This deal is still sealed: it is open for play."))),
    h("p", {}, t("The order of the cards follows from a secret seed. Before anybody played, this commitment to the seed was published:")),
    h("p", {}, code(challenge.commitment)),
    h("p", {}, challenge.closes_at
      ? rich("The deal closes on {instant}. From then on the seed stands here, and your own browser can check:", { instant: localInstant(Date.parse(challenge.closes_at)) })
      : t("When the deal has closed for everybody the seed stands here, and your own browser can check:")),
    h("ul", {},
      h("li", {}, t("that the seed gives exactly this commitment, so the deal was fixed before play began;")),
      h("li", {}, t("that the seed gives the cards in the order in which everybody got them."))),
    h("p", { class: "small" }, t("Write the commitment down now if you want to be sure that it will not change.")),
  ];
}

/**
 * @param {Challenge} challenge
 * @param {string} seed
 * @param {number} size
 */
function revealed(challenge, seed, size) {
  if ((challenge.deal_version ?? DEAL_VERSION) !== DEAL_VERSION) {
    return h("p", {}, t("This deal was made by another version of the algorithm, which this page cannot check."));
  }
  const computed = commitment(seed);
  const fits = computed === challenge.commitment;
  const cards = deal(seed, size);
  return [
    h("div", { class: "verdict-line", "data-ok": String(fits) }, icon(fits ? "seal" : "cross"), h("p", {}, fits
      ? t("Your browser has checked it: seed and commitment fit.")
      : t("Seed and commitment do not fit. This deal is not the one that was promised."))),
    h("ol", { class: "verify-steps" },
      h("li", {}, t("The commitment published before play:"), code(challenge.commitment)),
      h("li", {}, t("The seed, public since the deal closed:"), code(seed)),
      h("li", {}, t("SHA-256 of the seed, computed here:"), code(computed),
        h("strong", { class: fits ? "good" : "bad" }, fits ? t("equal") : t("different"))),
      h("li", {}, t("The cards in the order in which they were dealt, computed here from the seed:"),
        h("ol", { class: "verify-cards", dir: "ltr" }, cards.map((card) => h("li", {}, cardPicture(card, true), h("span", { class: "visually-hidden" }, cardName(card))))))),
    h("p", {}, t("Compare the cards with what lay on your table: the first card was dealt first.")),
    h("p", { class: "small" }, t("Checked: the commitment, and the order of the cards. Not checked here: the moves and results of the players; the command “samedeal verify” does that from their records.")),
    h("div", { class: "buttons" },
      h("a", { class: "button", href: boardOf(challenge) }, t("See the board")),
      h("a", { class: "button", href: `/practice/${challenge.ruleset}?challenge=${encodeURIComponent(challenge.id)}` }, t("Practise this deal"))),
  ];
}
