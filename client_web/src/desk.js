/**
 * One attempt over the socket: starts or resumes it, sends acts one at a time, keeps those that were asked for ahead, and
 * holds what the server last told. It draws nothing.
 */

import { ServerClock } from "./clock.js";
import { messageId, Socket } from "./socket.js";
import { actText, freshness, fromPlayed, fromState, withoutPending, withPending } from "./state.js";

/** @typedef {import("./state.js").Act} Act */
/** @typedef {import("./state.js").Attempt} Attempt */
/** @typedef {import("./types.js").PlayedMessage} PlayedMessage */
/** @typedef {import("./types.js").ServerMessage} ServerMessage */

/** @typedef {{t: "start", challenge: string} | {t: "practice", ruleset: string, seed?: string} | {t: "practice", challenge: string} | {t: "practice", from: {attempt: string, seq: number}} | {t: "sync", attempt: string}} Opening */

/**
 * @typedef {object} DeskListener
 * @property {(attempt: Attempt, played: {message: PlayedMessage, before: Attempt, own: boolean} | null) => void} changed
 * @property {(code: string, act: Act) => void} refused
 * @property {(move: string) => void} hinted the next move of a winning line, for the position that is shown
 * @property {(code: string, reason: string | undefined) => void} unhinted there is no hint
 * @property {(code: string) => void} failed the attempt could not be opened
 * @property {(connected: boolean, retryInMs: number) => void} connection
 */

/** An act asked for ahead: what to do is decided when its turn comes. `pile` is where the player touched. */
/** @typedef {{pile: string | null, decide: (attempt: Attempt) => Act | null}} Ahead */

export class Desk {
  /** @type {Attempt | null} */
  attempt = null;
  clock = new ServerClock();
  /** @type {Ahead[]} */
  #ahead = [];
  /** Server instant at which the attempt's clock stood at zero. */
  #startedAt = 0;
  #opening;
  #listener;
  #socket;
  #openId = "";
  #actId = "";
  /** The id of the hint that is waited for, empty for none. */
  #hintId = "";
  /** The position for which a hint is waited for. */
  #hintSeq = 0;
  /** The piles of this game as they have been seen here, by their point in it. @type {Map<number, import("./types.js").Piles>} */
  #seen = new Map();
  #syncing = false;

