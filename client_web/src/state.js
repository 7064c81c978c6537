/** The state of one attempt as this page knows it, and the pure changes that messages make to it. */

import { afterLifts, readMoves } from "./table/moves.js";

/** @typedef {import("./types.js").StateMessage} StateMessage */
/** @typedef {import("./types.js").PlayedMessage} PlayedMessage */
/** @typedef {import("./types.js").Piles} Piles */
/** @typedef {import("./table/moves.js").Move} Move */

/** @typedef {{kind: "play", move: string} | {kind: "undo"} | {kind: "resign"}} Act */
/** @typedef {{act: Act, seq: number, preview: Move | null}} Pending an act that was sent and has no answer yet */

/**
 * @typedef {object} Attempt
 * @property {string} id
 * @property {string} ruleset
 * @property {import("./types.js").ChallengeRef} challenge
 * @property {import("./types.js").Layout} layout
 * @property {string} commitment
 * @property {number} seq
 * @property {Piles} piles as the server last told
 * @property {Move[]} moves_ legal moves, preferred first
 * @property {boolean} canUndo
 * @property {number} moves
 * @property {number} progress
 * @property {import("./types.js").Over} over
 * @property {boolean | null} winnable
 * @property {boolean} doomed whether the deal could not be won from the start
 * @property {"counted" | "none" | "free" | null} undo policy, or null when not told
 * @property {boolean} ranked
 * @property {number} creditMs how long the server was away meanwhile, taken off that clock
 * @property {number} elapsedMs time on the attempt's clock at the last message
 * @property {import("./types.js").Result | null} result
 * @property {Pending | null} pending
 */

/**
 * The attempt that a snapshot describes. What was known and is not in a snapshot (the verdict on the deal) is kept.
 * @param {StateMessage} message
 * @param {Attempt | null} before
 * @returns {Attempt}
 */
export function fromState(message, before) {
  const same = before?.id === message.attempt;
  return {
    id: message.attempt,
    ruleset: message.ruleset,
    challenge: message.challenge,
    layout: message.layout,
    commitment: message.commitment,
    seq: message.seq,
    piles: allPiles(message),
    moves_: readMoves(message.legal, message.layout),
    canUndo: message.can_undo,
    moves: message.moves,
    progress: message.progress,
    over: message.over,
    winnable: message.winnable ?? (same && before.seq === message.seq ? before.winnable : null),
    doomed: message.deal_winnable === false || (message.seq === 0 ? message.winnable === false : same && before.doomed),
    undo: message.undo ?? null,
    ranked: message.ranked ?? message.challenge.kind !== "practice",
    creditMs: message.credit_ms ?? 0,
    elapsedMs: message.elapsed_ms,
    result: message.result ?? null,
    pending: null,
  };
}

/**
 * Every pile of the table, also those that a message leaves out because they are empty.
 * @param {StateMessage} message
 * @returns {Piles}
 */
function allPiles(message) {
  return Object.fromEntries(message.layout.piles.map(({ name }) => [name, message.piles[name] ?? []]));
}

/**
 * What a `played` means to this state: news to apply, old news, or news of moves that were missed.
 * @param {Attempt} attempt
 * @param {PlayedMessage} message
 * @returns {"next" | "old" | "gap"}
 */
export function freshness(attempt, message) {
  if (message.seq <= attempt.seq) return "old";
  return message.seq === attempt.seq + 1 ? "next" : "gap";
}

/**
 * The attempt after an accepted act.
 * @param {Attempt} attempt
 * @param {PlayedMessage} message
 * @returns {Attempt}
 */
export function fromPlayed(attempt, message) {
  return {
    ...attempt,
    seq: message.seq,
    piles: { ...attempt.piles, ...message.piles },
    moves_: readMoves(message.legal, attempt.layout),
    canUndo: message.can_undo,
    moves: message.moves,
    progress: message.progress,
    over: message.over,
    winnable: message.winnable,
    elapsedMs: Math.max(attempt.elapsedMs, message.at_ms),
    result: message.result ?? attempt.result,
    pending: null,
  };
}

/**
 * The attempt with an act on its way.
 * @param {Attempt} attempt
 * @param {Act} act
 * @returns {Attempt}
 */
export function withPending(attempt, act) {
  const preview = act.kind === "play" ? attempt.moves_.find((move) => move.text === act.move) ?? null : null;
  return { ...attempt, pending: { act, seq: attempt.seq, preview } };
}

/**
 * The attempt without the act that was refused: what the server last told stands again.
 * @param {Attempt} attempt
 * @returns {Attempt}
 */
export function withoutPending(attempt) {
  return { ...attempt, pending: null };
}

/**
 * The piles to draw: the server's, and on top of them what a pending move surely moves.
 * @param {Attempt} attempt
 * @returns {Piles}
 */
export function shownPiles(attempt) {
  return attempt.pending?.preview ? afterLifts(attempt.piles, attempt.pending.preview) : attempt.piles;
}

/**
 * Whether no legal move is left although the attempt is still open, so that only undo or resign remain.
 * @param {Attempt} attempt
 */
export function isStuck(attempt) {
  return attempt.over === null && attempt.moves_.length === 0 && attempt.pending === null;
}

/**
 * The text that the log keeps for an act.
 * @param {Act} act
 */
export function actText(act) {
  return act.kind === "play" ? act.move : act.kind;
}
