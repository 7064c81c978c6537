/** Calls of the HTTP API. Who has no session yet becomes a guest with the first call that needs one. */

/** @typedef {import("./types.js").Player} Player */

/** A refusal of the server with its code, or `offline` where it could not be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when the server was not reached
   * @param {string} code
   */
  constructor(status, code) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/**
 * One call.
 * @template T
 * @param {"GET" | "POST" | "PATCH"} method
 * @param {string} path under /api/v1
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
async function call(method, path, body) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method, credentials: "same-origin", cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new ApiError(0, "offline");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, typeof answer?.code === "string" ? answer.code : "internal");
  return answer;
}

/** @type {Promise<Player> | null} */
let me = null;
/** @type {Set<(player: Player) => void>} */
const listeners = new Set();

/**
 * @param {(player: Player) => void} listener called when the player has changed his name
 * @returns {() => void} ends the listening
 */
export function onPlayer(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The player of this browser; a guest is made when there is none yet.
 * @returns {Promise<Player>}
 */
export function player() {
  me ??= findPlayer().catch((error) => {
    me = null;
    throw error;
  });
  return me;
}

/** @returns {Promise<Player>} */
async function findPlayer() {
  try {
    return (await call("GET", "/me")).player;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return (await call("POST", "/guests", {})).player;
  }
}

/** Forgets the player, so that the next call finds or makes one: the session has ended elsewhere. */
export function forgetPlayer() {
  me = null;
}

/**
 * Changes the player's name.
 * @param {string} name
 * @returns {Promise<Player>}
 */
export async function rename(name) {
  await player();
  const changed = (await call("PATCH", "/me", { name })).player;
  me = Promise.resolve(changed);
  for (const listener of listeners) listener(changed);
  return changed;
}

/**
 * The dailies of a date.
 * @param {string} date YYYY-MM-DD or `today`
 * @returns {Promise<import("./types.js").Dailies>}
 */
export async function dailies(date) {
  await player();
  return call("GET", `/dailies/${encodeURIComponent(date)}`);
}

/**
 * @param {string} id
 * @returns {Promise<import("./types.js").Challenge>}
 */
export async function challenge(id) {
  await player();
  return call("GET", `/challenges/${encodeURIComponent(id)}`);
}

/** @type {Promise<import("./types.js").RulesetInfo[]> | null} */
let allRulesets = null;

/**
 * Every game that the server knows; asked for once.
 * @returns {Promise<import("./types.js").RulesetInfo[]>}
 */
export function rulesets() {
  allRulesets ??= call("GET", "/rulesets").then((answer) => answer.rulesets).catch((error) => {
    allRulesets = null;
    throw error;
  });
  return allRulesets;
}

/**
 * A page of the board of a daily.
 * @param {string} date
 * @param {string} ruleset
 * @param {Record<string, string>} query
 * @returns {Promise<import("./types.js").Board>}
 */
export async function board(date, ruleset, query) {
  await player();
  return call("GET", `/boards/daily/${encodeURIComponent(date)}/${encodeURIComponent(ruleset)}?${new URLSearchParams(query)}`);
}
