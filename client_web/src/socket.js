/** The socket to the server: greets, keeps alive, comes back by itself, and matches answers to questions by their id. */

import { forgetPlayer, player } from "./session.js";

/** @typedef {import("./types.js").ServerMessage} ServerMessage */
/** @typedef {import("./types.js").WelcomeMessage} WelcomeMessage */
/** @typedef {import("./clock.js").ServerClock} ServerClock */
/** @typedef {{up: (welcome: WelcomeMessage) => void, down: (retryInMs: number) => void, message: (message: ServerMessage) => void, ping: () => void}} Listener `down` also when nothing is heard, `ping` when it is heard again */

/** Waiting times before coming back, in milliseconds: from, doubled each time, up to. */
const RETRY_FROM_MS = 400;
const RETRY_TO_MS = 3_000;
/** Pings: distance while the page is seen, and while nobody sees it. */
const PING_EVERY_MS = 2_500;
const PING_HIDDEN_MS = 15_000;
/** Silence after which the reader is told, and after which the connection is given up; sooner when the network is said to be gone. */
const QUIET_MS = 2_500;
const QUIET_OFFLINE_MS = 800;
const SILENCE_MS = 7_000;

let lastId = 0;

/** A new id for a message. */
export function messageId() {
  lastId += 1;
  return `m${lastId}`;
}

/**
 * Ends a connection that nobody needs any more. One that is still being opened ends when it is open: browsers call it a
 * fault to give it up before.
 * @param {WebSocket} socket
 */
export function hangUp(socket) {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket.close();
}

export class Socket {
  /** @type {WebSocket | null} */
  #socket = null;
  #closed = false;
  #ready = false;
  #failures = 0;
  #timer = 0;
  #pingTimer = 0;
  #silence = 0;
  #quietTimer = 0;
  /** Whether nothing has been heard for so long that the reader was told. */
  #quiet = false;
  /** @type {{id: string, sent: number} | null} */
  #asked = null;
  #listener;
  #clock;

  /**
   * @param {ServerClock} clock fed by every ping
   * @param {Listener} listener
   */
  constructor(clock, listener) {
    this.#clock = clock;
    this.#listener = listener;
    addEventListener("online", this.#wake);
    addEventListener("offline", this.#doubt);
    document.addEventListener("visibilitychange", this.#wake);
    void this.#open();
  }

  /** Whether messages can be sent now. */
  get ready() {
    return this.#ready && !this.#quiet;
  }

  /** Ends the connection for good. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pingTimer);
    this.#heard();
    removeEventListener("online", this.#wake);
    removeEventListener("offline", this.#doubt);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#ready = false;
    if (this.#socket) hangUp(this.#socket);
    this.#socket = null;
  }

  /**
   * Sends a message; false when there is no connection.
   * @param {Record<string, unknown>} message
   */
  send(message) {
    if (!this.#ready || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    this.#expect();
    return true;
  }

  /** Comes back at once, without waiting for the next try. */
  retry() {
    if (this.#closed) return;
    if (this.#quiet) this.#drop();
    if (this.#socket) return;
    clearTimeout(this.#timer);
    void this.#open();
  }

  /** The page is seen again or the network is back: find out at once whether the connection lives. */
  #wake = () => {
    if (document.visibilityState === "hidden") return;
    if (this.#socket) this.#ping();
    else this.retry();
  };

  /** The network is said to be gone. A server on this machine may still answer, so it is asked. */
  #doubt = () => {
    if (!this.#socket) return;
    this.#ping();
    this.#expect(QUIET_OFFLINE_MS);
  };

  async #open() {
    try {
      await player();
    } catch {
      this.#later();
      return;
    }
    if (this.#closed || this.#socket) return;
    const socket = new WebSocket(new URL("/ws", location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    const sent = performance.now();
    socket.addEventListener("open", () => {
      if (this.#socket === socket) socket.send(JSON.stringify({ t: "hello", v: 1, id: messageId() }));
    });
    socket.addEventListener("message", (event) => {
      if (this.#socket === socket) this.#take(JSON.parse(String(event.data)), sent);
    });
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#lost();
    });
    this.#expect();
  }

  /**
   * @param {ServerMessage} message
   * @param {number} opened when the connection was begun
   */
  #take(message, opened) {
    const now = performance.now();
    const quiet = this.#quiet;
    this.#heard();
    if (quiet && this.#ready) this.#listener.ping();
    if (message.t === "welcome") {
      this.#failures = 0;
      this.#ready = true;
      this.#clock.sample(Date.parse(message.now), opened, now);
      this.#listener.up(message);
      this.#ping();
    } else if (message.t === "pong") {
      if (this.#asked && message.id === this.#asked.id) {
        this.#clock.sample(Date.parse(message.now), this.#asked.sent, now);
        this.#asked = null;
        this.#listener.ping();
      }
    } else {
      if (message.t === "error" && message.code.startsWith("auth/") && !this.#ready) forgetPlayer();
      this.#listener.message(message);
    }
  }

  #ping() {
    clearTimeout(this.#pingTimer);
    const id = messageId();
    this.#asked = { id, sent: performance.now() };
    if (!this.send({ t: "ping", id })) return;
    // The first few follow quickly, so that clock and bars are right soon.
    const wait = this.#clock.ping() === null || this.#quick > 0 ? 900 : document.visibilityState === "hidden" ? PING_HIDDEN_MS : PING_EVERY_MS;
    this.#quick -= 1;
    this.#pingTimer = setTimeout(() => this.#ping(), wait);
  }

  #quick = 3;

  /**
   * An answer is due: silence is told to the reader first, and ends the connection when it lasts.
   * @param {number} [quiet] milliseconds until it is told
   */
  #expect(quiet = QUIET_MS) {
    if (this.#quiet) return;
    if (!this.#quietTimer || quiet < QUIET_MS) {
      clearTimeout(this.#quietTimer);
      this.#quietTimer = setTimeout(() => {
        this.#quiet = true;
        this.#listener.down(0);
      }, quiet);
    }
    this.#silence ||= setTimeout(() => {
      this.#drop();
      this.#lost();
    }, SILENCE_MS);
  }

  /** Something was heard, or nothing is waited for any more. */
  #heard() {
    clearTimeout(this.#silence);
    clearTimeout(this.#quietTimer);
    this.#silence = 0;
    this.#quietTimer = 0;
    this.#quiet = false;
  }

  #drop() {
    this.#heard();
    const socket = this.#socket;
    this.#socket = null;
    this.#ready = false;
    socket?.close();
  }

  #lost() {
    this.#socket = null;
    this.#ready = false;
    this.#asked = null;
    clearTimeout(this.#pingTimer);
    this.#heard();
    this.#later();
  }

  #later() {
    if (this.#closed) return;
    const most = Math.min(RETRY_TO_MS, RETRY_FROM_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Jitter: a thousand players who lost one server do not come back in the same instant.
    const wait = most / 2 + Math.random() * (most / 2);
    this.#listener.down(wait);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(), wait);
  }
}
