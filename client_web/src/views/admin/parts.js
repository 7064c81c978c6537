/** Pieces that the admin's pages share: dialogs that give the focus back, fields, messages, tables. */

import { fill, h } from "../../dom.js";
import { localInstant } from "../../format.js";
import { t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { LEVELS, levelName, why } from "./words.js";

/** @typedef {import("../../dom.js").Child} Child */
/** @typedef {import("./types.js").Level} Level */

let numbers = 0;

/** An id that no other element has. */
export function freshId() {
  numbers += 1;
  return `a${numbers}`;
}

/**
 * A control with its name, and a hint where there is something to know.
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string | null} [hint]
 */
export function field(name, control, hint = null) {
  control.id ||= freshId();
  const about = hint ? h("p", { class: "hint", id: `${control.id}-hint` }, hint) : null;
  if (about) control.setAttribute("aria-describedby", about.id);
  return h("div", { class: "admin-field" }, h("label", { for: control.id }, name), control, about);
}

/**
 * @param {[string, string][]} options value and text
 * @param {string} [chosen]
 * @param {Record<string, unknown>} [attributes]
 */
export function select(options, chosen = "", attributes = {}) {
  return h("select", attributes, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** @returns {[string, string][]} */
export function levelOptions() {
  return LEVELS.map((level) => [level, levelName(level)]);
}

/**
 * A line for a reason.
 * @returns {HTMLInputElement}
 */
export function reasonInput() {
  return h("input", { type: "text", maxlength: 500, required: true, autocomplete: "off", dir: "auto" });
}

/** A place where the outcome of something is told, for the eye and for the ear. */
export class Message {
  element = h("p", { class: "message", hidden: true });

  /**
   * @param {string} text
   * @param {"good" | "bad" | "notice"} [kind]
   */
  say(text, kind = "good") {
    this.element.hidden = false;
    this.element.dataset.kind = kind;
    this.element.textContent = text;
    announce(text);
  }

  /** @param {unknown} error */
  fail(error) {
    this.say(why(error), "bad");
  }

  clear() {
    this.element.hidden = true;
  }
}

/**
 * Opens a dialog. When it closes the focus goes where it came from, or to what `back` finds.
 * @param {string} title
 * @param {Child} body
 * @param {() => HTMLElement | null | undefined} [back]
 */
export function openDialog(title, body, back) {
  const before = document.activeElement;
  const id = freshId();
  const element = h("dialog", { class: "dialog admin-dialog", "aria-labelledby": id }, h("h2", { id, tabindex: "-1" }, title), body);
  element.addEventListener("close", () => {
    element.remove();
    const place = back?.() ?? (before instanceof HTMLElement && before.isConnected ? before : null) ?? document.querySelector("h1");
    if (place instanceof HTMLElement) place.focus();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * A form in a dialog: `act` does the work; what it answers is told by `done`, and a refusal stays in the dialog.
 * @param {object} about
 * @param {string} about.title
 * @param {Child} about.body
 * @param {string} about.yes name of the button that acts
 * @param {boolean} [about.bad] whether it takes something away
 * @param {() => Promise<void>} about.act
 * @param {() => HTMLElement | null | undefined} [about.back]
 */
export function formDialog({ title, body, yes, bad = false, act, back }) {
  const message = new Message();
  const form = h("form", { class: "admin-form", method: "dialog" }, body, message.element,
    h("div", { class: "buttons" }, button(t("Back"), () => dialog.close()), h("button", { class: bad ? "button button-bad" : "button button-main" }, yes)));
  onSubmit(form, async () => {
    message.clear();
    try {
      await act();
      dialog.close();
    } catch (error) {
      message.fail(error);
    }
  });
  const dialog = openDialog(title, form, back);
  return dialog;
}

/**
 * Calls `act` when a form is sent; as long as it works the form cannot be sent again.
 * @param {HTMLFormElement} form
 * @param {() => Promise<void>} act
 */
export function onSubmit(form, act) {
  let busy = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    form.setAttribute("aria-busy", "true");
    void act().finally(() => {
      busy = false;
      form.removeAttribute("aria-busy");
    });
  });
}

/**
 * Four steps that tell a level without a word.
 * @param {Level | null} level
 */
export function levelBars(level) {
  return h("span", { class: "bars", "data-level": level === null ? 0 : LEVELS.indexOf(level) + 1, "aria-hidden": "true" }, LEVELS.map(() => h("i")));
}

/**
 * A table. On narrow screens its rows are blocks of lines, each with the name of its column before it; the roles are
 * written out, since an element that is displayed as a block is no part of a table any more.
 * @param {string} name
 * @param {Child[]} heads those that are no plain text name nothing before a line
 * @param {HTMLElement[]} rows a row with one cell alone tells more of the row before it
 */
export function plainTable(name, heads, rows) {
  for (const row of rows) {
    row.setAttribute("role", "row");
    [...row.children].forEach((cell, at) => {
      cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
      const head = heads[at];
      if (typeof head === "string" && row.children.length > 1) cell.setAttribute("data-label", head);
    });
  }
  return h("table", { class: "results admin-table", role: "table" }, h("caption", { class: "visually-hidden" }, name),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map((head, at) => h("th", { scope: "col", role: "columnheader", class: rows[0]?.children[at]?.classList.contains("num") ? "num" : null }, head)))),
    h("tbody", { role: "rowgroup" }, rows));
}

/**
 * A table in a panel that can be scrolled to the side where it is too wide.
 * @param {string} name
 * @param {Child[]} heads
 * @param {HTMLElement[]} rows
 */
export function table(name, heads, rows) {
  return h("div", { class: "admin-scroll", role: "region", "aria-label": name, tabindex: "0" }, plainTable(name, heads, rows));
}

/** @param {string | null | undefined} iso an instant */
export function instant(iso) {
  return iso ? h("time", { datetime: iso }, localInstant(Date.parse(iso))) : h("span", {}, "–");
}

/**
 * Facts as a list of names and values.
 * @param {[string, Child][]} facts
 */
export function factList(facts) {
  return h("dl", { class: "admin-facts" }, facts.filter(([, value]) => value !== null).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * Shows what a promise brings in a place, or why it brings nothing and a way to try again.
 * @template T
 * @param {HTMLElement} place
 * @param {() => Promise<T>} load
 * @param {(found: T) => Child} draw
 */
export async function show(place, load, draw) {
  place.setAttribute("aria-busy", "true");
  try {
    fill(place, draw(await load()));
  } catch (error) {
    fill(place, h("div", { class: "message", "data-kind": "bad" }, h("p", {}, why(error)), button(t("Try again"), () => void show(place, load, draw), "button-small")));
    announce(why(error));
  } finally {
    place.removeAttribute("aria-busy");
  }
}
