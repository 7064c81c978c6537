/**
 * News of a board over a socket of its own, which needs no session: looking makes nobody a player. News are hints; the
 * page fetches what it shows. Without the socket a board is as fresh as its last loading.
 */

import { hangUp, messageId } from "../socket.js";

/** @typedef {import("../types.js").BoardMessage} BoardMessage */

/** Waiting times before coming back, in milliseconds: from, doubled each time, up to. */
const RETRY_FROM_MS = 1000;
const RETRY_TO_MS = 60_000;

/**
 * Watches a board until told otherwise.
 * @param {string} board its address under `/boards`, such as `records/pyramid`
 * @param {(news: BoardMessage) => void} told called with the board as it stands at first and after each change
 * @returns {() => void} ends the watching
 */
export function watchBoard(board, told) {
  /** @type {WebSocket | null} */
  let socket = null;
  let failures = 0;
  let timer = 0;
  let ended = false;

  const open = () => {
    const opened = new WebSocket(new URL("/ws", location.href.replace(/^http/, "ws")));
    socket = opened;
    opened.addEventListener("open", () => {
      if (!ended) opened.send(JSON.stringify({ t: "board.watch", id: messageId(), board }));
    });
    opened.addEventListener("message", (event) => {
      /** @type {import("../types.js").ServerMessage} */
      const message = JSON.parse(String(event.data));
      if (ended || message.t !== "board") return;
      failures = 0;
      told(message);
    });
    opened.addEventListener("close", () => {
      if (ended) return;
      // Jitter: all who watch a board do not come back in the same instant.
      const most = Math.min(RETRY_TO_MS, RETRY_FROM_MS * 2 ** failures);
      failures += 1;
      timer = setTimeout(open, most / 2 + Math.random() * (most / 2));
    });
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    if (socket) hangUp(socket);
  };
}
