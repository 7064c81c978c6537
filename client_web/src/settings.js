/** What a reader has chosen on this device. Kept in local storage where that is allowed, else for this page only. */

/**
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {boolean} fourColours
 * @property {boolean} largeCards
 * @property {"system" | "off"} animation
 * @property {boolean} oneTap one tap plays the first legal move of a card
 * @property {boolean} shortcuts single-key shortcuts at the table
 * @property {boolean} nastaliq Urdu in the hanging script instead of the plain one
 * @property {string | null} language null: the browser's
 */

const KEY = "samedeal.settings";

/** @type {Settings} */
const DEFAULTS = {
  theme: "system", fourColours: false, largeCards: false, animation: "system", oneTap: false, shortcuts: true, nastaliq: false, language: null,
};

/** @returns {Settings} */
function read() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(saved !== null && typeof saved === "object" ? saved : {}) };
  } catch {
    return { ...DEFAULTS };
  }
}

let current = read();
/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {Readonly<Settings>} */
export function settings() {
  return current;
}

/**
 * Changes settings, applies them to the page and tells whoever listens.
 * @param {Partial<Settings>} change
 */
export function changeSettings(change) {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A reader who forbids storage keeps the choice until the page is left.
  }
  applySettings();
  for (const listener of listeners) listener();
}

/**
 * @param {() => void} listener
 * @returns {() => void} ends the listening
 */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the settings on the document, where the style sheets read them. */
export function applySettings() {
  const { dataset } = document.documentElement;
  if (current.theme === "system") delete dataset.theme;
  else dataset.theme = current.theme;
  if (current.fourColours) dataset.deck = "four";
  else delete dataset.deck;
  if (current.nastaliq) dataset.script = "nastaliq";
  else delete dataset.script;
  if (current.animation === "off") dataset.motion = "off";
  else delete dataset.motion;
}

/** Whether things may move on the screen. */
export function motionAllowed() {
  return current.animation !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
