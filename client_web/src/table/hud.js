/** The bar over the table: time, moves, progress, connection, commitment, and the buttons. */

import { h, icon, s } from "../dom.js";
import { clock, number } from "../format.js";
import { t } from "../i18n.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {import("../desk.js").Desk} Desk */

/**
 * Bars of the connection: 4 very good to 1 slow, 0 none.
 * @param {boolean} connected
 * @param {number | null} ping median, in milliseconds
 */
export function bars(connected, ping) {
  if (!connected) return 0;
  if (ping === null) return 4;
  return ping < 90 ? 4 : ping < 180 ? 3 : ping < 350 ? 2 : 1;
}

/**
 * A button with an icon and a name that may be hidden on narrow screens.
 * @param {import("../dom.js").IconName} picture
 * @param {string} name
 * @param {() => void} act
 * @param {string} [key] shortcut
 */
export function tool(picture, name, act, key) {
  return h("button", { type: "button", class: "tool", onclick: act, title: key ? `${name} (${key})` : name, "aria-keyshortcuts": key },
    icon(picture), h("span", { class: "tool-name" }, name));
}

export class Hud {
  #time = h("span", { class: "figure-value figure-time" }, "0:00");
  #moves = h("span", { class: "figure-value" }, "0");
  #progress = h("span", { class: "figure-value" }, "0");
  #meter = h("span", { class: "meter-fill" });
  #bars = [0, 1, 2, 3].map((at) => s("rect", { class: "bar", x: 1 + at * 5, y: 12 - at * 3.5, width: 3.5, height: 4 + at * 3.5, rx: 1 }));
  #link = h("span", { class: "connection", role: "img" }, s("svg", { viewBox: "0 0 21 17", "aria-hidden": "true" }, this.#bars));
  #light = h("span", { class: "light", role: "img", hidden: true });
  #title = h("h1", { class: "hud-title", tabindex: "-1" });
  #subtitle = h("p", { class: "hud-subtitle" });
  #seal = h("a", { class: "tool seal", hidden: true }, icon("seal"), h("span", { class: "seal-code" }));
  #shown = "";
  #timer = 0;

  /**
   * @param {object} acts
   * @param {() => void} acts.undo
   * @param {() => void} acts.hint
   * @param {() => void} acts.resign
   * @param {() => void} acts.rules
   * @param {() => void} acts.zen
   */
  constructor(acts) {
    this.undoButton = tool("undo", t("Undo"), acts.undo, "Z");
    this.hintButton = tool("hint", t("Hint"), acts.hint, "H");
    this.hintButton.hidden = true;
    this.resignButton = tool("flag", t("Give up"), acts.resign);
    this.element = h("header", { class: "hud", "data-zone": "bar" },
      h("div", { class: "hud-start" },
        h("a", { class: "tool", href: "/", title: t("All games") }, icon("home"), h("span", { class: "visually-hidden" }, t("All games"))),
        h("div", { class: "hud-names" }, this.#title, this.#subtitle)),
      h("dl", { class: "figures", dir: "ltr" },
        figure(t("Time"), this.#time), figure(t("Moves"), this.#moves),
        figure(t("Progress"), this.#progress, h("span", { class: "meter", "aria-hidden": "true" }, this.#meter))),
      h("div", { class: "hud-end" }, this.#light, this.#link, this.#seal,
        tool("rules", t("Rules"), acts.rules), tool("eye", t("Zen"), acts.zen, "F"), this.hintButton, this.resignButton, this.undoButton));
  }

  /**
   * @param {Desk} desk
   */
  run(desk) {
    const tick = () => {
      const text = clock(desk.elapsed());
      if (text !== this.#shown) {
        this.#shown = text;
        this.#time.textContent = text;
      }
    };
    tick();
    clearInterval(this.#timer);
    this.#timer = setInterval(tick, 200);
  }

  /** Stops the clock. */
  close() {
    clearInterval(this.#timer);
  }

  /**
   * @param {string} title
   * @param {string} subtitle
   */
  name(title, subtitle) {
    this.#title.textContent = title;
    this.#title.classList.toggle("long", title.length > 15);
    this.#subtitle.textContent = subtitle;
  }

  /** @param {Attempt} attempt */
  show(attempt) {
    this.#moves.textContent = number(attempt.moves);
    this.#progress.textContent = `${number(attempt.progress)} / ${number(attempt.layout.maximum)}`;
    this.#meter.style.inlineSize = `${(100 * attempt.progress) / Math.max(1, attempt.layout.maximum)}%`;
    this.undoButton.disabled = attempt.over !== null || !(attempt.canUndo || attempt.pending);
    this.resignButton.disabled = attempt.over !== null;
    this.hintButton.hidden = attempt.ranked;
    this.hintButton.disabled = attempt.over !== null;
    this.#shine(attempt);
    const { commitment, challenge } = attempt;
    this.#seal.hidden = !commitment || !attempt.ranked;
    this.#seal.href = `/verify/${encodeURIComponent(challenge.id)}`;
    this.#seal.title = t("Commitment to this deal: {code}", { code: commitment });
    this.#seal.setAttribute("aria-label", t("Sealed deal {code}: how to verify it", { code: commitment.slice(0, 8) }));
    const code = this.#seal.querySelector(".seal-code");
    if (code) code.textContent = commitment.slice(0, 6);
  }

  /**
   * The light of practice: whether the position can still be won.
   * @param {Attempt} attempt
   */
  #shine({ ranked, over, winnable, pending }) {
    this.#light.hidden = ranked || over !== null;
    if (pending) return;  // what is shown for the moment has no verdict yet
    const state = winnable === null ? "open" : winnable ? "won" : "lost";
    if (this.#light.dataset.state === state) return;
    const name = winnable === null ? t("Not known whether this can be won") : winnable ? t("Can be won") : t("Can no longer be won");
    this.#light.dataset.state = state;
    this.#light.title = name;
    this.#light.setAttribute("aria-label", name);
    this.#light.textContent = winnable === null ? "?" : winnable ? "✓" : "✕";
  }

  /**
   * @param {boolean} connected
   * @param {number | null} ping
   */
  connection(connected, ping) {
    const level = bars(connected, ping);
    this.#link.dataset.level = String(level);
    this.#bars.forEach((bar, at) => bar.classList.toggle("on", at < level));
    const name = !connected ? t("Not connected") : ping === null ? t("Connected") : t("Connection: {ms} ms", { ms: Math.round(ping) });
    this.#link.setAttribute("aria-label", name);
    this.#link.title = name;
  }
}

/**
 * @param {string} name
 * @param {HTMLElement[]} values
 */
function figure(name, ...values) {
  return h("div", { class: "figure" }, h("dt", { class: "figure-name" }, name), h("dd", { class: "figure-data" }, values));
}
