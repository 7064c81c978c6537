/** Calls of the HTTP API. What is read here can be read by everybody, with a session or without one. */

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

/** @type {() => void} */
let privately = () => undefined;

/**
 * @param {() => void} listener called when an answer was meant for one reader only, so that the server knows him
 */
export function onPrivateAnswer(listener) {
  privately = listener;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {RequestCredentials} credentials
 * @returns {Promise<{response: Response, answer: any}>}
 */
async function ask(method, path, body, credentials) {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method, credentials, cache: method === "GET" ? "no-cache" : "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { response, answer: await response.json().catch(() => null) };
  } catch {
    throw new ApiError(0, "offline");
  }
}

/**
 * One call. Readings ask the server every time, and are answered shortly where nothing has changed.
 * @template T
 * @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path under /api/v1
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export async function call(method, path, body) {
  let { response, answer } = await ask(method, path, body, "same-origin");
  if (response.status === 401 && answer?.code === "auth/invalid" && method === "GET" && !path.startsWith("/me")) {
    // The session has ended elsewhere; what everybody may read can still be read.
    ({ response, answer } = await ask(method, path, body, "omit"));
  }
  if (!response.ok) throw new ApiError(response.status, typeof answer?.code === "string" ? answer.code : "internal");
  if (response.headers.get("cache-control")?.startsWith("private")) privately();
  return answer;
}

/**
 * The dailies of a date.
 * @param {string} date YYYY-MM-DD or `today`
 * @returns {Promise<import("./types.js").Dailies>}
 */
export function dailies(date) {
  return call("GET", `/dailies/${encodeURIComponent(date)}`);
}

/**
 * @param {string} id
 * @returns {Promise<import("./types.js").Challenge>}
 */
export function challenge(id) {
  return call("GET", `/challenges/${encodeURIComponent(id)}`);
}

/**
 * Events that run, then those that open soon.
 * @returns {Promise<{events: import("./types.js").EventBody[]}>}
 */
export function events() {
  return call("GET", "/events?current=true");
}

/**
 * An event with all its deals.
 * @param {string} id
 * @returns {Promise<import("./types.js").EventBody>}
 */
export function event(id) {
  return call("GET", `/events/${encodeURIComponent(id)}`);
}

/**
 * The winning line of a deal; refused before its close.
 * @param {string} id of the challenge
 * @returns {Promise<import("./types.js").Witness>}
 */
export function witness(id) {
  return call("GET", `/challenges/${encodeURIComponent(id)}/witness`);
}

/**
 * Where an attempt was lost; `searching` while that is being found out, and refused until its deal is public.
 * @param {string} attempt
 * @returns {Promise<import("./types.js").Analysis>}
 */
export function analysis(attempt) {
  return call("GET", `/attempts/${encodeURIComponent(attempt)}/analysis`);
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
 * A page of a board: `daily/DATE/RULESET`, `challenge/ID`, `season/PERIOD/RULESET` or `records/RULESET`.
 * @template T
 * @param {string[]} board parts of its address
 * @param {Record<string, string>} query
 * @returns {Promise<T>}
 */
export function board(board, query) {
  return call("GET", `/boards/${board.map(encodeURIComponent).join("/")}?${new URLSearchParams(query)}`);
}

/**
 * A player as everybody may see him.
 * @param {string} id
 * @returns {Promise<import("./types.js").Profile>}
 */
export function profile(id) {
  return call("GET", `/players/${encodeURIComponent(id)}`);
}

/**
 * A month of a player's dailies.
 * @param {string} id
 * @param {string} month YYYY-MM
 * @returns {Promise<import("./types.js").Calendar>}
 */
export function calendar(id, month) {
  return call("GET", `/players/${encodeURIComponent(id)}/calendar/${encodeURIComponent(month)}`);
}

/**
 * How everybody did at a daily; refused while it is open to whoever has not finished it.
 * @param {string} date
 * @param {string} ruleset
 * @returns {Promise<import("./types.js").Field>}
 */
export function field(date, ruleset) {
  return call("GET", `/dailies/${encodeURIComponent(date)}/${encodeURIComponent(ruleset)}/field`);
}

/**
 * Whom the reader follows.
 * @returns {Promise<{players: import("./types.js").Player[], total: number}>}
 */
export function following() {
  return call("GET", "/me/following");
}

/**
 * A page of those who follow the reader, the latest first.
 * @param {string | null} after cursor of an earlier page
 * @returns {Promise<{players: import("./types.js").Player[], total: number, next: string | null}>}
 */
export function followers(after) {
  return call("GET", `/me/followers${after === null ? "" : `?${new URLSearchParams({ after })}`}`);
}
