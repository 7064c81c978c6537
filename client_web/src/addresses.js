/** Addresses of pages that stand in many places: of a deal's board and of its table. */

/**
 * A deal by what names it: the date of a daily, the id of any other challenge.
 * @typedef {{id: string, date?: string | null, ruleset: string}} Named
 */

/**
 * Where a deal's board stands.
 * @param {Named} deal
 */
export function boardOf({ id, date, ruleset }) {
  return date ? `/boards/daily/${date}/${encodeURIComponent(ruleset)}` : `/boards/challenge/${encodeURIComponent(id)}`;
}

/**
 * Where a deal is played.
 * @param {Named} deal
 */
export function tableOf({ id, date, ruleset }) {
  return date ? `/daily/${date}/${encodeURIComponent(ruleset)}` : `/challenge/${encodeURIComponent(id)}`;
}
