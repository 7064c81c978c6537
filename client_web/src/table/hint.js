/** A hint in words, and the piles that it points to. What it is about is read from the legal move alone. */

import { t } from "../i18n.js";
import { refusal } from "./names.js";
import { moveWords } from "./narrate.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {import("./moves.js").Move} Move */

/**
 * The piles that the player touches to carry a hint out: what is taken, and then where it goes.
 * @param {Move} move
 * @returns {string[]}
 */
export function hintedPiles(move) {
  return [...new Set([move.lifts[0]?.[0] ?? move.names[0], ...move.names])];
}

/**
 * @param {Attempt} attempt
 * @param {Move} move
 */
export function hintText(attempt, move) {
  return t("Hint: {move}", { move: moveWords(attempt.layout, attempt.piles, move) });
}

/**
 * Why there is no hint, in words.
 * @param {string} code
 * @param {string | undefined} reason
 */
export function noHint(code, reason) {
  if (code !== "attempt/no_hint") return refusal(code);
  switch (reason) {
    case "ranked": return t("There are no hints in a game that counts.");
    case "lost": return t("No hint: this position can no longer be won. Undo may help.");
    default: return t("No hint: no way to win was found from here.");
  }
}
