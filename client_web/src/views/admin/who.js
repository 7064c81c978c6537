/**
 * Who is signed in as an admin, and calls in his name. What a role may do is decided on the server; what is known of it
 * here only spares offering in vain. The session's cookie cannot be seen, so a mark in local storage remembers it.
 */

import { ApiError, call } from "../../api.js";

/** @typedef {import("./types.js").Me} Me */

const KEY = "samedeal.admin";

/** @type {Me | null} */
let me = null;
/** @type {() => void} */
let ended = () => undefined;

function marked() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** @param {Me | null} found */
function remember(found) {
  me = found;
  try {
    if (found) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the server is asked at every visit.
  }
  return found;
}

/** @param {() => void} listener called when the session turns out to have ended */
export function onEnded(listener) {
  ended = listener;
}

/**
 * A call of the admin's API. Where the session has ended, the page asks to sign in again.
 * @template T
 * @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path under /api/v1/admin
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export async function ask(method, path, body) {
  try {
    return await call(method, `/admin${path}`, body);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && me) {
      remember(null);
      ended();
    }
    throw error;
  }
}

/** @returns {Promise<Me | null>} */
export async function whoIsHere() {
  if (me || !marked()) return me;
  try {
    return remember(await call("GET", "/admin/session"));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return remember(null);
  }
}

/** @param {string} token */
export async function signIn(token) {
  return remember(await call("POST", "/admin/session", { token }));
}

export async function signOut() {
  try {
    await call("DELETE", "/admin/session");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  remember(null);
}

/** Names the player of this browser as the one as whom the admin plays. */
export async function bindPlayer() {
  return remember(await ask("PUT", "/session/player", {}));
}
