/** Deal algorithm 1: from a seed to the order of the cards, and to the commitment that was published before play. */

import { hex, sha256 } from "./sha256.js";

/** Version of the algorithm that this file holds. */
export const DEAL_VERSION = 1;

const RANKS = "A23456789TJQK";
const SUITS = "CDHS";

/** @param {string} text */
function bytesOf(text) {
  return new TextEncoder().encode(text);
}

/** @param {string} seed 32 hex digits */
function seedBytes(seed) {
  if (!/^[0-9a-f]{32}$/.test(seed)) throw new RangeError("a seed is 32 lower-case hex digits");
  return Uint8Array.from(seed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * The commitment to a seed.
 * @param {string} seed 32 lower-case hex digits
 * @returns {string} 64 hex digits
 */
export function commitment(seed) {
  return hex(sha256(Uint8Array.from([...bytesOf("samedeal/commit/1\0"), ...seedBytes(seed)])));
}

/**
 * The endless row of 32-bit words that a seed gives.
 * @param {string} seed
 * @returns {Generator<number, never>}
 */
function* words(seed) {
  const head = [...bytesOf("samedeal/deal/1\0"), ...seedBytes(seed)];
  for (let block = 0; ; block += 1) {
    const number = [block >>> 24, (block >>> 16) & 255, (block >>> 8) & 255, block & 255];
    const view = new DataView(sha256(Uint8Array.from([...head, ...number])).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/**
 * The shuffled deck, first card dealt first.
 * @param {string} seed 32 lower-case hex digits
 * @param {number} size 52, or 40 for a deck of ace to ten
 * @returns {string[]}
 */
export function deal(seed, size) {
  const ranks = RANKS.slice(0, size / 4);
  const deck = [...SUITS].flatMap((suit) => [...ranks].map((rank) => rank + suit));
  const row = words(seed);
  for (let last = size - 1; last > 0; last -= 1) {
    const choices = last + 1;
    // Words of the incomplete last stretch would favour low places; they are dropped.
    const fair = 2 ** 32 - (2 ** 32 % choices);
    let word = row.next().value;
    while (word >= fair) word = row.next().value;
    const place = word % choices;
    [deck[last], deck[place]] = [deck[place], deck[last]];
  }
  return deck;
}
