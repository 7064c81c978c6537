/** The admin's calendar: what is planned for which day and game, and changing it. */

import { ApiError, dailies } from "../../api.js";
import { fill, h, icon } from "../../dom.js";
import { day, dayRange, list, number, shiftDay } from "../../format.js";
import { n, t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { loading } from "../parts.js";
import { cellDialog, dayDialog } from "./cell.js";
import { fillDialog } from "./filling.js";
import { PlanGrid } from "./grid.js";
import { levelBars, Message, show } from "./parts.js";
import { fetchStock, stockNote, stockSign } from "./stock.js";
import { LEVELS, levelName } from "./words.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Plan} Plan */
/** @typedef {import("./grid.js").Spot} Spot */

const SPANS = [1, 4, 12];

/** @param {string} date its Monday */
function monday(date) {
  return shiftDay(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** @type {import("./types.js").Section} */
export const section = (root, seat) => {
  const page = new Planner(root, seat);
  void page.open();
  return () => page.close();
};

export class Planner {
  #alive = true;
  #root;
  #head = h("div", { class: "plan-head" });
  #place = h("div", { class: "admin-list" }, loading());
  #message = new Message();
  /** The cells of the day in the hand: another span may be looked at meanwhile. @type {Cell[]} */
  #held = [];
  #hint = h("div", { class: "plan-carry message", "data-kind": "notice", hidden: true });
  /** @type {Plan | null} */
  #plan = null;
  /** @type {import("./types.js").Stock | null} */
  #stock = null;

  /**
   * @param {HTMLElement} root
   * @param {import("./types.js").Seat} seat
   */
  constructor(root, seat) {
    this.#root = root;
    this.seat = seat;
    this.mayWrite = seat.me.actions.includes("calendar.write");
    const { query } = seat.visit;
    const wanted = Number(query.get("weeks"));
    this.weeks = SPANS.includes(wanted) ? wanted : matchMedia("(max-width: 560px)").matches ? 1 : 4;
    this.first = /^\d{4}-\d\d-\d\d$/.test(query.get("first") ?? "") ? monday(query.get("first") ?? "") : "";
    this.grid = new PlanGrid({
      open: (spot) => {
        if (spot.ruleset === null) dayDialog(this, spot.date);
        else if (this.grid.cell(spot)) cellDialog(this, /** @type {Cell} */ (this.grid.cell(spot)));
      },
      drop: (from, to) => void this.exchange(from, to),
      carry: (spot) => this.#carry(spot),
      lift: () => this.#message.clear(),
      refuse: (spot) => this.#fixed(spot),
    }, this.mayWrite);
  }

  /** Ends the page. */
  close() {
    this.#alive = false;
  }

  /** @returns {Plan} */
  get plan() {
    if (!this.#plan) throw new Error("the plan is not there yet");
    return this.#plan;
  }

  get last() {
    return shiftDay(this.first, this.weeks * 7 - 1);
  }

  async open() {
    fill(this.#root, h("div", { class: "admin-title" }, h("h1", {}, t("Calendar")), this.#head),
      h("div", { class: "plan-page" }, h("div", { class: "plan-told" }, this.#message.element, this.#hint), this.#place, legend(this.mayWrite)));
    // What today is, the server says.
    this.first ||= monday((await dailies("today").catch(() => null))?.date ?? new Date().toISOString().slice(0, 10));
    if (this.#alive) await this.load();
  }

  /**
   * Asks for the plan again.
   * @param {string} [first]
   */
  async load(first) {
    if (first) this.first = first;
    const wanted = this.first;
    await show(this.#place, async () => {
      const [plan, stock] = await Promise.all([/** @type {Promise<Plan>} */ (ask("GET", `/calendar?first=${this.first}&last=${this.last}`)), this.seat.me.actions.includes("deals.read") ? fetchStock() : null]);
      this.#stock = stock;
      return plan;
    }, (plan) => {
      if (!this.#alive || wanted !== this.first) return null;
      this.#plan = plan;
      history.replaceState(null, "", `${location.pathname}?${new URLSearchParams({ first: this.first, weeks: String(this.weeks) })}`);
      this.#drawHead();
      this.#draw();
      return [stockNote(this.#stock), this.grid.element];
    });
  }

  /** The games of the plan in their order. */
  games() {
    const titles = new Map(this.plan.cells.map(({ ruleset, title }) => [ruleset, title]));
    return [...titles].map(([key, title]) => ({ key, title }));
  }

  #draw() {
    const games = this.games().map((game) => ({ ...game, note: () => stockSign(this.#stock, game.key) }));
    this.grid.draw(this.plan, games, this.first, this.weeks);
  }

  #drawHead() {
    /** @param {number} by days @param {string} name @param {"back" | "next"} picture */
    const step = (by, name, picture) => h("button", { type: "button", class: "tool", title: name, "data-step": picture, onclick: () => void this.load(shiftDay(this.first, by)).then(() => this.#focusStep(picture)) }, icon(picture), h("span", { class: "visually-hidden" }, name));
    const span = h("div", { class: "segments", role: "group", "aria-label": t("Weeks shown") }, SPANS.map((weeks) =>
      h("button", { type: "button", "aria-pressed": String(weeks === this.weeks), "data-weeks": weeks, onclick: () => void this.#setWeeks(weeks) }, n("{count} week", "{count} weeks", weeks))));
    fill(this.#head,
      h("div", { class: "plan-steps", role: "group", "aria-label": t("Weeks") }, step(-7 * this.weeks, t("Earlier"), "back"), h("span", { class: "board-period" }, dayRange(this.first, this.last)), step(7 * this.weeks, t("Later"), "next"),
        h("button", { type: "button", class: "button button-small", "data-step": "today", onclick: () => void this.load(monday(this.plan.today)).then(() => this.#focusStep("today")) }, t("Today"))),
      span, this.mayWrite ? button(t("Fill by rule…"), () => fillDialog(this), "button-small button-main") : null);
  }

  /** @param {string} step */
  #focusStep(step) {
    /** @type {HTMLElement | null} */ (this.#head.querySelector(`[data-step="${step}"]`))?.focus();
  }

  /** @param {number} weeks */
  async #setWeeks(weeks) {
    this.weeks = weeks;
    await this.load();
    /** @type {HTMLElement | null} */ (this.#head.querySelector(`[data-weeks="${weeks}"]`))?.focus();
  }

  /**
   * Tells what was done.
   * @param {string} text
   */
  say(text) {
    this.#message.say(text);
  }

  /**
   * Takes cells as they stand after a change.
   * @param {Cell[]} cells
   */
  take(cells) {
    const fresh = new Map(cells.map((cell) => [`${cell.date}/${cell.ruleset}`, cell]));
    this.#plan = { ...this.plan, cells: this.plan.cells.map((cell) => fresh.get(`${cell.date}/${cell.ruleset}`) ?? cell) };
    this.#draw();
  }

  /**
   * A change was refused: say why, and show how the days stand now.
   * @param {unknown} error
   */
  async refused(error) {
    this.#message.fail(error);
    if (error instanceof ApiError && error.code.startsWith("calendar/")) {
      const plan = /** @type {Plan} */ (await ask("GET", `/calendar?first=${this.first}&last=${this.last}`));
      if (!this.#alive) return;
      this.#plan = plan;
      this.#draw();
    }
  }

  /**
   * Says what is in the hand and what to do with it.
   * @param {Spot | null} spot
   */
  #carry(spot) {
    this.#hint.hidden = spot === null;
    if (!spot) return;
    this.#held = this.plan.cells.filter(({ date }) => date === spot.date);
    this.#message.clear();
    fill(this.#hint, h("span", {}, t("Choose the day to swap with: {what}. Touch it, or go there by the arrows and press Space.", { what: this.grid.name(spot) })), button(t("Let go"), () => {
      this.grid.release();
      this.grid.focus(spot);
    }, "button-small"));
  }

  /**
   * Says why a day, or a game of it, stays as it is.
   * @param {Spot} spot
   */
  #fixed(spot) {
    const cell = this.plan.cells.find(({ date, ruleset, state }) => date === spot.date && (spot.ruleset === null || ruleset === spot.ruleset) && state !== "coming");
    const why = cell?.state === "published" ? t("Its commitment is public, so its deal stands and cannot be exchanged.")
      : spot.date <= this.plan.today ? t("That day has begun or has closed.") : t("Only coming days can be planned, and not once their deal is published.");
    this.#message.say(`${t("{what} stays as it is.", { what: this.grid.name(spot) })} ${why}`, "bad");
  }

  /**
   * Swaps two days, of one game or of all that can change; where nothing is planned for the second, the plan moves there.
   * @param {Spot} from
   * @param {Spot} to
   */
  async exchange(from, to) {
    const of = (/** @type {Spot} */ spot, /** @type {string} */ key) => this.grid.cell({ date: spot.date, ruleset: key }) ?? this.#held.find((cell) => cell.date === spot.date && cell.ruleset === key);
    const keys = from.ruleset ? [from.ruleset] : this.games().map(({ key }) => key);
    const pairs = keys.map((key) => ({ key, one: of(from, key), other: of(to, key) })).filter(({ one, other }) => one?.state === "coming" && other?.state === "coming");
    const planned = pairs.filter(({ one, other }) => one?.version || other?.version);
    this.grid.focus(to);
    if (!planned.length) {
      this.#message.say(t("Both days follow the rule of weekdays: there is nothing to swap."), "notice");
      return;
    }
    const move = planned.every(({ other }) => !other?.version);
    try {
      const answer = /** @type {{cells: Cell[]}} */ (await ask("POST", move ? "/calendar/move" : "/calendar/swap", {
        first: from.date, second: to.date, cells: planned.map(({ key, one, other }) => ({ ruleset: key, first_version: one?.version, second_version: other?.version })),
      }));
      this.take(answer.cells);
      this.grid.focus(to);
      const { title } = answer.cells[0];
      const what = from.ruleset ? t(title) : t("all games");
      this.#message.say(move ? t("Moved ({what}): {first} to {second}.", { what, first: day(from.date), second: day(to.date) })
        : t("Swapped ({what}): {first} and {second}.", { what, first: day(from.date), second: day(to.date) }));
    } catch (error) {
      await this.refused(error);
      this.grid.focus(to);
    }
  }
}

/** @param {boolean} mayWrite */
function legend(mayWrite) {
  return h("details", { class: "plan-legend" }, h("summary", {}, t("Signs and keys")),
    h("ul", {},
      h("li", {}, h("span", { class: "plan-signs" }, LEVELS.map((level) => [levelBars(level), levelName(level), " "]))),
      h("li", {}, h("span", { class: "plan-sample", "data-source": "rule" }), t("follows the rule of weekdays")),
      h("li", {}, h("span", { class: "plan-sample", "data-source": "difficulty" }), t("planned")),
      h("li", {}, icon("cards"), t("a chosen deal of the stock")),
      h("li", {}, icon("keys"), t("an imported seed")),
      h("li", {}, icon("seal"), t("published: its commitment is out")),
      h("li", {}, h("span", { class: "plan-count" }, number(12)), t("results of a day that has begun")),
      h("li", {}, icon("cross"), t("void"))),
    h("p", { class: "small" }, list([t("arrows: other day or game"), t("Enter: open"), ...(mayWrite ? [t("Space: pick up and lay down"), t("Escape: let go")] : []), t("Page up and down: other week")])));
}
