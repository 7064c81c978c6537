/** Cards and piles in words, for people who hear the table. */

import { sentence } from "../format.js";
import { n, t } from "../i18n.js";

/** @typedef {import("../types.js").PileSpec} PileSpec */

/** @param {string} rank */
function rankName(rank) {
  switch (rank) {
    case "A": return t("ace");
    case "2": return t("two");
    case "3": return t("three");
    case "4": return t("four");
    case "5": return t("five");
    case "6": return t("six");
    case "7": return t("seven");
    case "8": return t("eight");
    case "9": return t("nine");
    case "T": return t("ten");
    case "J": return t("jack");
    case "Q": return t("queen");
    default: return t("king");
  }
}

/** @param {string} suit */
export function suitName(suit) {
  switch (suit) {
    case "C": return t("clubs");
    case "D": return t("diamonds");
    case "H": return t("hearts");
    default: return t("spades");
  }
}

/**
 * A card in words. Reading a face-down card tells no more than the drawing does.
 * @param {string} card
 */
export function cardName(card) {
  if (card === "??") return t("face-down card");
  const upper = card.toUpperCase();
  const name = t("{rank} of {suit}", { rank: rankName(upper[0]), suit: suitName(upper[1]) });
  return upper === card ? name : t("{card}, turned face down", { card: name });
}

/**
 * A pile in words: its kind, and its number or letters where a table has several of the kind.
 * @param {PileSpec} spec
 * @param {boolean} alone whether it is the only pile of its kind
 */
export function pileName(spec, alone) {
  const mark = /^[a-z]([a-z])$/.exec(spec.name)?.[1];
  const place = /[0-9]+$/.exec(spec.name)?.[0] ?? spec.name;
  switch (spec.kind) {
    case "stock": return t("stock");
    case "hand": return t("hand");
    case "waste": return alone ? t("waste") : t("waste {number}", { number: place });
    case "column": return t("column {number}", { number: place });
    case "foundation":
      if (alone) return t("foundation");
      return mark && "cdhs".includes(mark)
        ? t("foundation of {suit}", { suit: suitName(mark.toUpperCase()) }) : t("foundation {number}", { number: place });
    default: return t("place {name}", { name: spec.name });
  }
}

/**
 * The name of a cell of the grid: card, pile, what covers it, what can be done with it.
 * @param {object} cell
 * @param {string | null} cell.card null for an empty pile
 * @param {string} cell.pile name in words
 * @param {number} cell.count cards of the pile
 * @param {number} cell.above cards of the same pile that lie on it
 * @param {boolean} cell.playable
 * @param {boolean} cell.selected
 * @param {boolean} cell.target
 * @param {boolean} cell.hinted whether a hint points here
 * @param {boolean} cell.stacked whether the pile shows only its top, so that the number of cards is worth telling
 */
export function cellName(cell) {
  const parts = [cell.card === null ? t("{pile}, empty", { pile: cell.pile }) : sentence(cardName(cell.card), cell.pile)];
  if (cell.above) parts.push(n("covered by {count}", "covered by {count}", cell.above));
  else if (cell.card !== null && cell.stacked && cell.count > 1) parts.push(n("{count} card", "{count} cards", cell.count));
  if (cell.selected) parts.push(t("selected"));
  else if (cell.target) parts.push(t("can be laid here"));
  else if (cell.playable) parts.push(t("playable"));
  if (cell.hinted) parts.push(t("hint"));
  return sentence(...parts);
}

/**
 * Why something was refused, in words.
 * @param {string} code a code of the protocol
 */
export function refusal(code) {
  switch (code) {
    case "move/illegal": return t("That move is not allowed here.");
    case "move/syntax": return t("That is not a move. Write it as on this table, for example one or two pile names.");
    case "attempt/over": return t("This game is over.");
    case "attempt/no_undo": return t("Nothing can be undone.");
    case "attempt/stale": return t("The table has changed in the meantime.");
    case "attempt/log_full": return t("This game has reached its greatest number of moves.");
    case "attempt/unknown": return t("This game is not known.");
    case "attempt/not_yours": return t("This game belongs to somebody else.");
    case "challenge/unknown": return t("There is no such deal.");
    case "challenge/not_open": return t("This deal is not open yet.");
    case "challenge/closed": return t("This deal is closed.");
    case "challenge/barred": return t("You may not play this deal for the board.");
    case "ruleset/unknown": return t("There is no such game.");
    case "protocol/rate":
    case "try_later": return t("Too much at once. Please wait a moment.");
    case "auth/required":
    case "auth/invalid": return t("Your session has ended. Please load the page again.");
    case "internal": return t("Something went wrong on the server. Nothing was lost.");
    default: return t("That did not work ({code}).", { code });
  }
}
