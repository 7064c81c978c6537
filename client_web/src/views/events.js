/** Events on the first page: those that run or come soon, for how long, and their deals. */

import { fill, h, icon } from "../dom.js";
import { clock, localInstant } from "../format.js";
import { n, rich, t } from "../i18n.js";
import { difficulty } from "../table/words.js";
import { ownState } from "./lobby.js";

/** @typedef {import("../types.js").Challenge} Challenge */
/** @typedef {import("../types.js").EventBody} EventBody */

const DAY_MS = 86_400_000;

/** @param {string | null | undefined} iso an instant; null for one that never comes */
function instantOf(iso) {
  return iso ? Date.parse(iso) : Infinity;
}

/**
 * What an event waits for: its opening, the end of starting, its close.
 * @param {EventBody} event
 * @param {number} now server time
 */
function turnOf({ state, opens_at: opens, ends_at: ends, closes_at: closes }, now) {
  if (state === "coming") return instantOf(opens);
  return now < instantOf(ends) ? instantOf(ends) : instantOf(closes);
}

export class EventList {
  #cards = h("div", { class: "events" });
  element = h("section", { class: "lobby-events", "aria-labelledby": "events" }, h("h2", { id: "events" }, t("Events")), this.#cards);
  /** @type {{at: number, left: HTMLElement}[]} */
  #turns = [];

  /**
   * @param {EventBody[]} events
   * @param {number} now server time
   */
  show(events, now) {
    this.#turns = [];
    const focused = document.activeElement instanceof HTMLAnchorElement && this.element.contains(document.activeElement) ? document.activeElement.pathname : null;
    fill(this.#cards, events.map((event) => this.#card(event, now)));
    this.element.hidden = events.length === 0;
    this.tick(now);
    if (focused) [...this.element.querySelectorAll("a")].find(({ pathname }) => pathname === focused)?.focus();
  }

  /**
   * Writes the time that is left.
   * @param {number} now server time
   * @returns {boolean} whether something has opened, ended or closed since the events were shown
   */
  tick(now) {
    for (const { at, left } of this.#turns) {
      const rest = Math.max(0, at - now);
      const text = rest < DAY_MS ? clock(rest) : n("{count} day", "{count} days", Math.floor(rest / DAY_MS));
      if (left.textContent !== text) left.textContent = text;
    }
    return this.#turns.some(({ at }) => at <= now);
  }

  /**
   * @param {EventBody} event
   * @param {number} now server time
   */
  #card(event, now) {
    const at = turnOf(event, now);
    const left = h("span", { class: "countdown-time" });
    if (Number.isFinite(at)) this.#turns.push({ at, left });
    const time = { time: left };
    const words = event.state === "coming" ? rich("Opens in {time}", time) : now < instantOf(event.ends_at) ? rich("Ends in {time}", time) : rich("Closes in {time}", time);
    return h("article", { class: "event", "data-state": event.state },
      h("h3", {}, h("bdi", {}, event.name)),
      Number.isFinite(at) ? h("p", { class: "countdown" }, icon("clock"), h("span", {}, words, " ", h("span", { class: "countdown-at" }, t("(at {time} your time)", { time: localInstant(at) })))) : null,
      h("ul", { class: "event-deals" }, event.challenges.map((deal) => dealItem(deal, now))));
  }
}

/**
 * A deal of an event: a way to it as long as it can be played or looked at, how one stands, and its board.
 * @param {Challenge} deal
 * @param {number} now server time
 */
function dealItem(deal, now) {
  const title = t(deal.title);
  const path = encodeURIComponent(deal.id);
  const open = instantOf(deal.opens_at) <= now;
  const reachable = open && (deal.own || now < instantOf(deal.ends_at));
  return h("li", { class: "event-deal" },
    h("span", { class: "event-name" }, reachable ? h("a", { href: `/challenge/${path}` }, title) : h("span", {}, title),
      deal.difficulty ? h("span", { class: "level", "data-level": deal.difficulty }, difficulty(deal.difficulty)) : null,
      deal.ranked === false ? h("span", { class: "chip" }, t("unranked")) : null),
    reachable ? ownState(deal) : null,
    open ? h("a", { class: "daily-board", href: `/boards/challenge/${path}`, "aria-label": t("Board of {game}", { game: title }) }, icon("board"), h("span", {}, t("Board"))) : null);
}
