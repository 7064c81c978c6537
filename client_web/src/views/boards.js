/** Boards of days, challenges, weeks, months, all time and records: everybody's results, the reader's own always in sight. */

import { ApiError, board as fetchBoard, challenge as fetchChallenge, dailies, event as fetchEvent, rulesets } from "../api.js";
import { missing, nothing, toDeal } from "../boards/empty.js";
import { filters, gameChoice, gameTitle, link, periodText, stepper, tabs } from "../boards/head.js";
import { addressOf, partsOf, queryOf, readPlace } from "../boards/place.js";
import { BoardTable, dayShape, recordsShape, seasonShape, totalText } from "../boards/rows.js";
import { watchBoard } from "../boards/watch.js";
import { foot, formulaLine, waysOn } from "../boards/ways.js";
import { fill, h, icon } from "../dom.js";
import { ordinal, sentence, shiftDay } from "../format.js";
import { t } from "../i18n.js";
import { announce } from "../live.js";
import { viewer } from "../session.js";
import { button } from "../table/notices.js";
import { failure, loading } from "./parts.js";
import { view as notFound } from "./notfound.js";

/** @typedef {import("../boards/place.js").Place} Place */
/** @typedef {import("../boards/head.js").Known} Known */
/** @typedef {import("../types.js").DayBoard} DayBoard */
/** @typedef {import("../types.js").SeasonBoard} SeasonBoard */
/** @typedef {import("../types.js").RecordsBoard} RecordsBoard */
/** @typedef {DayBoard | SeasonBoard | RecordsBoard} AnyBoard */

/** Rows of a page. */
const LIMIT = 25;
/** Least distance between two loadings for news, in milliseconds. */
const NEWS_MS = 1000;

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  const place = readPlace(visit.path, visit.query);
  if (!place && visit.path !== "/boards") return notFound(root, visit);
  const page = new BoardPage(root, visit);
  void page.open(place);
  return () => page.close();
};

class BoardPage {
  #visit;
  #head = h("div", { class: "board-top" });
  #place = h("div", { class: "board-place" }, loading());
  #more = h("nav", { class: "board-more", "aria-label": t("More") });
  #table = new BoardTable();
  #total = h("p", { class: "board-total", tabindex: "-1" });
  #news = h("div", { class: "board-news", hidden: true });
  #deal = h("span");
  #line = h("div", { class: "board-line" }, this.#total, this.#news, this.#deal);
  /** @type {Known} */
  #known = { today: "", games: [], season: null, event: null };
  /** @type {Place} */
  #shown = { kind: "day", period: "today", ruleset: "", by: "main", who: "all", at: null };
  /** @type {string | undefined} the control that was used last, as long as it has the focus */
  #step;
  /** What the head shows, so that it is not drawn again under the hands of somebody who uses it. */
  #headed = "";
  #alive = true;
  #loads = 0;
  #newsTimer = 0;
  #loadedAt = 0;
  /** What the last news told, to know whether the next tells something new. */
  #told = "";
  /** @type {string | null} */
  #watched = null;
  /** @type {() => void} */
  #unwatch = () => undefined;

