/** Samedeal's own cards, drawn as SVG in a 100 by 140 box. The four suits differ by shape, not by colour alone. */

import { s } from "../dom.js";

/** Suit outlines in a 100 by 100 box. */
const SUITS = {
  C: "M50 7a20 20 0 0 1 15.500 32.600A20 20 0 1 1 57 71c1 10 5 17 12 22H31c7-5 11-12 12-22a20 20 0 1 1-8.500-31.400A20 20 0 0 1 50 7z",
  D: "M50 3C59 21 71 37 87 50 71 63 59 79 50 97 41 79 29 63 13 50 29 37 41 21 50 3z",
  H: "M50 93C20 68 5 51 5 32 5 18 16 8 28 8c10 0 18 6 22 16C54 14 62 8 72 8c12 0 23 10 23 24 0 19-15 36-45 61z",
  S: "M50 5c8 17 43 33 43 57 0 12-9 20-20 20-8 0-15-4-18.500-11C55 82 59 89 68 95H32c9-6 13-13 13.500-24C42 78 35 82 27 82 16 82 7 74 7 62 7 38 42 22 50 5z",
};

/** Head-dresses of the court cards in a 40 by 20 box: cap, coronet, crown. */
const CROWNS = {
  J: "M6 18C6 8 13 4 22 4c7 0 11 4 12 14zM24 5c3-5 8-5 11-3-4 1-7 3-9 6z",
  Q: "M5 18 3 6l9 6 8-10 8 10 9-6-2 12zM20 0a2 2 0 1 1 0 .1z",
  K: "M5 19V4l8 6 7-9 7 9 8-6v15zM9 15h22",
};

/** Places of the pips as [x, y] in the card's box; the lower half stands on its head. */
const PIPS = /** @type {Record<string, [number, number][]>} */ ({
  2: [[50, 30], [50, 110]],
  3: [[50, 30], [50, 70], [50, 110]],
  4: [[33, 30], [67, 30], [33, 110], [67, 110]],
  5: [[33, 30], [67, 30], [50, 70], [33, 110], [67, 110]],
  6: [[33, 30], [67, 30], [33, 70], [67, 70], [33, 110], [67, 110]],
  7: [[33, 30], [67, 30], [50, 50], [33, 70], [67, 70], [33, 110], [67, 110]],
  8: [[33, 30], [67, 30], [50, 50], [33, 70], [67, 70], [50, 90], [33, 110], [67, 110]],
  9: [[33, 28], [67, 28], [33, 56], [67, 56], [50, 70], [33, 84], [67, 84], [33, 112], [67, 112]],
  T: [[33, 28], [67, 28], [50, 42], [33, 56], [67, 56], [33, 84], [67, 84], [50, 98], [33, 112], [67, 112]],
});

/**
 * @param {string} suit
 * @param {number} x centre
 * @param {number} y centre
 * @param {number} size
 * @param {boolean} [turned]
 */
function pip(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const place = turned
    ? `rotate(180 ${x} ${y}) translate(${x - size / 2} ${y - size / 2}) scale(${scale})`
    : `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`;
  return s("path", { d: SUITS[/** @type {keyof typeof SUITS} */ (suit)], transform: place });
}

/** @param {string} rank */
function rankText(rank) {
  return rank === "T" ? "10" : rank;
}

/**
 * @param {string} rank
 * @param {string} suit
 */
function smallFace(rank, suit) {
  // The tails of Q and J must show above the next card of a fan, and the hook of J must not leave the paper.
  return [
    s("text", { class: rank === "T" ? "rank-s rank-ten" : "rank-s", x: rank === "J" ? 13 : 6, y: rank === "J" ? 31 : 32.5 }, rankText(rank)),
    pip(suit, 78, 21, 30),
    pip(suit, 50, 94, 66),
  ];
}

/**
 * @param {string} rank
 * @param {string} suit
 */
function corner(rank, suit) {
  return [s("text", { class: rank === "T" ? "rank-l rank-ten" : "rank-l", x: 12.5, y: 24 }, rankText(rank)), pip(suit, 12.5, 35, 15)];
}

/**
 * @param {string} rank
 * @param {string} suit
 */
function largeFace(rank, suit) {
  const corners = [s("g", {}, corner(rank, suit)), s("g", { transform: "rotate(180 50 70)" }, corner(rank, suit))];
  if (rank === "A") return [...corners, pip(suit, 50, 70, 48)];
  const crown = CROWNS[/** @type {keyof typeof CROWNS} */ (rank)];
  if (!crown) return [...corners, ...PIPS[rank].map(([x, y]) => pip(suit, x, y, 21, y > 70))];
  return [
    s("rect", { class: "court", x: 25, y: 14, width: 50, height: 112, rx: 4 }),
    s("path", { class: "court-line", d: "M25 44h50M25 96h50" }),
    s("path", { class: "crown", d: crown, transform: "translate(30 20)" }),
    s("path", { class: "crown", d: crown, transform: "rotate(180 50 70) translate(30 20)" }),
    s("text", { class: "monogram", x: 50, y: 85 }, rank),
    ...corners,
  ];
}

/** The woven pattern of the back: two sets of slanting threads. */
function weave() {
  let threads = "";
  for (let at = -120; at < 100; at += 14) threads += `M${at} 130 ${at + 130} 0M${at} 0 ${at + 130} 130`;
  return threads;
}

const WEAVE = weave();

function back() {
  return [
    s("rect", { class: "back", x: 5, y: 5, width: 90, height: 130, rx: 5 }),
    s("svg", { x: 5, y: 5, width: 90, height: 130, viewBox: "0 0 90 130" }, s("path", { class: "weave", d: WEAVE })),
    s("rect", { class: "back-frame", x: 11, y: 11, width: 78, height: 118, rx: 3 }),
  ];
}

/**
 * The picture of a card.
 * @param {string} card `TH` face up, `th` face down but known, `??` unknown
 * @param {boolean} small big rank and suit only, for narrow cards
 * @returns {SVGSVGElement}
 */
export function cardPicture(card, small) {
  const [rank, suit] = card.toUpperCase().split("");
  const frame = { class: "picture", viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" };
  const paper = s("rect", { class: "paper", x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8 });
  if (card === "??") return s("svg", frame, paper, back());
  if (card !== `${rank}${suit}`) {
    return s("svg", frame, paper, back(), s("g", { class: `tag suit-${suit}` },
      s("path", { class: "tag-paper", d: "M5 10a5 5 0 0 1 5-5h52l-14 41H5z" }),
      s("text", { class: rank === "T" ? "rank-t rank-ten" : "rank-t", x: 9, y: 35 }, rankText(rank)), pip(suit, 42, 24, 22)));
  }
  return s("svg", frame, paper, s("g", { class: `suit-${suit}` }, small ? smallFace(rank, suit) : largeFace(rank, suit)));
}

/**
 * A suit alone, for empty foundations and headings.
 * @param {string} suit C, D, H or S
 */
export function suitPicture(suit) {
  return s("svg", { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    s("path", { d: SUITS[/** @type {keyof typeof SUITS} */ (suit)] }));
}
