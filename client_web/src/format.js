/** Numbers, times and dates for people. Everything goes through `Intl`; nothing changes the case of a text. */

import { currentLanguage, number, t } from "./i18n.js";

export { number };

/**
 * A duration as minutes and seconds, hours where there are any: 1:42, 1:02:03. Digits stay Latin and left to right.
 * @param {number} ms
 * @param {boolean} [tenths] also tenths of a second, for results
 */
export function clock(ms, tenths = false) {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = String(whole % 60).padStart(2, "0");
  const rest = tenths ? `.${Math.floor((Math.max(0, ms) % 1000) / 100)}` : "";
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}${rest}` : `${minutes}:${seconds}${rest}`;
}

/**
 * Whether a text is a date of the calendar, written YYYY-MM-DD.
 * @param {string} text
 */
export function isDay(text) {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/**
 * A calendar date such as a daily's. The date itself is UTC, so the reader's time zone must not move it. The year is
 * told where it is not the present one.
 * @param {string} date YYYY-MM-DD
 * @param {"long" | "short" | "plain"} [style] `plain`: day and month only, in English the day first
 */
export function day(date, style = "long") {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return date;
  const elsewhen = at.getUTCFullYear() === new Date().getUTCFullYear() ? {} : /** @type {const} */ ({ year: "numeric" });
  const parts = style === "long"
    ? /** @type {const} */ ({ weekday: "long", day: "numeric", month: "long", ...elsewhen })
    : style === "plain" ? /** @type {const} */ ({ day: "numeric", month: "long", ...elsewhen })
      : /** @type {const} */ ({ day: "numeric", month: "short", year: "numeric" });
  const language = currentLanguage() === "en" && style === "plain" ? "en-GB" : currentLanguage();
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" }).format(at);
}

/**
 * A month such as that of a calendar.
 * @param {string} month YYYY-MM
 */
export function monthName(month) {
  const at = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return month;
  return new Intl.DateTimeFormat(currentLanguage(), { month: "long", year: "numeric", timeZone: "UTC" }).format(at);
}

/**
 * Two dates as a range: 23 – 29 November 2026.
 * @param {string} from YYYY-MM-DD
 * @param {string} to YYYY-MM-DD
 */
export function dayRange(from, to) {
  const [begin, end] = [from, to].map((date) => new Date(`${date}T00:00:00Z`));
  return new Intl.DateTimeFormat(currentLanguage(), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).formatRange(begin, end);
}

/**
 * Figures that keep their order from left to right within a sentence that is written from the right.
 * @param {string} figures
 */
export function ltr(figures) {
  return document.documentElement.dir === "rtl" ? `\u2066${figures}\u2069` : figures;
}

/**
 * A share of a whole in per cent.
 * @param {number} share 0 to 1
 */
export function percent(share) {
  return ltr(new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 1, numberingSystem: "latn" }).format(share));
}

/**
 * A time of day where the reader is.
 * @param {number} ms instant in milliseconds since the epoch
 */
export function localTime(ms) {
  return new Intl.DateTimeFormat(currentLanguage(), { hour: "numeric", minute: "2-digit" }).format(new Date(ms));
}

/**
 * An instant with date, where the reader is.
 * @param {number} ms instant in milliseconds since the epoch
 */
export function localInstant(ms) {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(ms));
}

/**
 * A rank as an ordinal: 12th.
 * @param {number} rank
 */
export function ordinal(rank) {
  switch (new Intl.PluralRules(currentLanguage(), { type: "ordinal" }).select(rank)) {
    case "one": return t("{rank}st", { rank: number(rank) });
    case "two": return t("{rank}nd", { rank: number(rank) });
    case "few": return t("{rank}rd", { rank: number(rank) });
    default: return t("{rank}th", { rank: number(rank) });
  }
}

/**
 * Things of which the one counts before the other, as a list of the reader's language: shorter time, fewer moves.
 * @param {string[]} things
 */
export function list(things) {
  return new Intl.ListFormat(currentLanguage(), { type: "unit", style: "short" }).format(things);
}

/**
 * Short statements in a row, with the comma of the reader's language. Empty ones are left out.
 * @param {(string | null | undefined)[]} parts
 */
export function sentence(...parts) {
  return parts.filter(Boolean).join(t(", "));
}

/**
 * The date some days before or after another, which is a date of the calendar.
 * @param {string} date YYYY-MM-DD
 * @param {number} days
 */
export function shiftDay(date, days) {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
