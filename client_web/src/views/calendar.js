/** The reader's own calendar: months of dailies with his results; past days stay open as practice. */

import { ApiError, calendar as fetchCalendar, dailies } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { clock, day, monthName, number } from "../format.js";
import { currentLanguage, n, t } from "../i18n.js";
import { announce } from "../live.js";
import { viewer } from "../session.js";
import { verdict } from "../table/words.js";
import { dayStateText } from "./days.js";
import { failure, loading } from "./parts.js";

/** @typedef {import("../types.js").Calendar} Calendar */
/** @typedef {import("../types.js").CalendarDay} CalendarDay */
/** @typedef {import("../types.js").Challenge} Challenge */

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  const { query, title } = visit;
  title(t("Calendar"));
  const page = new CalendarPage(root, visit);
  void page.open(query.get("day"), query.get("month"));
  return () => page.close();
};

class CalendarPage {
  #alive = true;
  #root;
  #visit;
  #today = "";
  /** @type {string | null} */
  #player = null;
  /** @type {Calendar | null} */
  #month = null;
  #detail = h("section", { class: "panel day-panel", "aria-labelledby": "day-title", tabindex: "-1" });
  #day = "";

  /**
   * @param {HTMLElement} root
   * @param {import("../main.js").Visit} visit
   */
  constructor(root, visit) {
    this.#root = root;
    this.#visit = visit;
  }

  /** Ends the page. */
  close() {
    this.#alive = false;
  }

