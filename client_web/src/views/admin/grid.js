/**
 * The calendar as a grid of weeks: a row for each game, a column for each day, and a row of whole days on top of each
 * week. One cell takes the tabulator. Enter opens a cell; Space picks it up, the arrows carry it, Space or Enter lays it
 * down on another day, Escape lets go. A mouse drags.
 */

import { fill, h, icon } from "../../dom.js";
import { day, number, sentence, shiftDay } from "../../format.js";
import { currentLanguage, n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { levelBars } from "./parts.js";
import { levelName, sourceName, stateName } from "./words.js";

/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Plan} Plan */
/** @typedef {{date: string, ruleset: string | null}} Spot a cell, or a whole day where no game is named */
/** @typedef {{open: (spot: Spot) => void, drop: (from: Spot, to: Spot) => void, carry: (spot: Spot | null) => void, lift: () => void, refuse: (spot: Spot) => void}} Acts `carry`: what is in the hand; `lift`: a drag begins; `refuse`: that cannot change */

/** Pixels that a pressed mouse moves before it drags. */
const SLACK = 6;

/** @param {Spot} spot */
const keyOf = ({ date, ruleset }) => `${date}/${ruleset ?? ""}`;

export class PlanGrid {
  element = h("div", { class: "plan", role: "grid" });
  /** @type {HTMLElement[][]} */
  #rows = [];
  /** @type {Map<string, Cell>} */
  #cells = new Map();
  /** @type {Spot | null} */
  #focus = null;
  /** @type {Spot | null} */
  #picked = null;
  #acts;
  #mayWrite;

