/** What stands over a board: its name, the kinds of boards, the way to other days, weeks and months, order and filter. */

import { h, icon } from "../dom.js";
import { day, dayRange, monthName, number, shiftDay } from "../format.js";
import { t } from "../i18n.js";
import { addressOf, weekOf } from "./place.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("../types.js").RulesetInfo} RulesetInfo */

/**
 * What is known besides the address.
 * @typedef {object} Known
 * @property {string} today the server's date, YYYY-MM-DD
 * @property {RulesetInfo[]} games
 * @property {import("../types.js").SeasonAbout | null} season
 * @property {import("../types.js").EventBody | null} event that the challenge of the board belongs to
 */

/** @param {Place} place @param {Known} known */
export function gameTitle(place, known) {
  const title = known.games.find((one) => one.key === place.ruleset)?.title ?? place.ruleset;
  return t(title);
}

/**
 * The period in words.
 * @param {Place} place
 * @param {Known} known
 */
export function periodText(place, { season, event }) {
  switch (place.kind) {
    case "challenge": return event?.name ?? t("Challenge");
    case "day": return day(place.period);
    case "records": return t("Records of all time");
    case "all": return t("All time");
    case "month": return place.period === "month" ? t("This month") : monthName(place.period);
    default: {
      if (place.period === "week") return t("This week");
      const week = t("Week {number}", { number: number(Number(place.period.slice(-2))) });
      return season?.begins && season.ends ? `${week}: ${dayRange(season.begins, season.ends)}` : week;
    }
  }
}

/**
 * A day in the middle of what is shown, from which other kinds of boards start.
 * @param {Place} place
 * @param {Known} known
 */
function anchor(place, { today, season }) {
  if (place.kind === "day") return place.period;
  return season?.ends && season.ends < today ? season.ends : today;
}

/**
 * The kinds of boards.
 * @param {Place} place
 * @param {Known} known
 */
export function tabs(place, known) {
  if (place.kind === "challenge") return null;
  const date = anchor(place, known);
  const { ruleset, who } = place;
  /** @type {[import("./place.js").Kind, string, string, string][]} */
  const kinds = [
    ["day", t("Day"), date, "main"], ["week", t("Week"), weekOf(date), ""], ["month", t("Month"), date.slice(0, 7), ""],
    ["all", t("All time"), "all", ""], ["records", t("Records"), "", "time"],
  ];
  return h("nav", { class: "tabs", "aria-label": t("Kinds of boards") }, kinds.map(([kind, name, period, by]) =>
    link({ kind, period, ruleset, by, who, at: null }, `tab-${kind}`, { "aria-current": kind === place.kind ? "page" : null }, name)));
}

/**
 * The way to the periods before and after.
 * @param {Place} place
 * @param {Known} known
 * @param {(place: Place, step?: string) => void} go
 */
export function stepper(place, known, go) {
  if (place.kind === "all" || place.kind === "records" || place.kind === "challenge") return null;
  const { season, today } = known;
  const isDay = place.kind === "day";
  const before = isDay ? shiftDay(place.period, -1) : season?.previous_period ?? null;
  const after = !isDay ? season?.next_period ?? null : place.period < today ? shiftDay(place.period, 1) : null;
  const names = isDay ? [t("The day before"), t("The day after")]
    : place.kind === "week" ? [t("The week before"), t("The week after")] : [t("The month before"), t("The month after")];
  /** @param {string | null} period @param {string} name @param {"back" | "next"} picture */
  const step = (period, name, picture) => {
    const inside = [icon(picture), h("span", { class: "visually-hidden" }, name)];
    return period === null ? h("span", { class: "tool tool-off", "aria-hidden": "true" }, icon(picture))
      : link({ ...place, period, at: null }, `step-${picture}`, { class: "tool", title: name }, inside);
  };
  return h("nav", { class: "board-days", "aria-label": t("Periods") },
    step(before, names[0], "back"), isDay ? dateField(place, today, go) : h("span", { class: "board-period" }, place.kind === "week" ? h("bdi", { dir: "ltr" }, place.period) : monthName(place.period)),
    step(after, names[1], "next"));
}