  /**
   * @param {string | null} wantedDay YYYY-MM-DD
   * @param {string | null} wantedMonth YYYY-MM
   */
  async open(wantedDay, wantedMonth) {
    fill(this.#root, loading());
    try {
      const [me, today] = await Promise.all([viewer(), dailies("today")]);
      this.#today = today.date;
      this.#player = me?.id ?? null;
      const month = wantedMonth ?? wantedDay?.slice(0, 7) ?? today.date.slice(0, 7);
      await this.#load(month);
      if (this.#alive) await this.#choose(wantedDay ?? this.#likely(), false);
    } catch (error) {
      if (this.#alive) fill(this.#root, failure(error, () => void this.open(wantedDay, wantedMonth)));
    }
  }

  /** @param {string} month YYYY-MM */
  async #load(month) {
    const found = this.#player ? await fetchCalendar(this.#player, month) : emptyMonth(month, this.#today);
    if (!this.#alive) return;
    this.#month = found;
    this.#draw(found);
  }

  /** @param {Calendar} month */
  #draw(month) {
    const played = month.days.filter(({ state }) => state === "played").length;
    const first = new Date(`${month.month}-01T00:00:00Z`).getUTCDay() || 7;
    fill(this.#root, h("section", { class: "calendar-page" },
      h("div", { class: "board-head" },
        h("div", {}, h("h1", {}, t("Calendar")), h("p", { class: "lobby-date" }, this.#player ? n("{count} day played in {month}", "{count} days played in {month}", played, { month: monthName(month.month) })
          : t("Your results will stand here when you have played."))),
        h("nav", { class: "board-days", "aria-label": t("Months") },
          this.#step(month.previous, t("The month before"), "back"), h("span", { class: "board-period" }, monthName(month.month)), this.#step(month.next, t("The month after"), "next"))),
      h("div", { class: "calendar-split" },
        h("div", { class: "panel" },
          h("table", { class: "calendar" }, h("caption", { class: "visually-hidden" }, monthName(month.month)),
            h("thead", {}, h("tr", {}, weekdays().map(([short, long]) => h("th", { scope: "col" }, h("span", { "aria-hidden": "true" }, short), h("span", { class: "visually-hidden" }, long))))),
            h("tbody", {}, weeks(month.days, first).map((week) => h("tr", {}, week.map((one) => (one ? h("td", {}, this.#cell(one)) : h("td")))))))),
        this.#detail)));
  }

  /**
   * @param {string | null} month
   * @param {string} name
   * @param {"back" | "next"} picture
   */
  #step(month, name, picture) {
    if (month === null) return h("span", { class: "tool tool-off", "aria-hidden": "true" }, icon(picture));
    const go = async () => {
      try {
        await this.#load(month);
        if (!this.#alive) return;
        await this.#choose(this.#likely(), false);
        if (!this.#alive) return;
        announce(monthName(month));
        /** @type {HTMLElement | null} */ (this.#root.querySelector(`[data-step="${picture}"]`) ?? this.#root.querySelector("h1"))?.focus();
      } catch (error) {
        if (this.#alive) fill(this.#root, failure(error, () => void this.open(null, month)));
      }
    };
    return h("button", { type: "button", class: "tool", title: name, "data-step": picture, onclick: () => void go() }, icon(picture), h("span", { class: "visually-hidden" }, name));
  }

  /** The day of the month that a reader most likely wants: today, or the last one that he has played. */
  #likely() {
    const days = this.#month?.days ?? [];
    return (days.find(({ date }) => date === this.#today) ?? days.findLast(({ state }) => state === "played"))?.date ?? null;
  }

  /** @param {CalendarDay} one */
  #cell(one) {
    const number_ = number(Number(one.date.slice(-2)));
    const marks = one.results.map(({ outcome }) => h("span", { class: outcome === "won" ? "dot dot-won" : "dot" }));
    return h("button", {
      type: "button", class: "day", "data-date": one.date, "data-state": one.state, disabled: one.state === "future",
      "aria-pressed": String(one.date === this.#day), "aria-current": one.date === this.#today ? "date" : null,
      "aria-label": `${day(one.date)}: ${dayStateText(one)}`, onclick: () => void this.#choose(one.date, true),
    }, h("span", { class: "day-number" }, number_), h("span", { class: "dots" }, one.state === "frozen" ? icon("flake") : marks));
  }

  /**
   * Shows a day's deals.
   * @param {string | null} date null for none
   * @param {boolean} asked whether the reader asked for it
   */
  async #choose(date, asked) {
    this.#day = date ?? "";
    const query = new URLSearchParams(date ? { day: date } : { month: this.#month?.month ?? "" });
    this.#visit.replace(`${this.#visit.path}?${query}`);
    for (const cell of this.#root.querySelectorAll(".day")) cell.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (cell).dataset.date === date));
    const found = this.#month?.days.find((one) => one.date === date);
    if (!date || !found) {
      fill(this.#detail, h("h2", { id: "day-title" }, t("Choose a day")), h("p", { class: "small" }, t("Its deals stand here then, and past ones can be practised.")));
      return;
    }
    /** @type {Challenge[]} */
    let deals = [];
    try {
      deals = (await dailies(date)).dailies;
    } catch (error) {
      // A day on which nothing was dealt is a day like any other.
      if (!(error instanceof ApiError) || error.status === 0) {
        if (this.#alive && this.#day === date) fill(this.#detail, failure(error, () => void this.#choose(date, asked)));
        return;
      }
    }
    if (!this.#alive || this.#day !== date) return;
    fill(this.#detail, h("h2", { id: "day-title" }, day(date)),
      h("p", { class: "small" }, dayStateText(found)),
      deals.length ? h("ul", { class: "day-deals" }, deals.map((deal) => dealLine(deal, found))) : h("p", {}, t("There were no deals on this day.")));
    if (!asked) return;
    announce(`${day(date)}: ${dayStateText(found)}`);
    this.#detail.scrollIntoView({ block: "nearest" });
  }
}

/**
 * A deal of a day: one's own result, and what can be done with it.
 * @param {Challenge} deal
 * @param {CalendarDay} found
 */
function dealLine(deal, found) {
  const own = found.results.find(({ ruleset }) => ruleset === deal.ruleset);
  const closed = typeof deal.seed === "string";
  const board = `/boards/daily/${deal.date}/${encodeURIComponent(deal.ruleset)}`;
  const over = /** @type {import("../types.js").Over} */ (own?.outcome ?? null);
  return h("li", { class: "day-deal" },
    h("div", { class: "day-deal-text" }, h("a", { class: "day-deal-name", href: board }, t(deal.title)),
      own ? h("p", { class: "daily-state" }, h("span", { class: over === "won" ? "chip chip-won" : "chip" }, verdict(over)),
        h("bdi", { class: "small", dir: "ltr" }, over === "won" ? clock(own.time_ms, true) : `${number(own.progress)} / ${number(own.maximum)}`),
        own.points === null ? null : h("span", { class: "small" }, n("{count} point", "{count} points", own.points)))
        : h("p", { class: "small" }, deal.own && deal.own.over === null ? t("In play") : t("not played"))),
    closed ? h("a", { class: "button button-small", href: `/practice/${encodeURIComponent(deal.ruleset)}?challenge=${encodeURIComponent(deal.id)}` }, t("Practise"))
      : h("a", { class: "button button-small", href: `/daily/${deal.date}/${encodeURIComponent(deal.ruleset)}` }, own ? t("Result") : t("Play")));
}

/**
 * A month of somebody who has not played yet.
 * @param {string} month YYYY-MM
 * @param {string} today YYYY-MM-DD
 * @returns {Calendar}
 */
function emptyMonth(month, today) {
  const at = new Date(`${month}-01T00:00:00Z`);
  /** @param {number} months */
  const other = (months) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
  const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return {
    player: { id: "", name: "", kind: "guest" }, month, previous: month > "2020-01" ? other(-1) : null, next: other(1) <= today.slice(0, 7) ? other(1) : null,
    days: Array.from({ length }, (_, index) => {
      const date = `${month}-${String(index + 1).padStart(2, "0")}`;
      return { date, state: date > today ? "future" : date === today ? "open" : "missed", results: [] };
    }),
  };
}

/** Names of the days of a week from Monday, short and long. */
function weekdays() {
  const style = (/** @type {"short" | "long"} */ weekday) => new Intl.DateTimeFormat(currentLanguage(), { weekday, timeZone: "UTC" });
  const [short, long] = [style("short"), style("long")];
  // 2024-01-01 was a Monday.
  return Array.from({ length: 7 }, (_, at) => new Date(Date.UTC(2024, 0, 1 + at))).map((date) => [short.format(date), long.format(date)]);
}

/**
 * Days in rows of a week from Monday, with gaps where the month has not begun or has ended.
 * @param {CalendarDay[]} days
 * @param {number} first weekday of the first day, 1 for Monday
 */
function weeks(days, first) {
  /** @type {(CalendarDay | null)[]} */
  const cells = [...Array.from({ length: first - 1 }, () => null), ...days];
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, at) => cells.slice(at * 7, at * 7 + 7));
}