  /**
   * @param {Acts} acts
   * @param {boolean} mayWrite
   */
  constructor(acts, mayWrite) {
    this.#acts = acts;
    this.#mayWrite = mayWrite;
    this.element.setAttribute("aria-label", t("Days and games"));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focusin", (event) => this.#focused(event));
    this.element.addEventListener("click", (event) => this.#click(event));
    if (mayWrite) this.element.addEventListener("pointerdown", (event) => this.#press(event));
  }

  /** @param {Spot} spot */
  cell({ date, ruleset }) {
    return this.#cells.get(`${date}/${ruleset ?? ""}`) ?? null;
  }

  /**
   * Draws the plan; the focus stays on the day and game where it was.
   * @param {Plan} plan
   * @param {{key: string, title: string, note: () => import("../../dom.js").Child}[]} games
   * @param {string} first Monday of the first week
   * @param {number} weeks
   */
  draw(plan, games, first, weeks) {
    const had = this.element.contains(document.activeElement);
    this.#cells = new Map(plan.cells.map((cell) => [keyOf(cell), cell]));
    this.#rows = [];
    const groups = Array.from({ length: weeks }, (_, week) => {
      const dates = Array.from({ length: 7 }, (_unused, at) => shiftDay(first, week * 7 + at));
      const days = dates.map((date) => this.#dayHead(date, plan.today));
      this.#rows.push(days);
      const rows = games.map(({ key, title, note }) => {
        const row = dates.map((date) => this.#cellElement(date, key, plan.today));
        this.#rows.push(row);
        return h("div", { role: "row", class: "plan-row" }, h("div", { role: "rowheader", class: "plan-game" }, h("span", {}, t(title)), week === 0 ? note() : null), row);
      });
      return h("div", { role: "rowgroup", class: "plan-week" }, h("div", { role: "row", class: "plan-row plan-days" }, h("div", { role: "columnheader", class: "plan-corner" }, h("span", { class: "visually-hidden" }, t("Game"))), days), rows);
    });
    fill(this.element, groups);
    const spot = this.#focus && this.#elementOf(this.#focus) ? this.#focus : { date: plan.today >= first && plan.today < shiftDay(first, weeks * 7) ? plan.today : first, ruleset: games[0]?.key ?? null };
    this.#focus = spot;
    const element = this.#elementOf(spot);
    if (element) element.tabIndex = 0;
    this.#showPicked();
    if (had) element?.focus();
  }

  /**
   * Moves the focus to a cell.
   * @param {Spot} spot
   */
  focus(spot) {
    this.#elementOf(spot)?.focus();
  }

  /**
   * Takes a cell, or a day, in the hand.
   * @param {Spot} spot
   */
  pick(spot) {
    if (!this.movable(spot)) {
      this.#acts.refuse(spot);
      return;
    }
    this.#picked = spot;
    this.#showPicked();
    this.#acts.carry(spot);
    this.focus(spot);
    announce(t("Picked up: {what}. Arrows choose another day, Space lays it down there, Escape lets go.", { what: this.name(spot) }));
  }

  /** Lets go of what is in the hand. */
  release() {
    if (!this.#picked) return;
    this.#lay();
    announce(t("Let go. Nothing was changed."));
  }

  #lay() {
    this.#picked = null;
    this.#showPicked();
    this.#acts.carry(null);
  }

  /** @param {Spot} spot whether something of it is a coming day, which can change */
  movable({ date, ruleset }) {
    if (!this.#mayWrite) return false;
    if (ruleset !== null) return this.#cells.get(`${date}/${ruleset}`)?.state === "coming";
    return [...this.#cells.values()].some((cell) => cell.date === date && cell.state === "coming");
  }

  /** @param {Spot} spot */
  name({ date, ruleset }) {
    const cell = ruleset === null ? null : this.#cells.get(`${date}/${ruleset}`);
    return cell ? sentence(t(cell.title), day(cell.date)) : ruleset === null ? t("{day}, all games", { day: day(date) }) : day(date);
  }

  /**
   * @param {string} date
   * @param {string} today
   */
  #dayHead(date, today) {
    const at = new Date(`${date}T00:00:00Z`);
    const format = (/** @type {Intl.DateTimeFormatOptions} */ style) => new Intl.DateTimeFormat(currentLanguage(), { ...style, timeZone: "UTC" }).format(at);
    const showMonth = at.getUTCDate() === 1 || at.getUTCDay() === 1;
    return h("div", {
      role: "columnheader", class: "plan-day", tabindex: "-1", "data-date": date, "data-game": "", "aria-label": t("{day}, all games", { day: day(date) }), "aria-current": date === today ? "date" : null,
      "data-movable": this.movable({ date, ruleset: null }) || null,
    }, h("span", { class: "plan-weekday" }, format({ weekday: "short" })), h("span", { class: "plan-date" }, number(at.getUTCDate()), showMonth ? h("span", { class: "plan-month" }, format({ month: "short" })) : null));
  }

  /**
   * @param {string} date
   * @param {string} key
   * @param {string} today
   */
  #cellElement(date, key, today) {
    const cell = this.#cells.get(`${date}/${key}`);
    const attributes = { role: "gridcell", class: "plan-cell", tabindex: "-1", "data-date": date, "data-game": key };
    if (!cell) return h("div", { ...attributes, "data-state": "none", "aria-label": sentence(day(date), t("nothing was dealt")) });
    const begun = cell.state === "closed" || cell.state === "running";
    const results = begun ? n("{count} result", "{count} results", cell.results) : null;
    const level = cell.difficulty === null ? null : levelName(cell.difficulty);
    return h("div", {
      ...attributes, "data-state": cell.void ? "void" : cell.state, "data-source": cell.source, "data-today": date === today || null, "data-movable": this.movable(cell) || null,
      "aria-label": sentence(t(cell.title), day(date), stateName(cell), level ?? t("difficulty not known"), begun ? results : sourceName(cell.source)),
    },
    h("span", { class: "plan-level" }, levelBars(cell.difficulty), h("span", { class: "plan-word" }, level ?? (begun || cell.state === "published" ? "–" : t("seed")))),
    h("span", { class: "plan-mark" }, cell.void ? icon("cross") : cell.state === "published" ? icon("seal") : begun ? h("span", { class: "plan-count" }, number(cell.results))
      : cell.source === "deal" ? icon("cards") : cell.source === "seed" ? icon("keys") : null));
  }

  /** @param {Spot} spot */
  #elementOf({ date, ruleset }) {
    return this.#rows.flat().find((one) => one.dataset.date === date && one.dataset.game === (ruleset ?? "")) ?? null;
  }

  /** @param {EventTarget | null} target */
  #spotOf(target) {
    const element = target instanceof Element ? target.closest("[data-date]") : null;
    if (!(element instanceof HTMLElement) || !element.dataset.date) return null;
    return { date: element.dataset.date, ruleset: element.dataset.game || null };
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const spot = this.#spotOf(event.target);
    if (!spot) return;
    for (const one of this.#rows.flat()) one.tabIndex = -1;
    const element = this.#elementOf(spot);
    if (element) element.tabIndex = 0;
    this.#focus = spot;
  }

  #showPicked() {
    const picked = this.#picked;
    this.element.toggleAttribute("data-carrying", picked !== null);
    for (const one of this.#rows.flat()) {
      const spot = { date: one.dataset.date ?? "", ruleset: one.dataset.game || null };
      const here = picked !== null && keyOf(spot) === keyOf(picked);
      const target = picked !== null && !here && (picked.ruleset === spot.ruleset) && this.movable(spot);
      one.toggleAttribute("data-picked", here);
      one.toggleAttribute("data-target", target);
      // A whole day takes with it what of it can change.
      one.toggleAttribute("data-shut", picked !== null && !here && !target && (picked.ruleset !== null || !this.movable(spot)));
      if (here) one.setAttribute("aria-selected", "true");
      else one.removeAttribute("aria-selected");
    }
  }

  /**
   * Lays down what is in the hand.
   * @param {Spot} to
   * @param {boolean} [dragged] whether the mouse holds it no more, wherever that was
   */
  #drop(to, dragged = false) {
    const from = this.#picked;
    if (!from) return;
    const spot = { date: to.date, ruleset: from.ruleset };
    if (spot.date === from.date) this.release();
    else if (!this.movable(spot)) {
      if (dragged) this.#lay();
      this.#acts.refuse(spot);
    } else {
      this.#lay();
      this.#acts.drop(from, spot);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey) return;
    const spot = this.#spotOf(event.target);
    if (!spot) return;
    const row = this.#rows.findIndex((cells) => cells.some((one) => one === event.target));
    const column = this.#rows[row]?.findIndex((one) => one === event.target) ?? -1;
    if (row < 0 || column < 0) return;
    const forwards = document.documentElement.dir === "rtl" ? -1 : 1;
    const perWeek = this.#rows.findIndex((cells, at) => at > 0 && cells[0].dataset.game === "");
    const week = perWeek < 0 ? this.#rows.length : perWeek;
    const go = () => {
      switch (event.key) {
        case "ArrowUp": return [row - 1, column];
        case "ArrowDown": return [row + 1, column];
        case "ArrowLeft": return column - forwards < 0 ? [row - week, 6] : column - forwards > 6 ? [row + week, 0] : [row, column - forwards];
        case "ArrowRight": return column + forwards > 6 ? [row + week, 0] : column + forwards < 0 ? [row - week, 6] : [row, column + forwards];
        case "PageUp": return [row - week, column];
        case "PageDown": return [row + week, column];
        case "Home": return event.ctrlKey ? [0, 0] : [row, 0];
        case "End": return event.ctrlKey ? [this.#rows.length - 1, 6] : [row, 6];
        default: return null;
      }
    };
    const to = go();
    if (to) this.#rows[to[0]]?.[to[1]]?.focus();
    else if (event.key === " ") {
      if (this.#picked) this.#drop(spot);
      else this.pick(spot);
    } else if (event.key === "Enter") {
      if (this.#picked) this.#drop(spot);
      else this.#acts.open(spot);
    } else if (event.key === "Escape" && this.#picked) this.release();
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const spot = this.#spotOf(event.target);
    if (!spot) return;
    this.focus(spot);
    if (this.#picked) this.#drop(spot);
    else this.#acts.open(spot);
  }

  /** @param {PointerEvent} event a mouse or a pen; a finger scrolls, and picks up from the cell's dialog */
  #press(event) {
    const from = this.#spotOf(event.target);
    if (!from || event.button !== 0 || event.pointerType === "touch" || this.#picked || !this.movable(from)) return;
    const stop = new AbortController();
    const { signal } = stop;
    const shade = h("div", { class: "plan-shade", "aria-hidden": "true" }, this.name(from));
    let dragging = false;
    const end = () => {
      stop.abort();
      shade.remove();
      for (const one of this.element.querySelectorAll("[data-over]")) one.removeAttribute("data-over");
    };
    addEventListener("pointermove", (move) => {
      if (!dragging && Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) < SLACK) return;
      if (!dragging) {
        dragging = true;
        this.#picked = from;
        this.#acts.lift();
        this.#showPicked();
        document.body.append(shade);
      }
      shade.style.transform = `translate(${move.clientX + 12}px, ${move.clientY + 12}px)`;
      const over = this.#spotOf(document.elementFromPoint(move.clientX, move.clientY));
      for (const one of this.element.querySelectorAll("[data-over]")) one.removeAttribute("data-over");
      if (over) this.#elementOf({ date: over.date, ruleset: from.ruleset })?.toggleAttribute("data-over", true);
    }, { signal });
    addEventListener("pointerup", (up) => {
      end();
      if (!dragging) return;
      // The click that follows belongs to the drag.
      addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true, signal: AbortSignal.timeout(50) });
      const to = this.#spotOf(document.elementFromPoint(up.clientX, up.clientY));
      if (to) this.#drop(to, true);
      if (this.#picked) this.release();
    }, { signal });
    addEventListener("pointercancel", end, { signal });
    addEventListener("keydown", (key) => {
      if (key.key !== "Escape") return;
      end();
      this.release();
    }, { signal });
  }
}