  /**
   * @param {Opening} opening
   * @param {DeskListener} listener
   */
  constructor(opening, listener) {
    this.#opening = opening;
    this.#listener = listener;
    this.#socket = new Socket(this.clock, {
      up: () => {
        this.#listener.connection(true, 0);
        this.#open();
      },
      down: (retryIn) => this.#listener.connection(false, retryIn),
      message: (message) => this.#take(message),
      ping: () => this.#listener.connection(true, 0),
    });
  }

  /** Ends the connection. */
  close() {
    this.#socket.close();
  }

  /** Tries to reach the server again at once. */
  retry() {
    this.#socket.retry();
  }

  /** Whether the server can be reached now. */
  get connected() {
    return this.#socket.ready;
  }

  /** Piles touched ahead, whose turn has not come. */
  get waiting() {
    return new Set(this.#ahead.flatMap(({ pile }) => (pile === null ? [] : [pile])));
  }

  /** Time on the attempt's clock in milliseconds, by the server's time. */
  elapsed() {
    const { attempt } = this;
    if (!attempt) return 0;
    if (attempt.over !== null) return attempt.result?.time_ms ?? attempt.elapsedMs;
    return Math.max(attempt.elapsedMs, this.clock.now() - this.#startedAt);
  }

  /**
   * Does something as soon as everything before it has been answered.
   * @param {(attempt: Attempt) => Act | null} decide gives the act, or null for none
   * @param {string | null} [pile] where the player touched
   */
  ask(decide, pile = null) {
    if (!this.attempt) return;
    this.#ahead.push({ pile, decide });
    this.#next();
  }

  /** Asks for the next move of a winning line from the position that is shown. */
  hint() {
    const { attempt } = this;
    if (!attempt || attempt.over !== null || attempt.pending || this.#hintId) return;
    this.#hintId = messageId();
    this.#hintSeq = attempt.seq;
    if (!this.#socket.send({ t: "hint", id: this.#hintId, attempt: attempt.id })) this.#hintId = "";
  }

  /**
   * The piles at a point of this game, where it was seen on this page; otherwise none.
   * @param {number} seq entries of the log before it
   * @returns {import("./types.js").Piles}
   */
  pilesAt(seq) {
    return this.#seen.get(seq) ?? {};
  }

  /** Forgets what was asked for ahead. */
  forget() {
    this.#ahead = [];
  }

  #next() {
    while (this.attempt && !this.attempt.pending && this.#ahead.length) {
      const act = /** @type {Ahead} */ (this.#ahead.shift()).decide(this.attempt);
      if (act) this.#send(act);
    }
    if (this.attempt) this.#listener.changed(this.attempt, null);
  }

  /** @param {Act} act */
  #send(act) {
    const attempt = withPending(/** @type {Attempt} */ (this.attempt), act);
    this.attempt = attempt;
    this.#transmit();
  }

  /** Sends the pending act. Without a connection it waits: after the next snapshot it is sent with the same number. */
  #transmit() {
    const attempt = /** @type {Attempt} */ (this.attempt);
    const pending = attempt.pending;
    if (!pending) return;
    this.#actId = messageId();
    const { act, seq } = pending;
    this.#socket.send({
      t: act.kind, id: this.#actId, attempt: attempt.id, seq, ...(act.kind === "play" ? { move: act.move } : {}),
    });
  }

  #open() {
    this.#hintId = "";
    this.#openId = messageId();
    const opening = this.attempt && this.#opening.t !== "start"
      ? { t: "sync", attempt: this.attempt.id } : this.#opening;
    this.#socket.send({ ...opening, id: this.#openId });
  }

  #sync() {
    if (this.#syncing || !this.attempt) return;
    this.#syncing = true;
    this.#socket.send({ t: "sync", id: messageId(), attempt: this.attempt.id });
  }

  /** @param {ServerMessage} message */
  #take(message) {
    switch (message.t) {
      case "state":
        if (!this.attempt || message.attempt === this.attempt.id) this.#snapshot(message);
        break;
      case "played":
        if (message.attempt === this.attempt?.id) this.#played(message);
        break;
      case "rejected":
        if (message.attempt === this.attempt?.id && message.id === this.#actId) this.#refused(message.code);
        break;
      case "winnable":
        if (message.attempt === this.attempt?.id) this.#judged(message.seq, message.winnable);
        break;
      case "hint":
        if (message.id !== this.#hintId) break;
        this.#hintId = "";
        // A hint that comes late is for a position that is no longer there.
        if (this.attempt && message.attempt === this.attempt.id && message.seq === this.attempt.seq && !this.attempt.pending) {
          this.#judged(message.seq, true);
          this.#listener.hinted(message.move);
        }
        break;
      case "error":
        if (this.#hintId && message.id === this.#hintId) {
          this.#hintId = "";
          if (message.code === "attempt/no_hint" && message.reason === "lost") this.#judged(this.#hintSeq, false);
          if (message.code !== "attempt/stale") this.#listener.unhinted(message.code, message.reason);
        } else if (message.id === this.#openId && !this.attempt) this.#listener.failed(message.code);
        else if (message.id === this.#actId) this.#refused(message.code);
        break;
      default:
    }
  }

  /**
   * Takes a verdict on a position. What is known of the one that is shown, a hint tells it too, stays known.
   * @param {number} seq
   * @param {boolean | null} winnable
   */
  #judged(seq, winnable) {
    if (!this.attempt || seq !== this.attempt.seq) return;
    const doomed = this.attempt.doomed || (seq === 0 && winnable === false);
    this.attempt = { ...this.attempt, winnable: winnable ?? this.attempt.winnable, doomed };
    this.#listener.changed(this.attempt, null);
  }

  /** @param {import("./types.js").StateMessage} message */
  #snapshot(message) {
    const unanswered = this.attempt?.pending ?? null;
    this.#syncing = false;
    if (this.attempt && message.seq < this.attempt.seq) return;
    this.attempt = fromState(message, this.attempt);
    this.#seen.set(message.seq, this.attempt.piles);
    this.#startedAt = this.clock.now() - this.clock.oneWay() - message.elapsed_ms;
    if (unanswered && unanswered.seq === message.seq && message.over === null) {
      this.attempt = withPending(this.attempt, unanswered.act);
      this.#transmit();
      this.#listener.changed(this.attempt, null);
    } else this.#next();
  }

  /** @param {PlayedMessage} message */
  #played(message) {
    const before = /** @type {Attempt} */ (this.attempt);
    const own = message.id !== undefined && message.id === this.#actId;
    switch (freshness(before, message)) {
      case "next": {
        // Another tab's move while an act of this one is on its way: that act will be refused as stale.
        const kept = own || !before.pending ? null : before.pending;
        this.attempt = { ...fromPlayed(before, message), pending: kept && actText(kept.act) !== message.move ? kept : null };
        this.#seen.set(message.seq, this.attempt.piles);
        this.#listener.changed(this.attempt, { message, before, own });
        this.#next();
        break;
      }
      case "gap":
        this.#sync();
        break;
      default:
        if (own && before.pending) {
          this.attempt = withoutPending(before);
          this.#next();
        }
    }
  }

  /** @param {string} code */
  #refused(code) {
    const attempt = this.attempt;
    if (!attempt?.pending) return;
    const { act } = attempt.pending;
    this.#ahead = [];
    this.attempt = withoutPending(attempt);
    if (code === "attempt/stale") this.#sync();
    this.#listener.refused(code, act);
    this.#listener.changed(this.attempt, null);
  }
}
