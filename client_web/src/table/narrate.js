/** Moves in words: what one does, and what it did, with what was revealed. */

import { sentence } from "../format.js";
import { t } from "../i18n.js";
import { readMoves } from "./moves.js";
import { cardName, pileName } from "./names.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {import("../types.js").Layout} Layout */
/** @typedef {import("../types.js").Piles} Piles */
/** @typedef {import("../types.js").Step} Step */

/**
 * Names the piles of a table.
 * @param {Layout} layout
 * @returns {(name: string) => string}
 */
function pileNames(layout) {
  const specs = new Map(layout.piles.map((spec) => [spec.name, spec]));
  return (name) => {
    const spec = specs.get(name);
    return spec ? pileName(spec, layout.piles.filter((one) => one.kind === spec.kind).length === 1) : name;
  };
}

/**
 * What a move does, in words: ace of spades to foundation of spades.
 * @param {Layout} layout
 * @param {Piles} piles before the move; where they are not known the piles are named instead of their cards
 * @param {import("./moves.js").Move} move
 */
export function moveWords(layout, piles, move) {
  const pile = pileNames(layout);
  /** @param {string} name */
  const top = (name) => {
    const card = piles[name]?.at(-1);
    return card === undefined || card === "??" ? pile(name) : cardName(card);
  };
  const [first, second] = move.names;
  const [lift] = move.lifts;
  if (second === undefined) return lift && lift[0] !== first ? t("{card} to {pile}", { card: top(lift[0]), pile: pile(first) }) : top(first);
  return move.lifts.length === 1 ? t("{card} to {pile}", { card: top(first), pile: pile(second) })
    : t("{first} with {second}", { first: top(first), second: top(second) });
}

/**
 * The same for a move as the server spells it; what is none of this table stays as it is.
 * @param {Layout} layout
 * @param {Piles} piles before the move
 * @param {string} text
 */
export function spelledMove(layout, piles, text) {
  const [move] = readMoves([text], layout);
  return move ? moveWords(layout, piles, move) : text;
}

/**
 * A move in words.
 * @param {Attempt} attempt after the move
 * @param {{move: string, steps: Step[]}} message
 * @param {Attempt} before
 * @returns {string}
 */
export function narrate(attempt, message, before) {
  const pile = pileNames(attempt.layout);
  const parts = message.move === "undo" ? [t("Undone")] : [];
  for (const step of message.steps) {
    if (step[0] === "flip") {
      const card = attempt.piles[step[1]]?.at(-1);
      if (card) parts.push(t("{card} on {pile}", { card: cardName(card), pile: pile(step[1]) }));
    } else if (step[3] === 1) {
      const card = attempt.piles[step[2]]?.at(-1) ?? before.piles[step[1]]?.at(-1);
      if (card) parts.push(t("{card} to {pile}", { card: cardName(card), pile: pile(step[2]) }));
    } else parts.push(t("{pile} turned over", { pile: pile(step[1]) }));
  }
  return sentence(...parts);
}
