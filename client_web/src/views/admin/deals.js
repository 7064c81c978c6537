/** The stock of certified deals: searching it, and searching for fresh ones in the background. No seed is ever shown. */

import { ApiError, rulesets } from "../../api.js";
import { fill, h } from "../../dom.js";
import { day, number, percent, sentence } from "../../format.js";
import { n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { field, formDialog, instant, levelBars, Message, onSubmit, select, show, table } from "./parts.js";
import { askPreview } from "./previewing.js";
import { fetchStock, stockNote } from "./stock.js";
import { ask } from "./who.js";
import { LEVELS, levelName } from "./words.js";

/** @typedef {import("./types.js").Deal} Deal */
/** @typedef {import("./types.js").Search} Search */
/** @typedef {import("./types.js").Cell} Cell */

/** Milliseconds between two looks at a search that runs. */
const LOOK_MS = 1000;

/** @type {import("./types.js").Section} */
export const section = (root, seat) => {
  const { query } = seat.visit;
  const may = (/** @type {string} */ action) => seat.me.actions.includes(action);
  const date = query.get("date");
  let alive = true;
  let timer = 0;
  /** @type {Map<string, string>} */
  let titles = new Map();
  const alarm = h("div");
  const message = new Message();
  const form = h("form", { class: "admin-form panel" });
  const job = h("section", { class: "panel", hidden: true, "aria-label": t("Search") });
  const results = h("section", { class: "admin-list" });
  fill(root, h("h1", {}, t("Deals")), date ? h("p", { class: "message", "data-kind": "notice" }, t("Choosing a deal for {day}.", { day: day(date) })) : null, alarm, form, message.element, job, results);
  void start();

  async function start() {
    await show(form, () => Promise.all([rulesets(), fetchStock()]), ([games, stock]) => {
      if (!alive) return null;
      titles = new Map(games.map(({ key, title }) => [key, title]));
      fill(alarm, date ? null : stockNote(stock, false));
      return fields(stock.rulesets.map(({ ruleset, title, levels }) => [ruleset, `${t(title)} (${number(LEVELS.reduce((sum, level) => sum + (levels[level] ?? 0), 0))})`]));
    });
    if (alive) await Promise.all([look(), running()]);
  }

  /** @type {() => Record<string, unknown>} */
  let wish = () => ({});

  /** @param {[string, string][]} games */
  function fields(games) {
    const game = select(games, query.get("ruleset") ?? games[0]?.[0]);
    const wanted = query.getAll("difficulty");
    const levels = LEVELS.map((level) => h("input", { type: "checkbox", value: level, checked: wanted.includes(level) }));
    const figure = () => h("input", { type: "number", min: 0, max: 1000, inputmode: "numeric", class: "admin-short" });
    const [parLeast, parMost, freeLeast, freeMost] = [figure(), figure(), figure(), figure()];
    /** @param {HTMLInputElement} input */
    const value = (input) => (input.value === "" ? null : Number(input.value));
    wish = () => ({
      ruleset: game.value, difficulty: levels.filter(({ checked }) => checked).map((box) => box.value),
      par_least: value(parLeast), par_most: value(parMost), free_least: value(freeLeast), free_most: value(freeMost),
    });
    return [
      h("div", { class: "admin-row" }, field(t("Game"), game),
        h("fieldset", { class: "admin-set" }, h("legend", {}, t("Difficulty")), h("div", { class: "admin-checks" }, levels.map((box) => h("label", { class: "admin-check" }, box, h("span", {}, levelName(box.value))))))),
      h("div", { class: "admin-row" }, field(t("Par from"), parLeast), field(t("Par to"), parMost), field(t("Free first moves from"), freeLeast), field(t("Free first moves to"), freeMost)),
      h("div", { class: "buttons" }, h("button", { class: "button button-main" }, t("Look in stock")), may("deals.search") ? button(t("Search for fresh deals…"), begin) : null),
    ];
  }

  onSubmit(form, look);

  /** @param {string | null} [after] */
  async function look(after = null) {
    message.clear();
    const parts = Object.entries(wish()).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).filter((one) => one !== null).map((one) => /** @type {[string, string]} */ ([name, String(one)])));
    await show(results, () => /** @type {Promise<{deals: Deal[], next: string | null}>} */ (ask("GET", `/deals?${new URLSearchParams([...parts, ...(after ? [["after", after]] : [])])}`)), ({ deals, next }) => {
      announce(n("{count} deal", "{count} deals", deals.length));
      return [h("h2", {}, t("In stock")), deals.length ? dealTable(deals) : h("p", {}, t("No free deal of the stock fits. Search for fresh ones, or ask for less.")),
        next ? button(t("More"), () => void look(next)) : null];
    });
  }

  /** @param {Deal[]} deals */
  function dealTable(deals) {
    return table(t("Deals"), [t("Game"), t("Difficulty"), t("Par"), t("Free first moves"), t("Dead ends in random play"), h("span", { class: "visually-hidden" }, t("Acts"))], deals.map((deal) => h("tr", {},
      h("th", { scope: "row" }, titleOf(deal)),
      h("td", {}, h("span", { class: "plan-level" }, levelBars(deal.difficulty), levelName(deal.difficulty))),
      h("td", {}, deal.score === null ? number(deal.par) : number(deal.score), deal.score !== null || deal.par_exact ? null : h("span", { class: "small" }, " ", t("best known"))),
      h("td", {}, h("bdi", { dir: "ltr" }, `${number(deal.winnable_first_moves)} / ${number(deal.first_moves)}`)),
      h("td", {}, percent(deal.dead_ends / 1000)),
      h("td", {}, h("div", { class: "admin-acts" },
        may("calendar.write") ? button(date ? t("Take it") : t("Schedule…"), () => schedule(deal), "button-small button-main") : null,
        may("deals.preview") ? button(t("Preview…"), () => void askPreview(seat, { deal: deal.id }, deal.ruleset, sentence(titleOf(deal), levelName(deal.difficulty)), () => undefined), "button-small") : null)))));
  }

  /** @param {{ruleset: string}} deal */
  function titleOf(deal) {
    const title = titles.get(deal.ruleset) ?? deal.ruleset;
    return t(title);
  }

  /** @param {Deal} deal */
  function schedule(deal) {
    const on = h("input", { type: "date", required: true, value: date ?? "" });
    formDialog({
      title: t("Schedule a deal"), yes: t("Schedule"),
      body: [h("p", {}, sentence(titleOf(deal), levelName(deal.difficulty))), field(t("Day"), on, t("What was planned there makes room. Only coming days can be planned."))],
      act: async () => {
        const plan = /** @type {import("./types.js").Plan} */ (await ask("GET", `/calendar?first=${on.value}&last=${on.value}`));
        const cell = plan.cells.find(({ ruleset }) => ruleset === deal.ruleset);
        if (!cell) throw new ApiError(409, "calendar/locked");
        await ask("PUT", `/calendar/${on.value}/${encodeURIComponent(deal.ruleset)}`, { version: cell.version, deal: deal.id });
        void look().then(() => message.say(t("Planned: {what}.", { what: sentence(t(cell.title), day(on.value)) })));
      },
    });
  }

  function begin() {
    const count = h("input", { type: "number", min: 1, max: 100, value: 10, required: true });
    const tries = h("input", { type: "number", min: 1, max: 5000, value: 200, required: true });
    formDialog({
      title: t("Search for fresh deals"), yes: t("Search"),
      body: [h("p", { class: "small" }, t("The server deals and solves in the background until it has found enough, or has looked at as many as you allow. What fits is put into stock.")),
        h("div", { class: "admin-row" }, field(t("Deals wanted"), count), field(t("Deals looked at, at most"), tries))],
      act: async () => drawJob(await ask("POST", "/searches", { ...wish(), count: Number(count.value), tries: Number(tries.value) })),
    });
  }

  /** Finds a search that runs already. */
  async function running() {
    const { searches } = /** @type {{searches: Search[]}} */ (await ask("GET", "/searches").catch(() => ({ searches: [] })));
    const going = searches.find(({ state }) => state === "running");
    if (going) drawJob(going);
  }

  const bar = h("progress", { "aria-label": t("Deals looked at") });
  const count = h("p", { class: "small" });
  const found = h("div", { class: "admin-list" });
  let shown = "";

  /**
   * Shows how far a search is. What can be touched is made anew only where the search has begun or ended.
   * @param {Search} search
   */
  function drawJob(search) {
    if (!alive) return;
    const going = search.state === "running";
    if (shown !== `${search.id} ${search.state}`) {
      shown = `${search.id} ${search.state}`;
      const focused = job.contains(document.activeElement);
      const words = { running: t("Searching…"), done: t("The search is done."), cancelled: t("The search was cancelled."), failed: t("The search has failed.") }[search.state];
      const cancel = going && may("deals.search") ? button(t("Cancel"), () => void ask("POST", `/searches/${search.id}/cancel`).then((stopped) => drawJob(/** @type {Search} */ (stopped)), (error) => message.fail(error)), "button-small") : null;
      fill(job, h("div", { class: "admin-line" }, h("h2", { tabindex: "-1" }, words), h("span", { class: "small" }, titleOf(search), " · ", instant(search.begun_at)), cancel), bar, count, found);
      job.hidden = false;
      announce(words);
      if (focused) (cancel ?? job.querySelector("h2"))?.focus();
      if (!going) void look();
    }
    bar.max = Math.max(1, search.total);
    bar.value = search.done;
    count.textContent = `${n("{done} of {count} deal looked at,", "{done} of {count} deals looked at,", search.total, { done: number(search.done) })} ${n("{count} found", "{count} found", search.found)}`;
    const ids = search.deals.map(({ id }) => id).join(" ");
    if (found.dataset.deals !== ids) {
      found.dataset.deals = ids;
      fill(found, search.deals.length ? dealTable(search.deals) : null);
    }
    clearTimeout(timer);
    if (going) timer = setTimeout(() => void follow(search), LOOK_MS);
  }

  /** @param {Search} search one that runs */
  async function follow(search) {
    try {
      drawJob(await ask("GET", `/searches/${search.id}`));
    } catch (error) {
      if (!alive) return;
      message.fail(error);
      // A server that is away comes back, and the search may run on meanwhile.
      if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) timer = setTimeout(() => void follow(search), 5 * LOOK_MS);
    }
  }

  return () => {
    alive = false;
    clearTimeout(timer);
  };
};
