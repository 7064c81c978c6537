/** Days of a calendar in words. */

import { n, t } from "../i18n.js";

/** @typedef {import("../types.js").CalendarDay} CalendarDay */

/**
 * What happened on a day.
 * @param {CalendarDay} day
 */
export function dayStateText({ state, results }) {
  switch (state) {
    case "played": {
      const won = results.filter(({ outcome }) => outcome === "won").length;
      return `${n("{count} game", "{count} games", results.length)}, ${n("{count} won", "{count} won", won)}`;
    }
    case "frozen": return t("missed, covered by a freeze");
    case "outage": return t("the server was away; nothing is missed");
    case "open": return t("still open");
    case "future": return t("still to come");
    default: return results.length ? t("not finished in time") : t("not played");
  }
}
