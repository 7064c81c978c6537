/** What stands in place of a board that has no rows, or that is not there; and the way from a board to its deal. */

import { tableOf } from "../addresses.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { link } from "./head.js";
import { weekOf } from "./place.js";

/** @typedef {import("./place.js").Place} Place */

/**
 * A board that is not there: its day or period has not begun, or there was no deal.
 * @param {Place} place
 * @param {string} today
 */
export function missing(place, today) {
  if (place.kind === "challenge") {
    return h("div", { class: "empty" }, h("p", {}, t("There is no board here: the deal has not opened yet, or there is none.")),
      h("a", { class: "button button-main", href: "/" }, t("Today’s games")));
  }
  const isDay = place.kind === "day";
  const text = !beginsAfter(place, today) ? t("There is no board here: this game had no deal then.")
    : isDay ? t("This day has not begun yet.") : t("This period has not begun yet.");
  const now = { ...place, period: isDay ? today : place.kind, at: null };
  return h("div", { class: "empty" }, h("p", {}, text),
    link(now, "now", { class: "button button-main" }, isDay ? t("Today’s board") : place.kind === "week" ? t("This week") : t("This month")));
}

/**
 * Whether a board is one of a day or period to come.
 * @param {Place} place
 * @param {string} today
 */
function beginsAfter({ kind, period }, today) {
  switch (kind) {
    case "day": return period > today;
    case "week": return period > weekOf(today);
    case "month": return period > today.slice(0, 7);
    default: return false;
  }
}

/**
 * A board without rows.
 * @param {Place} place
 */
export function nothing({ kind, period, ruleset, who }) {
  if (who === "friends") return h("p", {}, t("Nobody you follow has a result here. Follow players on their pages, and they stand here beside you."));
  if (who === "accounts") return h("p", {}, t("Nobody with an account has a result here. Accounts are still to come: so far everybody plays as a guest, and “Everybody” shows them all."));
  if (who === "bots") return h("p", {}, t("No bot has a result here. Bots are programs that play, and are always called so."));
  if (kind !== "day" && kind !== "challenge") return h("p", {}, t("No results here yet."));
  return [h("p", {}, t("Nobody has finished this deal yet.")),
    h("a", { class: "button button-main", href: tableOf({ id: period, date: kind === "day" ? period : null, ruleset }) }, t("Play it"))];
}

/**
 * From a deal's board to its table.
 * @param {import("../types.js").Challenge} deal
 */
export function toDeal(deal) {
  const { own, seed } = deal;
  const name = own?.over ? t("Result") : seed ? t("How everybody did") : own ? t("Continue") : t("Play it");
  return h("a", { class: "button button-small", href: tableOf(deal) }, name);
}
