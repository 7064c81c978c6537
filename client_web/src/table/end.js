/** What a player sees when an attempt has ended: the result, where it stands, what it was played under, what comes next. */

import { boardOf } from "../addresses.js";
import { rulesets } from "../api.js";
import { h, icon } from "../dom.js";
import { clock, ltr, number, sentence } from "../format.js";
import { n, t } from "../i18n.js";
import { rankKeys, rankText, undoPolicy, verdict } from "./words.js";

/** @typedef {import("../state.js").Attempt} Attempt */

/**
 * The panel of an ended attempt.
 * @param {Attempt} attempt
 * @param {{verifiable: boolean, practise: string, proof: Node | null, field: Node | null, loss: Node | null}} about `proof`: what
 *   is known of the deal after its close; `field`: how everybody did; `loss`: where it was lost
 * @param {() => void} close
 */
export function endPanel(attempt, about, close) {
  const { result, challenge, ruleset } = attempt;
  const rank = rankText(result?.rank, result?.of);
  const daily = attempt.ranked && challenge.kind === "daily" && challenge.date;
  const boardLink = attempt.ranked ? boardOf({ ...challenge, ruleset }) : null;
  /** @type {[string, string][]} */
  const figures = [
    [t("Time"), clock(result?.time_ms ?? attempt.elapsedMs, true)],
    [t("Moves"), number(attempt.moves)],
    [t("Progress"), `${number(attempt.progress)} / ${number(attempt.layout.maximum)}`],
  ];
  if (result?.undos) figures.push([t("Undos"), number(result.undos)]);
  if (result?.score !== undefined && result.score !== null) figures.push([t("Score"), number(result.score)]);
  return h("dialog", { class: about.field ? "dialog end end-wide" : "dialog end", "data-over": attempt.over, "aria-labelledby": "end-title" },
    h("button", { type: "button", class: "tool end-close", onclick: close, "aria-label": t("Look at the table") }, icon("cross")),
    h("p", { class: "end-game" }, t(attempt.layout.title)),
    h("h2", { id: "end-title", class: "end-title" }, verdict(attempt.over)),
    rank ? h("p", { class: "end-rank" }, rank) : h("p", { class: "end-rank end-unranked" }, unranked(attempt)),
    h("dl", { class: "end-figures", dir: "ltr" }, figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("div", { class: "buttons" },
      boardLink ? h("a", { class: "button button-main", href: boardLink, autofocus: true }, t("See the board")) : null,
      h("a", { class: boardLink ? "button" : "button button-main", href: "/", autofocus: !boardLink }, t("Today’s games")),
      h("a", { class: "button", href: about.practise }, t("Practise")),
      !attempt.ranked ? null
        : h("a", { class: "button", href: `/verify/${encodeURIComponent(challenge.id)}` }, about.verifiable ? t("Verify the deal") : t("How to verify"))),
    about.loss,
    about.proof,
    about.field,
    h("div", { class: "end-notes" },
      attempt.ranked ? rankingNote(ruleset) : null,
      attempt.undo ? h("p", { class: "small" }, undoPolicy(attempt.undo)) : null,
      attempt.creditMs ? h("p", { class: "small" }, t("The server was away for {time}; that was taken off your time.", { time: ltr(clock(attempt.creditMs)) })) : null,
      about.verifiable ? h("p", { class: "small" }, t("The seed of this deal is public now."))
        : daily ? h("p", { class: "small" }, t("The seed of this deal becomes public when it closes for everybody.")) : null));
}

/**
 * By what the results of a game are ranked.
 * @param {string} ruleset
 */
function rankingNote(ruleset) {
  const note = h("p", { class: "small", hidden: true });
  rulesets().then((games) => {
    const keys = games.find(({ key }) => key === ruleset)?.rankings.main;
    note.hidden = !keys;
    if (keys) note.textContent = t("Ranked by: {keys}.", { keys: rankKeys(keys) });
  }, () => undefined); // the rules page tells it too
  return note;
}

/** @param {Attempt} attempt */
function unranked(attempt) {
  if (!attempt.ranked) return t("Practice; not ranked");
  if (attempt.over === "void") return t("Taken out of the ranking");
  if (attempt.moves === 0) return t("Not on the board: no move was made");
  return n("{count} card of progress", "{count} cards of progress", attempt.progress);
}

/**
 * The result as one sentence, for the ear.
 * @param {Attempt} attempt
 */
export function endSentence(attempt) {
  const rank = rankText(attempt.result?.rank, attempt.result?.of);
  const parts = [verdict(attempt.over), clock(attempt.result?.time_ms ?? attempt.elapsedMs), n("{count} move", "{count} moves", attempt.moves)];
  return sentence(...parts, rank);
}
