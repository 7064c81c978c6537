/**
 * Who reads here. Looking at things makes nobody a player: a guest is made when somebody first plays, renames or follows.
 * The session's cookie cannot be seen from here, so a mark in local storage remembers that there is one, and who has no
 * mark is not asked for on the server.
 */

import { ApiError, call, onPrivateAnswer } from "./api.js";

/** @typedef {import("./types.js").Player} Player */

const KEY = "samedeal.session";

/** @type {Promise<Player> | null} */
let me = null;
/** @type {Set<(player: Player) => void>} */
const listeners = new Set();

/** Whether this browser has been somebody. Where storage is forbidden only the server knows, and is asked. */
function marked() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** @param {boolean} present */
function mark(present) {
  try {
    if (present) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the server is asked at every visit.
  }
}

// A browser may clear its storage and keep the cookie: an answer meant for one reader shows that he is known.
onPrivateAnswer(() => mark(true));

/** @returns {Promise<Player | null>} the player of the session, null where there is none */
async function ofSession() {
  try {
    const { player: found } = await call("GET", "/me");
    mark(true);
    return found;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    mark(false);
    return null;
  }
}

/** @param {Player} player */
function tell(player) {
  for (const listener of listeners) listener(player);
  return player;
}

/**
 * The player of this browser, or null for a visitor; makes nobody.
 * @returns {Promise<Player | null>}
 */
export async function viewer() {
  if (me) return me;
  if (!marked()) return null;
  const found = await ofSession();
  if (found) me ??= Promise.resolve(tell(found));
  return found;
}

/** @returns {Promise<Player>} */
async function findOrMake() {
  const found = await ofSession();
  if (found) return tell(found);
  const { player: made } = await call("POST", "/guests", {});
  mark(true);
  return tell(made);
}

/**
 * The player of this browser; a guest is made when there is none yet.
 * @returns {Promise<Player>}
 */
export function player() {
  me ??= findOrMake().catch((error) => {
    me = null;
    throw error;
  });
  return me;
}

/** Forgets the player, so that the next call finds or makes one: the session has ended elsewhere. */
export function forgetPlayer() {
  me = null;
}

/**
 * @param {(player: Player) => void} listener called whenever this browser has become somebody, or has another name
 * @returns {() => void} ends the listening
 */
export function onPlayer(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
  return tell(changed);
}

/**
 * Follows a player, or ends that.
 * @param {string} id
 * @param {boolean} wanted
 * @returns {Promise<{player: Player, followed: boolean, followers: number}>}
 */
export async function follow(id, wanted) {
  await player();
  return call(wanted ? "PUT" : "DELETE", `/me/following/${encodeURIComponent(id)}`);
}
