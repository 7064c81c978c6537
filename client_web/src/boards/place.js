/** Which board is shown, read from the address and written back into it, so that every view of a board is a link. */

import { isDay } from "../format.js";

/** @typedef {"day" | "challenge" | "week" | "month" | "all" | "records"} Kind */
/** @typedef {"all" | "accounts" | "bots" | "friends"} Who */

/**
 * @typedef {object} Place
 * @property {Kind} kind
 * @property {string} period a date, the id of a challenge, `today` or `tomorrow`, a week 2026-W49, a month 2026-11, `week` or `month` for the running one; empty elsewhere
 * @property {string} ruleset of a challenge it is not in the address
 * @property {string} by order: main or moves of a deal, time or moves among records; empty elsewhere
 * @property {Who} who
 * @property {{side: "after" | "before" | "around", cursor: string} | null} at null: the top of the board
 */

const SIDES = /** @type {const} */ (["after", "before", "around"]);

/**
 * The board of an address, or null where it names none.
 * @param {string} path
 * @param {URLSearchParams} query
 * @returns {Place | null}
 */
export function readPlace(path, query) {
  const [kind, ...rest] = path.split("/").filter(Boolean).slice(1).map(decodeURIComponent);
  const wanted = query.get("who");
  const who = query.get("friends") === "1" ? "friends" : wanted === "accounts" || wanted === "bots" ? wanted : "all";
  const side = SIDES.find((one) => query.get(one));
  const at = side ? { side, cursor: query.get(side) ?? "" } : null;
  const moves = query.get("by") === "moves";
  if (kind === "records" && rest.length === 1) {
    return { kind, period: "", ruleset: rest[0], by: moves ? "moves" : "time", who, at };
  }
  if (kind === "challenge" && rest.length === 1) return { kind, period: rest[0], ruleset: "", by: moves ? "moves" : "main", who, at };
  if (rest.length !== 2) return null;
  const [period, ruleset] = rest;
  if (kind === "daily" && !isDay(period) && period !== "today" && period !== "tomorrow") return null;
  if (kind === "daily") return { kind: "day", period, ruleset, by: moves ? "moves" : "main", who, at };
  if (kind !== "season") return null;
  const season = period === "all" ? "all" : period === "week" || period.includes("W") ? "week" : "month";
  return { kind: season, period, ruleset, by: "", who, at };
}

/**
 * The parts of a board's address, on a page and in the interface for programs alike.
 * @param {Place} place
 */
export function partsOf({ kind, period, ruleset }) {
  if (kind === "records") return ["records", ruleset];
  if (kind === "challenge") return ["challenge", period];
  return kind === "day" ? ["daily", period, ruleset] : ["season", kind === "all" ? "all" : period, ruleset];
}

/**
 * What the address says about order, filter and place on the board; what goes without saying is left out.
 * @param {Place} place
 * @returns {Record<string, string>}
 */
export function queryOf({ by, who, at }) {
  return {
    ...(by === "moves" ? { by } : {}),
    ...(who === "friends" ? { friends: "1" } : who === "all" ? {} : { who }),
    ...(at ? { [at.side]: at.cursor } : {}),
  };
}

/** @param {Place} place */
export function addressOf(place) {
  const query = new URLSearchParams(queryOf(place)).toString();
  return `/boards/${partsOf(place).map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/**
 * The address of a file with the whole board.
 * @param {Place} place
 * @param {"csv" | "ndjson"} format
 */
export function exportOf(place, format) {
  const query = new URLSearchParams({ format, ...queryOf({ ...place, at: null }) });
  return `/api/v1/boards/${partsOf(place).map(encodeURIComponent).join("/")}/export?${query}`;
}

/**
 * The ISO week of a date: Monday to Sunday, named by the year in which its Thursday lies.
 * @param {string} date YYYY-MM-DD
 */
export function weekOf(date) {
  const thursday = new Date(`${date}T00:00:00Z`);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const dayOfYear = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000;
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, "0")}`;
}
