/** What a player may tell others of a finished deal: a sentence, how it went, and the link; never a card or a move. */

import { h, icon } from "../dom.js";
import { clock, day, ltr, number, sentence } from "../format.js";
import { n, t } from "../i18n.js";
import { announce } from "../live.js";
import { rankText, verdict } from "./words.js";

/** From new moon to full moon: a wordless picture of how far somebody was. */
const MOONS = ["🌑", "🌒", "🌓", "🌔", "🌕"];

/**
 * @typedef {object} Shared
 * @property {string} title of the game
 * @property {string} date YYYY-MM-DD
 * @property {string} ruleset
 * @property {import("../types.js").Over} over
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} progress
 * @property {number} maximum
 * @property {number | null | undefined} rank
 * @property {number | null | undefined} of
 * @property {number | null} score where the game has one
 * @property {number[]} course progress at the end of each tenth of the time
 */

/**
 * How far somebody was after each tenth of his time, as moons.
 * @param {number[]} course progress at the end of each tenth of the time
 * @param {number} maximum greatest progress
 */
export function moons(course, maximum) {
  // The full moon is for those who have come all the way.
  return course.map((far) => MOONS[far >= maximum ? 4 : Math.min(3, Math.floor((far / maximum) * 4))]).join("");
}

/**
 * The text to share.
 * @param {Shared} result
 */
export function shareText(result) {
  const values = { game: result.title, date: day(result.date, "plain"), moves: n("{count} move", "{count} moves", result.moves), time: clock(result.time_ms) };
  const score = result.score === null ? null : t("score {score}", { score: number(result.score) });
  const told = result.over === "won" ? t("I won {game} of {date} in {moves}, {time}", values)
    : `${t("I played {game} of {date}", values)}: ${sentence(verdict(result.over), ltr(`${number(result.progress)} / ${number(result.maximum)}`), values.moves, values.time)}`;
  const rank = rankText(result.rank, result.of);
  return [
    sentence(told, score, rank),
    moons(result.course, Math.max(1, result.maximum)),
    `${location.origin}/daily/${result.date}/${result.ruleset}`,
  ].join("\n");
}

/**
 * The text with a button that copies it, and the system's own share sheet where there is one.
 * @param {Shared} result
 */
export function sharePanel(result) {
  const text = shareText(result);
  const words = h("textarea", { class: "share-text", readonly: true, rows: 3, "aria-label": t("Text to share"), dir: "auto" });
  words.value = text;
  // As high as its text, however the lines break: in narrow windows, in long languages, with large letters.
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    // In the next frame: what changes sizes while sizes are told is told of again.
    requestAnimationFrame(() => {
      words.style.blockSize = "auto";
      words.style.blockSize = `${words.scrollHeight + words.offsetHeight - words.clientHeight}px`;
    });
  }).observe(words);
  const state = h("p", { class: "small share-state", hidden: true });
  /** @param {string} told */
  const say = (told) => {
    state.textContent = told;
    state.hidden = false;
    announce(told);
  };
  const copy = async () => {
    say(await copied(words) ? t("Copied.") : t("The browser does not let this page copy. The text is selected: copy it by hand."));
  };
  const buttons = [h("button", { type: "button", class: "button", onclick: () => void copy() }, icon("copy"), t("Copy"))];
  if (typeof navigator.share === "function") {
    const share = () => navigator.share({ text }).catch((/** @type {DOMException} */ error) => {
      // Who closes the sheet has changed his mind; that is no fault.
      if (error.name !== "AbortError") say(t("Sharing did not work here. Copy the text instead."));
    });
    buttons.push(h("button", { type: "button", class: "button", onclick: () => void share() }, icon("share"), t("Share")));
  }
  return h("div", { class: "share" }, words, h("div", { class: "buttons" }, buttons), state);
}

/**
 * Copies the text of a field, also where the page was not loaded over HTTPS and the clipboard is out of reach.
 * @param {HTMLTextAreaElement} words
 */
async function copied(words) {
  try {
    await navigator.clipboard.writeText(words.value);
    return true;
  } catch {
    words.focus();
    words.select();
    return document.execCommand("copy");
  }
}
