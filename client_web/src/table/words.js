/** Results in words. */

import { list, number, ordinal } from "../format.js";
import { t } from "../i18n.js";

/**
 * The verdict in words.
 * @param {import("../types.js").Over} over
 */
export function verdict(over) {
  switch (over) {
    case "won": return t("Won");
    case "lost": return t("Not won");
    case "resigned": return t("Given up");
    case "closed": return t("Closed with its day");
    case "void": return t("Void");
    default: return t("In play");
  }
}

/**
 * A rank in words, or null where there is none. It counts those who have finished, not those who have started.
 * @param {number | null | undefined} rank
 * @param {number | null | undefined} of
 */
export function rankText(rank, of) {
  return rank && of ? t("{rank} of {total} finished", { rank: ordinal(rank), total: number(of) }) : null;
}

/**
 * How hard a deal is, in a word.
 * @param {import("../types.js").Level} level
 */
export function difficulty(level) {
  switch (level) {
    case "easy": return t("Easy");
    case "medium": return t("Medium");
    case "hard": return t("Hard");
    default: return t("Expert");
  }
}

/**
 * The undo policy in words.
 * @param {"counted" | "none" | "free"} policy
 */
export function undoPolicy(policy) {
  switch (policy) {
    case "counted": return t("Undo: unlimited; each one counts as a move.");
    case "none": return t("Undo: none.");
    default: return t("Undo: free, this is practice.");
  }
}

/**
 * The keys of a ranking in words, in their order.
 * @param {string[]} keys
 */
export function rankKeys(keys) {
  return list(keys.map(rankKey));
}

/** @param {string} key */
function rankKey(key) {
  switch (key) {
    case "time": return t("shorter time");
    case "moves": return t("fewer moves");
    case "score": return t("higher score");
    default: return key;
  }
}
