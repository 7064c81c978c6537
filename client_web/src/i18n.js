/** The catalogue of texts. Source texts are English; a catalogue maps them to another language. */

import { append } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/** Languages with a complete catalogue. */
export const LANGUAGES = Object.freeze([
  { code: "en", name: "English", dir: "ltr" },
  { code: "tr", name: "Türkçe", dir: "ltr" },
  { code: "ur", name: "اردو", dir: "rtl" },
]);

const PLURAL_ORDER = ["zero", "one", "two", "few", "many", "other"];

/** @type {Record<string, string | string[]>} */
let catalogue = {};
let language = "en";
// Formatters are dear to make and cheap to use, and the names of fifty cards use them at every touch.
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

/**
 * A number in the reader's language.
 * @param {number} value
 */
export function number(value) {
  return numbers.format(value);
}

/** The language in use, as a BCP 47 code. */
export function currentLanguage() {
  return language;
}

/**
 * The language to start with: the chosen one, else the first of the browser's that we have, else English.
 * @param {string | null} chosen
 */
export function pickLanguage(chosen) {
  const wanted = chosen ? [chosen] : [...navigator.languages];
  for (const tag of wanted) {
    const code = tag.split("-")[0];
    const found = LANGUAGES.find((one) => one.code === code);
    if (found) return found.code;
  }
  return "en";
}

/**
 * The texts of a file; none for English, the source.
 * @param {string} name
 * @returns {Promise<Record<string, string | string[]>>}
 */
async function read(name) {
  if (name === "en" || name.startsWith("en.")) return {};
  const response = await fetch(new URL(`../locale/${name}.json`, import.meta.url));
  return response.ok ? response.json() : {};
}

/** @type {Map<string, Promise<void>>} */
const parts = new Map();

/**
 * Adds the texts of a part of the client that few readers see, once.
 * @param {string} part
 */
export function useTexts(part) {
  const found = parts.get(part) ?? read(`${language}.${part}`).then((texts) => {
    catalogue = { ...catalogue, ...texts };
  });
  parts.set(part, found);
  return found;
}

/**
 * Loads a language and sets it on the page. English is the source and needs no catalogue.
 * @param {string} code
 */
export async function useLanguage(code) {
  const found = LANGUAGES.find((one) => one.code === code) ?? LANGUAGES[0];
  catalogue = await read(found.code);
  language = found.code;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language, { numberingSystem: "latn" });
  document.documentElement.lang = language;
  document.documentElement.dir = found.dir;
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
function fillIn(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}

/**
 * A text in the reader's language.
 * @param {string} text English source text with placeholders such as {name}
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(text, values) {
  const found = catalogue[text];
  return fillIn(typeof found === "string" ? found : text, values);
}

/**
 * A text that depends on a number, which is also the value of {count}.
 * @param {string} one English singular
 * @param {string} many English plural
 * @param {number} count
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function n(one, many, count, values) {
  const shown = { count: number(count), ...values };
  const forms = catalogue[one];
  const rule = plurals.select(count);
  if (!Array.isArray(forms)) return fillIn(rule === "one" ? one : many, shown);
  const categories = PLURAL_ORDER.filter((name) => plurals.resolvedOptions().pluralCategories.some((other) => other === name));
  return fillIn(forms[Math.min(Math.max(categories.indexOf(rule), 0), forms.length - 1)], shown);
}

/**
 * A text whose values are elements or names; each value is isolated so that its direction cannot disturb the sentence.
 * @param {string} text
 * @param {Record<string, Child>} values
 * @returns {DocumentFragment}
 */
export function rich(text, values) {
  const fragment = document.createDocumentFragment();
  for (const part of t(text).split(/(\{\w+\})/)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined && name in values) {
      const isolated = document.createElement("bdi");
      append(isolated, values[name]);
      fragment.append(isolated);
    } else if (part) fragment.append(part);
  }
  return fragment;
}
