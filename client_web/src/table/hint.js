/** A hint in words, and the piles that it points to. What it is about is read from the legal move alone. */

import { t } from "../i18n.js";
import { cardName, pileName, refusal } from "./names.js";

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
  const { layout, piles } = attempt;
  /** @param {string} name */
  const pile = (name) => {
    const spec = layout.piles.find((one) => one.name === name);
    return spec ? pileName(spec, layout.piles.filter((one) => one.kind === spec.kind).length === 1) : name;
  };
  /** @param {string} name */
  const top = (name) => {
    const card = piles[name]?.at(-1);
    return card === undefined || card === "??" ? pile(name) : cardName(card);
  };
  const [first, second] = move.names;
  const [lift] = move.lifts;
  if (second === undefined) {
    return lift && lift[0] !== first ? t("Hint: {card} to {pile}", { card: top(lift[0]), pile: pile(first) })
      : t("Hint: {card}", { card: top(first) });
  }
  return move.lifts.length === 1 ? t("Hint: {card} to {pile}", { card: top(first), pile: pile(second) })
    : t("Hint: {first} with {second}", { first: top(first), second: top(second) });
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
