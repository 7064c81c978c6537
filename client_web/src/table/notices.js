/** Notices over the table that never take it away: reconnecting, no moves left, cannot be won. And questions that do. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { announce } from "../live.js";
import { isStuck } from "../state.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {"offline" | "stuck" | "lost" | "doomed"} Topic */

/**
 * What the state of an attempt gives notice of, if anything.
 * @param {Attempt} attempt
 * @returns {Topic | null}
 */
export function topicOf(attempt) {
  if (attempt.over !== null) return null;
  if (isStuck(attempt)) return "stuck";
  if (attempt.winnable === false) return attempt.doomed ? "doomed" : "lost";
  return null;
}

/**
 * The words of a notice.
 * @param {Topic} topic
 * @param {boolean} canUndo
 */
function words(topic, canUndo) {
  switch (topic) {
    case "stuck": return canUndo ? t("No moves left. Undo to try another way, or give up: what you have counts.") : t("No moves left.");
    case "doomed": return t("This deal could not be won from the start. Get as far as you can: progress counts.");
    case "lost": return canUndo
      ? t("This position can no longer be won. Undo may help, or give up: what you have counts.")
      : t("This position can no longer be won. Progress still counts.");
    default: return t("Connection lost. Your game is safe; trying again…");
  }
}

export class Notices {
  /** @type {Topic | null} */
  #topic = null;
  /** @type {Topic | null} */
  #dismissed = null;
  #offline = h("div", { class: "banner banner-offline", hidden: true });
  #notice = h("div", { class: "banner", hidden: true });
  #whisper = h("p", { class: "whisper", "aria-hidden": "true" });
  #whisperTimer = 0;
  #acts;

  /**
   * @param {{undo: () => void, resign: () => void, retry: () => void}} acts
   */
  constructor(acts) {
    this.#acts = acts;
    this.element = h("section", { class: "notices", "data-zone": "notices", "aria-label": t("Notices") }, this.#offline, this.#notice);
    this.whisperElement = this.#whisper;
    this.#offline.append(h("span", {}, words("offline", false)), button(t("Try now"), acts.retry));
  }

  /** @param {Attempt} attempt */
  show(attempt) {
    if (attempt.pending) return;
    const topic = topicOf(attempt);
    if (topic !== this.#dismissed) this.#dismissed = null;
    if (topic === this.#topic) return;
    this.#topic = topic;
    const visible = topic !== null && topic !== this.#dismissed;
    const focused = this.#notice.contains(document.activeElement);
    this.#notice.hidden = !visible;
    this.#notice.replaceChildren();
    this.#notice.dataset.topic = topic ?? "";
    if (focused) document.querySelector(/** @type {"div"} */ (".cells [tabindex='0']"))?.focus();
    if (!visible) return;
    const text = words(topic, attempt.canUndo);
    this.#notice.append(h("span", {}, text));
    if (topic !== "doomed" && attempt.canUndo) this.#notice.append(button(t("Undo"), this.#acts.undo));
    if (topic !== "doomed") this.#notice.append(button(t("Give up"), this.#acts.resign));
    if (topic !== "stuck") this.#notice.append(button(t("Keep playing"), () => this.#dismiss()));
    announce(text);
  }

  #dismiss() {
    this.#dismissed = this.#topic;
    this.#notice.hidden = true;
    document.querySelector(/** @type {"div"} */ (".cells [tabindex='0']"))?.focus();
  }

  /** @param {boolean} connected */
  connection(connected) {
    if (this.#offline.hidden === connected) return;
    this.#offline.hidden = connected;
    announce(connected ? t("Connected again.") : words("offline", false));
  }

  /**
   * A short reason for the eye; the ear gets it from the live region.
   * @param {string} reason
   */
  whisper(reason) {
    this.#whisper.textContent = reason;
    this.#whisper.classList.add("on");
    clearTimeout(this.#whisperTimer);
    this.#whisperTimer = setTimeout(() => this.#whisper.classList.remove("on"), 2200);
  }
}

/**
 * @param {string} name
 * @param {() => void} act
 * @param {string} [kind]
 */
export function button(name, act, kind = "") {
  return h("button", { type: "button", class: `button ${kind}`, onclick: act }, name);
}

/**
 * Asks before something that cannot be taken back.
 * @param {{title: string, text: string, yes: string, no: string}} question
 * @returns {Promise<boolean>}
 */
export function confirm(question) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let answer = false;
    /** @param {boolean} value */
    const close = (value) => () => {
      answer = value;
      dialog.close();
    };
    const dialog = h("dialog", { class: "dialog", "aria-labelledby": "question" },
      h("h2", { id: "question" }, question.title), h("p", {}, question.text),
      h("div", { class: "buttons" }, button(question.no, close(false)), button(question.yes, close(true), "button-bad")));
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
