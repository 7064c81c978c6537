/** What a move did, in words: what moved and what was revealed. */

import { sentence } from "../format.js";
import { t } from "../i18n.js";
import { cardName, pileName } from "./names.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {import("../types.js").Step} Step */

/**
 * A move in words.
 * @param {Attempt} attempt after the move
 * @param {{move: string, steps: Step[]}} message
 * @param {Attempt} before
 * @returns {string}
 */
export function narrate(attempt, message, before) {
  const specs = new Map(attempt.layout.piles.map((spec) => [spec.name, spec]));
  /** @param {string} name */
  const pile = (name) => {
    const spec = specs.get(name);
    return spec ? pileName(spec, attempt.layout.piles.filter((one) => one.kind === spec.kind).length === 1) : name;
  };
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