  /**
   * @param {HTMLElement} root
   * @param {import("../main.js").Visit} visit
   */
  constructor(root, visit) {
    this.#visit = visit;
    const section = h("section", { class: "board-page" }, this.#head, this.#place, this.#more);
    section.addEventListener("click", (event) => this.#follow(event));
    this.#head.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget !== null) this.#step = undefined;
    });
    fill(root, section);
    document.addEventListener("visibilitychange", this.#seen);
  }

  /** Ends the page. */
  close() {
    this.#alive = false;
    clearTimeout(this.#newsTimer);
    this.#unwatch();
    document.removeEventListener("visibilitychange", this.#seen);
  }

  /** @param {Place | null} place null for the first of today's boards */
  async open(place) {
    try {
      const id = place?.kind === "challenge" ? place.period : null;
      const [today, games, deal] = await Promise.all([dailies("today"), rulesets(), id === null ? null : fetchChallenge(id).catch(() => null)]);
      const event = deal?.event ? await fetchEvent(deal.event.id).catch(() => null) : null;
      if (!this.#alive) return;
      // Boards are offered of games that have dailies, and of the one that was asked for.
      if (place && deal) place = { ...place, ruleset: deal.ruleset };
      const offered = new Set([...today.dailies.map(({ ruleset }) => ruleset), place?.ruleset]);
      this.#known = { ...this.#known, today: today.date, event, games: games.filter(({ key }) => offered.has(key)) };
      this.#shown = place ?? { ...this.#shown, ruleset: today.dailies[0]?.ruleset ?? games[0].key };
      // An address to be shared names the day: what is called today is another board tomorrow.
      if (this.#shown.period === "today") this.#shown = { ...this.#shown, period: today.date };
      if (this.#shown.period === "tomorrow") this.#shown = { ...this.#shown, period: shiftDay(today.date, 1) };
      await this.#show("place");
    } catch (error) {
      if (this.#alive) fill(this.#place, failure(error, () => void this.open(place)));
    }
  }

  /**
   * Goes to another view of the boards.
   * @param {Place} place
   * @param {string} [step] name of a control that passes through several views: together they are one step back
   */
  #go = (place, step) => {
    if (!this.#alive) {
      this.#visit.go(addressOf(place));
      return;
    }
    const within = step !== undefined && step === this.#step && document.activeElement?.getAttribute("data-keep") === step;
    if (within) this.#visit.replace(addressOf(place));
    else this.#visit.push(addressOf(place));
    this.#step = step;
    if (place.kind !== this.#shown.kind || place.period !== this.#shown.period) this.#known = { ...this.#known, season: null };
    this.#shown = place;
    void this.#show("tell");
  };

  /** @param {MouseEvent} event */
  #follow(event) {
    const found = event.target instanceof Element ? event.target.closest("a[data-soft]") : null;
    // The reader has gone on and only the picture of this page is left: its links lead to pages like any other.
    if (!this.#alive) return;
    if (!(found instanceof HTMLAnchorElement) || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const place = readPlace(found.pathname, new URLSearchParams(found.search));
    if (!place) return;
    event.preventDefault();
    this.#go({ ...place, ruleset: place.ruleset || this.#shown.ruleset });
  }

  /**
   * Fetches and shows the board of the address.
   * @param {"place" | "tell" | "news"} why `tell`: somebody has asked for another view; `news`: what is shown has changed
   */
  async #show(why) {
    this.#loads += 1;
    if (why !== "news") fill(this.#more, waysOn(this.#shown, this.#known, null));
    const load = this.#loads;
    const place = this.#shown;
    if (why !== "news") this.#drawHead();
    this.#place.setAttribute("aria-busy", "true");
    try {
      const me = await viewer().catch(() => null);
      const page = place.who === "friends" && !me ? null
        : await /** @type {Promise<AnyBoard>} */ (fetchBoard(partsOf(place), { ...queryOf(place), limit: String(LIMIT) }));
      if (!this.#alive || load !== this.#loads) return;
      this.#loadedAt = performance.now();
      if (page) this.#settle(page);
      if (why !== "news") this.#drawHead();
      this.#draw(page);
      if (why === "tell") announce(this.#sum(page));
      if (why === "tell" && place.at) this.#turned();
      else if (why === "news" && page) announce(this.#sum(page), "seldom");
    } catch (error) {
      if (!this.#alive || load !== this.#loads || why === "news") return;
      this.#watch(null);
      if (error instanceof ApiError && (error.status === 404 || error.code === "challenge/not_open")) fill(this.#place, missing(this.#shown, this.#known.today));
      else fill(this.#place, failure(error, () => void this.#show("place")));
    } finally {
      if (load === this.#loads) this.#place.removeAttribute("aria-busy");
    }
  }

  /**
   * Takes the true name of a running period from the answer, so that the address stays right when it has passed.
   * @param {AnyBoard} page
   */
  #settle(page) {
    if (!("formula" in page)) return;
    this.#known = { ...this.#known, season: page };
    if (this.#shown.kind === "week" || this.#shown.kind === "month") this.#shown = { ...this.#shown, period: page.period };
  }

  #drawHead() {
    const place = this.#shown;
    const known = this.#known;
    const focused = document.activeElement?.closest("[data-keep]")?.getAttribute("data-keep");
    const within = this.#head.contains(document.activeElement);
    if (location.pathname + location.search !== addressOf(place)) this.#visit.replace(addressOf(place));
    const name = gameTitle(place, known);
    const period = periodText(place, known);
    this.#visit.title(sentence(name, period));
    const said = JSON.stringify([place, known.today, known.games.length, period, known.season?.previous_period, known.season?.next_period]);
    if (said === this.#headed) return;
    this.#headed = said;
    fill(this.#head,
      h("div", { class: "board-head" }, h("div", { class: "board-names" }, h("h1", { tabindex: "-1" }, name), h("p", { class: "lobby-date" }, period)),
        h("div", { class: "board-ways" }, gameChoice(place, known, this.#go), stepper(place, known, this.#go))),
      tabs(place, known), filters(place, known));
    if (within && focused) {
      const again = /** @type {HTMLElement | null} */ (this.#head.querySelector(`[data-keep="${CSS.escape(focused)}"]`));
      (again ?? this.#head.querySelector("h1"))?.focus({ preventScroll: true });
    }
  }

  /** @param {AnyBoard | null} page null where friends are asked for by somebody without a session */
  #draw(page) {
    this.#news.hidden = true;
    const deal = page && "challenge" in page ? page.challenge : null;
    const formula = page && "formula" in page ? page.formula : null;
    this.#watch(page && partsOf(this.#shown).join("/"));
    const ranking = page && "challenge" in page ? { keys: page.keys, undo: this.#game()?.undo ?? null, outageMs: page.outage_ms } : null;
    fill(this.#more, waysOn(this.#shown, this.#known, deal));
    if (!page?.total) {
      fill(this.#place, h("div", { class: "empty" }, nothing(this.#shown), formulaLine(formula)));
      return;
    }
    this.#total.textContent = totalText(page);
    fill(this.#deal, "challenge" in page ? toDeal(page.challenge) : null);
    if ("formula" in page) this.#table.show(seasonShape(), page.rows, page.me);
    else if ("ruleset" in page) this.#table.show(recordsShape(page.ruleset), page.rows, page.me);
    else this.#table.show(dayShape(page.maximum, [...page.rows, page.me].some((row) => typeof row?.score === "number")), page.rows, page.me);
    if (this.#place.contains(this.#table.element)) {
      this.#place.querySelector(".pager")?.replaceWith(this.#pager(page));
      this.#place.querySelector(".board-foot")?.replaceWith(foot(this.#shown, formula, ranking));
    } else {
      fill(this.#place, this.#line, h("div", { class: "board-scroll" }, this.#table.element), this.#pager(page), foot(this.#shown, formula, ranking));
    }
  }

  /** The game of the board as its ruleset tells it. */
  #game() {
    return this.#known.games.find(({ key }) => key === this.#shown.ruleset);
  }

  /** After a page was turned the reader begins at its top, with the eyes and with the keyboard. */
  #turned() {
    this.#total.focus({ preventScroll: true });
    this.#line.scrollIntoView({ block: "start" });
  }

  /** @param {AnyBoard} page */
  #pager(page) {
    const place = this.#shown;
    return h("nav", { class: "pager", "aria-label": t("Pages of the board") },
      page.previous ? link({ ...place, at: { side: "before", cursor: page.previous } }, "better", { class: "button" }, icon("back"), t("Better")) : h("span"),
      h("span", { class: "pager-middle" },
        place.at ? link({ ...place, at: null }, "top", { class: "button" }, t("Top")) : null,
        page.me ? link({ ...place, at: { side: "around", cursor: "me" } }, "around", { class: "button" }, t("Around me")) : null),
      page.next ? link({ ...place, at: { side: "after", cursor: page.next } }, "further", { class: "button" }, t("Further down"), icon("next")) : h("span"));
  }

  /** @param {AnyBoard | null} page */
  #sum(page) {
    if (!page?.total) return t("No results here yet.");
    const total = totalText(page);
    return page.me ? `${total}. ${t("Your rank: {rank}", { rank: ordinal(page.me.rank) })}` : total;
  }

  /** @param {string | null} board address of the board, also of a past one: results may be taken away later */
  #watch(board) {
    if (board === this.#watched) return;
    this.#unwatch();
    this.#unwatch = () => undefined;
    this.#watched = board;
    this.#told = "";
    if (board !== null) this.#unwatch = watchBoard(board, (news) => this.#take(news));
  }

  /** @param {import("../types.js").BoardMessage} news */
  #take(news) {
    const told = JSON.stringify([news.total, news.top, news.season]);
    const first = this.#told === "";
    // What comes unasked tells of a change, which may lie below the rows that come with it.
    const changed = news.id === undefined || told !== this.#told;
    this.#told = told;
    // The first news tells what was there when the watching began, which is what the page has just fetched.
    if (!changed || (first && performance.now() - this.#loadedAt < NEWS_MS)) return;
    if (this.#shown.at) this.#offer();
    else this.#soon();
  }

  /** Somebody reads further down: the rows wait until they are asked for. */
  #offer() {
    if (!this.#news.hidden) return;
    fill(this.#news, h("span", {}, t("There are new results.")), button(t("Show"), () => {
      this.#total.focus({ preventScroll: true });
      void this.#show("news");
    }, "button-small"));
    this.#news.hidden = false;
    announce(t("There are new results."), "seldom");
  }

  /** Loads again, at most once a second, and only while somebody can see it. */
  #soon() {
    clearTimeout(this.#newsTimer);
    if (document.visibilityState === "hidden") {
      this.#missed = true;
      return;
    }
    this.#newsTimer = setTimeout(() => void this.#show("news"), Math.max(0, this.#loadedAt + NEWS_MS - performance.now()));
  }

  #missed = false;

  #seen = () => {
    if (document.visibilityState === "hidden" || !this.#missed) return;
    this.#missed = false;
    this.#soon();
  };
}
