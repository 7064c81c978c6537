/** The admin's words: refusals, levels, states, sources, roles. */

import { ApiError } from "../../api.js";
import { t } from "../../i18n.js";
import { refusal } from "../../table/names.js";

/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Level} Level */

/** @type {Level[]} */
export const LEVELS = ["easy", "medium", "hard", "expert"];

/** @param {Level | string | null} level */
export function levelName(level) {
  switch (level) {
    case "easy": return t("easy");
    case "medium": return t("medium");
    case "hard": return t("hard");
    case "expert": return t("expert");
    default: return t("not known");
  }
}

/** @param {Cell} cell */
export function stateName(cell) {
  if (cell.void) return t("void");
  switch (cell.state) {
    case "closed": return t("closed");
    case "running": return t("running");
    case "published": return t("published: its commitment is out");
    default: return t("coming");
  }
}

/** @param {Cell["source"]} source */
export function sourceName(source) {
  switch (source) {
    case "difficulty": return t("planned difficulty");
    case "deal": return t("a chosen deal of the stock");
    case "seed": return t("an imported seed");
    default: return t("rule of weekdays");
  }
}

/** @param {string} role */
export function roleName(role) {
  switch (role) {
    case "owner": return t("owner");
    case "seeder": return t("seeder");
    case "moderator": return t("moderator");
    default: return t("auditor");
  }
}

/**
 * Why something was refused.
 * @param {string} code
 */
export function adminRefusal(code) {
  switch (code) {
    case "offline": return t("The server cannot be reached.");
    case "auth/required":
    case "auth/invalid": return t("Your session as an admin has ended. Please sign in again.");
    case "auth/forbidden": return t("Your role may not do that.");
    case "admin/exists": return t("An admin has, or had, this name.");
    case "admin/last_owner": return t("One owner must remain.");
    case "admin/unbound": return t("First name the player as whom you play.");
    case "admin/reason": return t("A reason of 1 to 500 characters is needed.");
    case "admin/dates": return t("These dates do not fit.");
    case "name/invalid": return t("A name of an admin has 1 to 40 letters, digits, dots, dashes or underscores.");
    case "calendar/stale": return t("Somebody has changed this day in the meantime, so nothing of yours was saved. The calendar shows how it stands now.");
    case "calendar/locked": return t("Only coming days can be planned, and not once their deal is published.");
    case "calendar/taken": return t("Something is planned there already.");
    case "challenge/void": return t("This is void already.");
    case "challenge/closed": return t("That day has begun or has closed.");
    case "deal/none": return t("There is no such deal: none is chosen there, or none of this kind is in stock. Search for deals first.");
    case "deal/used": return t("That seed or deal was used before.");
    case "deal/unknown": return t("There is no such deal in stock.");
    case "seed/invalid": return t("A seed has 32 characters, 0 to 9 and a to f.");
    case "event/opened": return t("The event has opened, or was called off.");
    case "event/invalid": return t("Name, times or deals of the event do not fit: it opens from now on, and ends after it opens.");
    case "event/unknown": return t("There is no such event.");
    case "attempt/over": return t("This attempt does not count any more.");
    case "job/busy": return t("A search is running already. Wait for it, or cancel it.");
    case "job/unknown": return t("There is no such search.");
    case "not_found": return t("There is nobody of that name.");
    case "protocol/malformed": return t("Something in the form is missing or has the wrong shape.");
    default: return refusal(code);
  }
}

/**
 * Why a call failed.
 * @param {unknown} error
 */
export function why(error) {
  return adminRefusal(error instanceof ApiError ? error.code : "internal");
}
