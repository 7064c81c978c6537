/** The board of a daily: everybody's results, the reader's own always in sight, pages both ways, and the days before. */

import { board as fetchBoard, dailies, player, rulesets } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { clock, day, isDay, number, sentence, shiftDay } from "../format.js";
import { n, t } from "../i18n.js";
import { verdict } from "../table/words.js";
import { view as notFound } from "./notfound.js";
import { failure, loading, playerName } from "./parts.js";

/** @typedef {import("../types.js").Board} BoardPage */
/** @typedef {import("../types.js").BoardRow} BoardRow */

/** Rows of a page. */
const LIMIT = 25;

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  const [date, ruleset] = visit.params;
  if (isDay(date)) {
    showDay(root, visit);
    return undefined;
  }
  if (date !== "today" && date !== "tomorrow") return notFound(root, visit);
  let alive = true;
  const load = () => {
    fill(root, loading());
    dailies(date).then((found) => {
      if (!alive) return;
      // An address to be shared names the day: what is called today is another board tomorrow.
      history.replaceState(null, "", `/boards/daily/${found.date}/${encodeURIComponent(ruleset)}${location.search}`);
      showDay(root, { ...visit, params: [found.date, ruleset] });
    }, (error) => alive && fill(root, failure(error, load)));
  };
  load();
  return () => { alive = false; };
};

