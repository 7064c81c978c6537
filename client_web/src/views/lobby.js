/** The first page: today's dailies, how one stands in each, when the next ones come, and events. */

import { dailies, events, rulesets } from "../api.js";
import { fill, h, icon, s } from "../dom.js";
import { clock, day, localTime, number } from "../format.js";
import { n, rich, t } from "../i18n.js";
import { announce } from "../live.js";
import { difficulty, rankText, verdict } from "../table/words.js";
import { failure, loading } from "./parts.js";
import { streakLine } from "./streak.js";

/** @typedef {import("../types.js").Challenge} Challenge */
/** @typedef {import("../types.js").Dailies} Dailies */
/** @typedef {import("../types.js").RulesetInfo} RulesetInfo */

const DAY_MS = 86_400_000;
/** How long the page waits for the events that stand over its games, in milliseconds. */
const EVENTS_WAIT_MS = 500;

/** @type {import("../main.js").View} */
export const view = (root, { title }) => {
  title("");
  const list = h("div", { class: "dailies" }, loading());
  const heading = h("h1", {}, t("Today’s games"));
  const streak = streakLine();
  const when = h("span");
  const played = h("span", { class: "lobby-played" });
  const left = h("span", { class: "countdown-time" });
  const next = h("p", { class: "countdown", hidden: true }, icon("clock"), h("span", {}, rich("Next games in {time}", { time: left }), " ", h("span", { class: "countdown-at" })));
  const special = h("div", { class: "lobby-special", hidden: true });
  fill(root, h("section", { class: "lobby" }, h("div", { class: "lobby-head" }, h("div", {}, heading, h("p", { class: "lobby-date" }, when, played), streak.element), next), special, list));

  /** @type {import("./events.js").EventList | null} */
  let eventList = null;
  let eventsAgainAt = 0;
  let shown = "";
  let nextAt = NaN;
  /** Server time minus this machine's, in milliseconds. */
  let offset = 0;
  let timer = 0;
  let fetching = false;
  let alive = true;

  async function load() {
    if (fetching) return;
    fetching = true;
    void streak.load();
    // Events stand over the games, which do not wait long for them.
    const told = Promise.race([loadEvents(), new Promise((resolve) => { setTimeout(resolve, EVENTS_WAIT_MS); })]);
    try {
      const [today, games] = await Promise.all([dailies("today"), rulesets().catch(() => /** @type {RulesetInfo[]} */ ([]))]);
      offset = Date.parse(today.now) - Date.now();
      await told;
      if (alive) show(today, games);
    } catch (error) {
      if (alive && !shown) fill(list, failure(error, () => void load()));
      else nextAt = Date.now() + offset + 5000;
    } finally {
      fetching = false;
    }
  }

  /** Shows what runs or comes soon; the module for it is fetched only where there is something. */
  async function loadEvents() {
    const found = await events().catch(() => null);
    if (!found || (!found.events.length && !eventList)) return;
    const module = await import("./events.js").catch(() => null);
    if (!alive || !module) return;
    eventList ??= new module.EventList();
    eventList.show(found.events, Date.now() + offset);
    fill(special, eventList.element);
    special.hidden = !found.events.length;
  }

  /**
   * @param {Dailies} today
   * @param {RulesetInfo[]} games
   */
  function show(today, games) {
    if (shown && shown !== today.date) announce(t("New deals are here."));
    shown = today.date;
    nextAt = Date.parse(today.next_at);
    when.textContent = day(today.date);
    const finished = today.dailies.filter(({ own }) => own?.over).length;
    played.textContent = today.dailies.length ? t("{count} of {total} played", { count: number(finished), total: number(today.dailies.length) }) : "";
    next.hidden = false;
    const at = next.querySelector(".countdown-at");
    if (at) at.textContent = t("(at {time} your time)", { time: localTime(nextAt) });
    const focused = document.activeElement?.closest("[data-ruleset]")?.getAttribute("data-ruleset");
    fill(list, today.dailies.length
      ? today.dailies.map((daily) => card(daily, games.find((game) => game.key === daily.ruleset)))
      : h("p", {}, t("No deal is scheduled for today.")));
    if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-ruleset="${CSS.escape(focused)}"] a`))?.focus();
    tick();
  }

  function tick() {
    const now = Date.now() + offset;
    if (eventList?.tick(now) && now >= eventsAgainAt) {
      // The server may say so a moment later than this page.
      eventsAgainAt = now + 5000;
      setTimeout(() => void loadEvents(), 200 + Math.random() * 1500);
    }
    const rest = nextAt - (Date.now() + offset);
    if (!Number.isFinite(rest)) return;
    left.textContent = clock(Math.min(DAY_MS, Math.max(0, rest)));
    // A page left open overnight asks for the new day; the jitter spreads the sleepers.
    if (rest <= 0) setTimeout(() => void load(), 200 + Math.random() * 1500);
  }

  const seen = () => {
    if (document.visibilityState === "visible") void load();
  };
  document.addEventListener("visibilitychange", seen);
  timer = setInterval(tick, 1000);
  void load();
  return () => {
    alive = false;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
};

/**
 * A daily as a card of the lobby.
 * @param {Challenge} daily
 * @param {RulesetInfo | undefined} game
 */
function card(daily, game) {
  const own = daily.own ?? null;
  const path = `/daily/${daily.date}/${daily.ruleset}`;
  const board = `/boards/daily/${daily.date}/${daily.ruleset}`;
  const rules = `/rules/${encodeURIComponent(daily.ruleset)}`;
  const status = own === null ? "new" : own.over === null ? "open" : own.over === "won" ? "won" : "over";
  return h("article", { class: "daily", "data-ruleset": daily.ruleset, "data-status": status },
    h("div", { class: "daily-picture", "aria-hidden": "true" }, picture(game)),
    h("div", { class: "daily-text" },
      h("h2", {}, h("a", { class: "daily-link", href: path, "data-start": status === "new" }, t(daily.title)),
        daily.difficulty ? h("span", { class: "level", "data-level": daily.difficulty }, difficulty(daily.difficulty)) : null),
      ownState(daily),
      h("p", { class: "daily-players" }, icon("people"), daily.players
        ? n("{count} has started", "{count} have started", daily.players) : t("Be the first!"))),
    h("div", { class: "daily-acts" },
      h("span", { class: `button ${status === "new" || status === "open" ? "button-main" : ""}`, "aria-hidden": "true" },
        status === "new" ? t("Play") : status === "open" ? t("Continue") : t("Result")),
      h("span", { class: "daily-more" },
        h("a", { class: "daily-board daily-rules", href: rules, "aria-label": t("Rules of {game}", { game: t(daily.title) }) }, icon("rules"), h("span", {}, t("Rules"))),
        h("a", { class: "daily-board", href: board, "aria-label": t("Board of {game}", { game: t(daily.title) }) }, icon("board"), h("span", {}, t("Board"))))));
}

/**
 * How the reader stands in a deal.
 * @param {Challenge} deal
 */
export function ownState({ own }) {
  if (!own) return h("p", { class: "daily-state" }, h("span", { class: "chip chip-new" }, t("New")));
  if (own.over === null) {
    return h("p", { class: "daily-state" }, h("span", { class: "chip chip-open" }, t("In play")),
      h("span", {}, t("{progress} of {maximum}", { progress: number(own.progress), maximum: number(own.maximum) })));
  }
  const rank = rankText(own.rank, own.of);
  return h("p", { class: "daily-state" },
    h("span", { class: own.over === "won" ? "chip chip-won" : "chip" }, verdict(own.over)),
    h("span", { class: "figures-line" }, h("bdi", {}, own.over === "won" ? clock(own.time_ms)
      : t("{progress} of {maximum}", { progress: number(own.progress), maximum: number(own.maximum) })),
    " · ", n("{count} move", "{count} moves", own.moves)),
    rank ? h("strong", { class: "daily-rank" }, rank) : null);
}

/**
 * The table of a game in miniature, drawn from its layout.
 * @param {RulesetInfo | undefined} game
 */
function picture(game) {
  const layout = game?.layout;
  const piles = (layout?.tall ?? layout?.piles ?? []).filter((pile) => pile.kind !== layout?.fit || inMiddle(pile));
  if (!piles.length) return s("svg", { viewBox: "0 0 24 24", class: "mini" }, s("rect", { class: "mini-card", x: 7, y: 3, width: 11, height: 16, rx: 1.5 }));
  const left = Math.min(...piles.map((pile) => pile.x));
  const top = Math.min(...piles.map((pile) => pile.y));
  const width = Math.max(...piles.map((pile) => pile.x)) - left + 1;
  const height = Math.max(...piles.map((pile) => pile.y + (pile.fan === "down" ? 0.9 : 0))) - top + 1;
  return s("svg", { viewBox: `-2 -2 ${width * 10.8 + 3} ${height * 15 + 3}`, class: "mini" }, piles.map((pile) => {
    const x = (pile.x - left) * 10.8;
    const y = (pile.y - top) * 15;
    const rows = pile.fan === "down" ? [0, 1, 2] : [0];
    return rows.map((row) => s("rect", {
      class: pile.kind === "stock" ? "mini-card mini-back" : pile.kind === "foundation" || pile.kind === "waste" ? "mini-card mini-slot" : "mini-card",
      x, y: y + row * 4.5, width: 10, height: 14, rx: 1.6,
    }));
  }));
}

/** @param {import("../types.js").PileSpec} pile */
function inMiddle(pile) {
  return pile.x >= 1 && pile.x < 5 && pile.y >= 1 && pile.y < 5;
}
