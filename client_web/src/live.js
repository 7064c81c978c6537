/**
 * The one polite live region and the queue that feeds it. What matters is said at once; what merely follows a touch of
 * the pointer, which the toucher sees, is gathered and said seldom, so that speech never lags behind the game.
 */

import { h } from "./dom.js";

/** Least distance between two gathered announcements, in milliseconds. */
const SELDOM_MS = 12_000;
/** Announcements closer than this are joined into one, in milliseconds. */
const JOIN_MS = 60;

const region = h("div", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "true", id: "live" });

/** @type {string[]} */
let queue = [];
let timer = 0;
let spoken = -Infinity;
let due = Infinity;

/** Puts the live region into the page. */
export function mountLive() {
  document.body.append(region);
}

function speak() {
  const text = queue.join(". ");
  queue = [];
  due = Infinity;
  spoken = performance.now();
  // A repeated text must be heard again; a changed space makes it a change without being read out.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/**
 * Says something.
 * @param {string} text
 * @param {"now" | "seldom"} [when] `seldom`: gathered with others, the latest counts
 */
export function announce(text, when = "now") {
  if (!text) return;
  const now = performance.now();
  const at = when === "now" ? now + JOIN_MS : Math.max(now + JOIN_MS, spoken + SELDOM_MS);
  queue = when === "seldom" && queue.length ? [...queue.slice(-1), text] : [...queue, text];
  if (at >= due) return;
  due = at;
  clearTimeout(timer);
  timer = setTimeout(speak, at - now);
}