/**
 * The field for a day. A day that is picked is shown at once; one that is typed passes through many others on its way,
 * and is shown when it is done: with Enter, or when the keyboard goes on to something else.
 * @param {Place} place
 * @param {string} today
 * @param {(place: Place) => void} go
 */
function dateField(place, today, go) {
  const date = h("input", {
    type: "date", value: place.period, max: today, enterkeyhint: "go", "aria-label": t("Day of the board"), "data-keep": "date",
    title: t("Enter shows the day that was typed."),
  });
  let typing = false;
  let tabbing = false;
  const show = () => {
    typing = false;
    if (!date.value) date.value = place.period;
    else if (date.value !== place.period) go({ ...place, period: date.value, at: null });
  };
  date.addEventListener("keydown", ({ key }) => {
    tabbing = key === "Tab";
    if (key === "Enter") show();
    else if (key !== "Tab" && key !== "Shift") typing = true;
  });
  date.addEventListener("pointerdown", () => { typing = false; });
  date.addEventListener("change", () => {
    if (!typing) show();
  });
  date.addEventListener("blur", ({ relatedTarget }) => {
    if (!typing || !document.hasFocus()) return;
    // Whoever presses something else with the pointer wants that, and not a page that changes under his finger.
    const done = tabbing || relatedTarget === null;
    if (!done) date.value = place.period;
    // A field that has gone with its page is left too: whoever went back has not asked for the day he began to type.
    else queueMicrotask(() => date.isConnected && show());
  });
  return date;
}

/**
 * The choice of the game. With arrow keys it passes through others on its way, which leave no trace in the history.
 * @param {Place} place
 * @param {Known} known
 * @param {(place: Place, step?: string) => void} go
 */
export function gameChoice(place, { games }, go) {
  if (place.kind === "challenge") return null;
  const select = h("select", { class: "board-game", "aria-label": t("Game"), "data-keep": "game" },
    games.map(({ key, title }) => h("option", { value: key, selected: key === place.ruleset }, t(title))));
  select.addEventListener("change", () => go({ ...place, ruleset: select.value, at: null }, "game"));
  return select;
}

/**
 * Order and filter.
 * @param {Place} place
 * @param {Known} known
 */
export function filters(place, known) {
  const rankings = known.games.find((one) => one.key === place.ruleset)?.rankings ?? {};
  const oneOrder = JSON.stringify(rankings.main) === JSON.stringify(rankings.moves);
  /** @type {[string, string][]} */
  const orders = place.kind === "records" ? [["time", t("Fastest")], ["moves", t("Fewest moves")]]
    : (place.kind === "day" || place.kind === "challenge") && !oneOrder ? [["main", t("Main ranking")], ["moves", t("Fewest moves")]] : [];
  /** @type {[import("./place.js").Who, string][]} */
  const groups = [["all", t("Everybody")], ["accounts", t("Accounts")], ["friends", t("Friends")], ["bots", t("Bots")]];
  return h("div", { class: "board-filters" },
    orders.length ? segments(t("Order"), orders.map(([by, name]) => link({ ...place, by, at: null }, `by-${by}`, { "aria-current": by === place.by ? "true" : null }, name))) : null,
    segments(t("Who is shown"), groups.map(([who, name]) => link({ ...place, who, at: null }, `who-${who}`, { "aria-current": who === place.who ? "true" : null }, name))));
}

/**
 * @param {string} name
 * @param {HTMLElement[]} links
 */
function segments(name, links) {
  return h("nav", { class: "segments", "aria-label": name }, links);
}

/**
 * A link to another view of the boards. It is followed without leaving the page, and keeps the focus.
 * @param {Place} place
 * @param {string} keep name under which the focus finds it again
 * @param {Record<string, unknown>} attributes
 * @param {import("../dom.js").Child[]} content
 */
export function link(place, keep, attributes, ...content) {
  return h("a", { href: addressOf(place), "data-soft": true, "data-keep": keep, ...attributes }, ...content);
}