/** @type {(root: HTMLElement, visit: import("../main.js").Visit) => void} */
function showDay(root, { params: [date, ruleset], query, title, go }) {
  const by = query.get("by") === "moves" ? "moves" : "main";
  const here = `/boards/daily/${encodeURIComponent(date)}/${encodeURIComponent(ruleset)}`;
  /** @param {Record<string, string>} more */
  const link = (more) => `${here}?${new URLSearchParams({ ...(by === "moves" ? { by } : {}), ...more })}`;
  const place = h("div", { class: "board-place" }, loading());
  const heading = h("h1", {}, t("Board"));
  const dateInput = h("input", { type: "date", value: date, "aria-label": t("Day of the board") });
  dateInput.addEventListener("change", () => {
    if (dateInput.value) go(`/boards/daily/${dateInput.value}/${encodeURIComponent(ruleset)}`);
  });
  const later = h("a", { class: "tool", href: `/boards/daily/${shiftDay(date, 1)}/${ruleset}`, title: t("The day after"), hidden: true },
    icon("next"), h("span", { class: "visually-hidden" }, t("The day after")));
  const orders = h("nav", { class: "tabs", "aria-label": t("Order"), hidden: true },
    h("a", { href: here, "aria-current": by === "main" ? "page" : null }, t("Main ranking")),
    h("a", { href: `${here}?by=moves`, "aria-current": by === "moves" ? "page" : null }, t("Fewest moves")));
  const more = h("nav", { class: "board-more", "aria-label": t("More") });
  fill(root, h("section", { class: "board-page" },
    h("div", { class: "board-head" }, h("div", {}, heading, h("p", { class: "lobby-date" }, day(date))),
      h("nav", { class: "board-days", "aria-label": t("Days") },
        h("a", { class: "tool", href: `/boards/daily/${shiftDay(date, -1)}/${ruleset}`, title: t("The day before") }, icon("back"), h("span", { class: "visually-hidden" }, t("The day before"))),
        dateInput,
        later)),
    orders, place, more));

  const load = async () => {
    fill(place, loading());
    const wanted = { by, limit: String(LIMIT) };
    for (const key of ["after", "before", "around"]) {
      const value = query.get(key);
      if (value) Object.assign(wanted, { [key]: value });
    }
    try {
      const fetched = fetchBoard(date, ruleset, wanted).catch((error) => error);
      const [today, games] = await Promise.all([dailies("today").catch(() => null), rulesets().catch(() => [])]);
      const game = games.find((one) => one.key === ruleset);
      heading.textContent = t(game?.title ?? ruleset);
      title(sentence(t(game?.title ?? ruleset), day(date, "short")));
      later.hidden = !today || date >= today.date;
      // Where both orders have the same keys there is nothing to choose.
      orders.hidden = !game || String(game.rankings.main) === String(game.rankings.moves);
      const page = await fetched;
      fill(more, game ? h("a", { href: `/rules/${encodeURIComponent(ruleset)}` }, t("Rules")) : null,
        "challenge" in page ? h("a", { href: `/verify/${encodeURIComponent(page.challenge.id)}` }, page.challenge.seed ? t("Verify the deal") : t("How to verify")) : null,
        (today?.dailies ?? []).filter((other) => other.ruleset !== ruleset)
          .map((other) => h("a", { href: `/boards/daily/${date}/${encodeURIComponent(other.ruleset)}` }, t(other.title))));
      if (page instanceof Error) throw page;
      show(page, (await player()).id, game?.maximum ?? null);
    } catch (error) {
      fill(place, failure(error, () => void load()));
    }
  };

  /**
   * @param {BoardPage} page
   * @param {string} me
   * @param {number | null} maximum
   */
  function show(page, me, maximum) {
    if (!page.total) {
      fill(place, h("div", { class: "empty" }, h("p", {}, t("Nobody has finished this deal yet.")),
        h("a", { class: "button button-main", href: `/daily/${date}/${ruleset}` }, t("Play it"))));
      return;
    }
    const scored = [...page.rows, page.me].some((row) => typeof row?.score === "number");
    const apart = page.me && !page.rows.some((row) => row.player.id === me) ? page.me : null;
    fill(place,
      h("p", { class: "board-total" }, n("{count} result", "{count} results", page.total)),
      h("div", { class: "board-scroll" }, h("table", { class: "results" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "num" }, t("Rank")), h("th", { scope: "col" }, t("Player")), h("th", { scope: "col", class: "col-result" }, t("Result")),
          h("th", { scope: "col", class: "num" }, t("Time")), h("th", { scope: "col", class: "num" }, t("Moves")),
          scored ? h("th", { scope: "col", class: "num" }, t("Score")) : null)),
        h("tbody", {}, page.rows.map((row) => rowOf(row, row.player.id === me, maximum, scored))),
        apart ? h("tbody", { class: "own-apart" }, rowOf(apart, true, maximum, scored)) : null)),
      h("nav", { class: "pager", "aria-label": t("Pages of the board") },
        page.previous ? h("a", { class: "button", href: link({ before: page.previous }) }, icon("back"), t("Better")) : h("span"),
        page.me ? h("a", { class: "button", href: link({ around: "me" }) }, t("Around me")) : null,
        page.next ? h("a", { class: "button", href: link({ after: page.next }) }, t("Further down"), icon("next")) : h("span")));
  }

  void load();
}

/**
 * @param {BoardRow} row
 * @param {boolean} own
 * @param {number | null} maximum
 * @param {boolean} scored
 */
function rowOf(row, own, maximum, scored) {
  const won = row.outcome === "won";
  const outcome = verdict(/** @type {import("../types.js").Over} */ (row.outcome === "open" ? null : row.outcome));
  const progress = () => h("span", { class: "board-progress", dir: "ltr" }, maximum ? `${number(row.progress)} / ${number(maximum)}` : number(row.progress));
  return h("tr", { class: own ? "own" : null, "data-rank": row.rank },
    h("td", { class: "num rank" }, number(row.rank)),
    h("th", { scope: "row" }, playerName(row.player), own ? h("span", { class: "badge badge-you" }, t("you")) : null,
      won ? null : h("span", { class: "row-state" }, outcome, " ", progress())),
    h("td", { class: "col-result" }, h("span", { class: won ? "chip chip-won" : "chip" }, outcome),
      won ? null : progress()),
    h("td", { class: "num", dir: "ltr" }, clock(row.time_ms, true)),
    h("td", { class: "num" }, number(row.moves)),
    scored ? h("td", { class: "num" }, typeof row.score === "number" ? number(row.score) : "–") : null);
}
