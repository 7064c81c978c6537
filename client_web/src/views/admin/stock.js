/** How much certified stock there is, and the alarm where it will not last. */

import { h, icon } from "../../dom.js";
import { list, number } from "../../format.js";
import { n, t } from "../../i18n.js";
import { LEVELS, levelName } from "./words.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").Stock} Stock */

/** @returns {Promise<Stock>} */
export function fetchStock() {
  return ask("GET", "/stock");
}

/**
 * For how many days the stock of a game lasts.
 * @param {Stock | null} stock
 * @param {string} key
 */
export function stockSign(stock, key) {
  const row = stock?.rulesets.find(({ ruleset }) => ruleset === key);
  if (!stock || !row || row.days === null) return null;
  const levels = list(LEVELS.map((level) => `${levelName(level)} ${number(row.levels[level] ?? 0)}`));
  return h("span", { class: "plan-stock", "data-low": row.days < stock.few_days || null, title: levels },
    n("stock for {count} day", "stock for {count} days", row.days));
}

/**
 * The alarm: games whose stock will be gone within a week.
 * @param {Stock | null} stock
 * @param {boolean} [link] whether to lead to the search
 */
export function stockNote(stock, link = true) {
  const low = stock?.rulesets.filter(({ days }) => days !== null && days < stock.few_days) ?? [];
  if (!stock || !low.length) return null;
  return h("div", { class: "message stock-alarm", "data-kind": "bad" }, icon("flag"),
    h("p", {}, n("Stock for fewer than {count} day:", "Stock for fewer than {count} days:", stock.few_days), " ", h("span", { class: "chips" }, low.map(({ title }) => h("span", { class: "chip" }, t(title)))), " ",
      h("span", { class: "stock-more" }, t("Days without stock are solved on the spot, which may find an easier or harder deal."))),
    link ? h("a", { class: "button button-small", href: "/admin/deals" }, t("Search for deals")) : null);
}
