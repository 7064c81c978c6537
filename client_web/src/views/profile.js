/** A player's page: streak, days, what he has reached in each game, and his latest games. */

import { boardOf } from "../addresses.js";
import { ApiError, calendar as fetchCalendar, dailies, profile as fetchProfile } from "../api.js";
import { histogram } from "../charts/histogram.js";
import { fill, h, icon } from "../dom.js";
import { clock, day, localInstant, monthName, number, percent } from "../format.js";
import { n, rich, t } from "../i18n.js";
import { announce } from "../live.js";
import { follow, viewer } from "../session.js";
import { rankText, verdict } from "../table/words.js";
import { dayStateText } from "./days.js";
import { followLists } from "./follows.js";
import { view as notFound } from "./notfound.js";
import { failure, loading, playerName } from "./parts.js";

/** @typedef {import("../types.js").Profile} Profile */
/** @typedef {import("../types.js").GameRecord} GameRecord */
/** @typedef {import("../types.js").RecentGame} RecentGame */
/** @typedef {import("../types.js").Calendar} Calendar */

/** A distribution says something from so many wins on. */
const SPREAD_FROM = 3;

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  const { params: [id], title } = visit;
  let alive = true;
  const load = async () => {
    fill(root, loading());
    try {
      const [found, me, today] = await Promise.all([fetchProfile(id), viewer().catch(() => null), dailies("today")]);
      const month = await fetchCalendar(id, today.date.slice(0, 7)).catch(() => null);
      if (!alive) return;
      title(found.player.name);
      fill(root, page(found, month, me?.id === found.player.id));
    } catch (error) {
      if (!alive) return;
      if (error instanceof ApiError && error.status === 404) notFound(root, visit);
      else fill(root, failure(error, () => void load()));
    }
  };
  void load();
  return () => { alive = false; };
};

/**
 * @param {Profile} found
 * @param {Calendar | null} month
 * @param {boolean} own
 */
function page(found, month, own) {
  const counts = followCounts(found);
  return h("article", { class: "profile" },
    h("header", { class: "profile-head" },
      h("div", { class: "profile-names" },
        h("h1", {}, playerName(found.player), own ? h("span", { class: "badge badge-you" }, t("you")) : null),
        h("p", { class: "lobby-date" }, rich("Here since {date}", { date: day(found.since, "short") }))),
      own ? ownActs() : followAct(found, counts)),
    h("div", { class: "profile-top" }, streakPanel(found, counts), month ? strip(month, own) : null),
    own ? followLists(found, (change) => counts.following.set(counts.following.value + change)) : null,
    found.games.length ? h("section", { class: "profile-games", "aria-labelledby": "games" }, h("h2", { id: "games" }, t("Games")),
      h("div", { class: "game-list" }, found.games.map(gamePanel))) : h("p", { class: "empty" }, t("No finished games yet.")),
    found.recent.length ? recentGames(found.recent) : null);
}

function ownActs() {
  return h("div", { class: "buttons" },
    h("a", { class: "button", href: "/calendar" }, icon("calendar"), t("Calendar")),
    h("a", { class: "button", href: "/settings" }, t("Change your name")));
}

/**
 * A number that stands in several places and changes in all of them.
 * @param {number} value
 */
function counter(value) {
  /** @type {((value: number) => void)[]} */
  const places = [];
  return {
    value,
    /** @param {number} now */
    set(now) {
      this.value = now;
      for (const place of places) place(now);
    },
    /**
     * An element that always tells the number.
     * @template {HTMLElement} E
     * @param {E} element
     * @param {(value: number) => string} words
     * @returns {E}
     */
    in(element, words) {
      const show = (/** @type {number} */ now) => { element.textContent = words(now); };
      places.push(show);
      show(this.value);
      return element;
    },
  };
}

/** @param {Profile} found */
function followCounts({ followers, following }) {
  return { followers: counter(followers), following: counter(following) };
}

/** @typedef {ReturnType<typeof followCounts>} FollowCounts */

/**
 * @param {Profile} found
 * @param {FollowCounts} counts
 */
function followAct(found, counts) {
  let followed = found.followed;
  const count = counts.followers.in(h("p", { class: "small" }), (value) => n("{count} follower", "{count} followers", value));
  const act = h("button", { type: "button", class: "button" });
  const show = () => {
    act.setAttribute("aria-pressed", String(followed));
    act.className = followed ? "button" : "button button-main";
    fill(act, icon(followed ? "check" : "people"), followed ? t("Following") : t("Follow"));
  };
  show();
  act.addEventListener("click", async () => {
    act.disabled = true;
    try {
      const answer = await follow(found.player.id, !followed);
      followed = answer.followed;
      counts.followers.set(answer.followers);
      show();
      announce(followed ? t("You follow {name} now.", { name: found.player.name }) : t("You no longer follow {name}.", { name: found.player.name }));
    } catch {
      count.textContent = t("That did not work. Please try again.");
      announce(count.textContent);
    } finally {
      act.disabled = false;
      act.focus();
    }
  });
  return h("div", { class: "follow" }, act, count);
}

/**
 * @param {Profile} found
 * @param {FollowCounts} counts
 */
function streakPanel({ streak }, { followers, following }) {
  const marks = [0, 1, 2].map((at) => h("span", { class: at < streak.freezes ? "freeze on" : "freeze" }, icon("flake")));
  return h("section", { class: "panel streak", "aria-labelledby": "streak" },
    h("h2", { id: "streak" }, t("Streak")),
    h("p", { class: "streak-now" }, h("strong", {}, number(streak.current)), " ", n("day in a row", "days in a row", streak.current)),
    h("dl", { class: "facts" },
      fact(t("Longest"), n("{count} day", "{count} days", streak.longest)),
      fact(t("Freezes"), h("span", { class: "freezes", role: "img", "aria-label": t("{count} of {most}", { count: number(streak.freezes), most: number(3) }) }, marks)),
      fact(t("Followers"), followers.in(h("span"), number)), fact(t("Follows"), following.in(h("span"), number))),
    h("p", { class: "small" }, streak.freezes < 3 ? n("The next freeze comes in {count} day.", "The next freeze comes in {count} days.", streak.next_freeze_in) : t("There are never more than three freezes."), " ",
      t("A freeze covers a missed day by itself. Days on which the server was away never count as missed.")));
}

/**
 * @param {string} name
 * @param {Node | string} value
 */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
}

/**
 * The days of a month in a row.
 * @param {Calendar} month
 * @param {boolean} own
 */
function strip(month, own) {
  return h("section", { class: "panel days-panel", "aria-labelledby": "days" },
    h("h2", { id: "days" }, monthName(month.month)),
    h("ol", { class: "strip" }, month.days.map((one) => {
      const won = one.results.filter(({ outcome }) => outcome === "won").length;
      const told = `${day(one.date)}: ${dayStateText(one)}`;
      return h("li", { class: won ? "strip-day strip-won" : "strip-day", "data-state": one.state, title: told },
        h("span", { class: "visually-hidden" }, told), h("span", { "aria-hidden": "true" }, one.state === "frozen" ? icon("flake") : number(Number(one.date.slice(-2)))));
    })),
    h("p", { class: "small" }, t("Filled days were played; a dot marks those on which a deal was won.")),
    own ? h("a", { href: "/calendar" }, t("The whole calendar")) : null);
}

/** @param {GameRecord} game */
function gamePanel(game) {
  return h("article", { class: "panel game" },
    h("h3", {}, h("a", { href: `/boards/records/${encodeURIComponent(game.ruleset)}` }, t(game.title))),
    h("dl", { class: "facts" },
      fact(t("Played"), number(game.played)),
      fact(t("Won"), [number(game.won), game.played ? ` (${percent(game.won / game.played)})` : ""].join("")),
      game.best_score === null ? null : fact(t("Best score"), number(game.best_score)),
      fact(t("Best time"), timeText(game.best_time_ms, true)),
      fact(t("Median time"), timeText(game.median_time_ms, false)),
      fact(t("Fewest moves"), game.fewest_moves === null ? "–" : number(game.fewest_moves))),
    game.times && game.times.total >= SPREAD_FROM ? histogram(game.times, t("Times of wins")) : null,
    game.moves && game.moves.total >= SPREAD_FROM ? histogram(game.moves, t("Moves of wins")) : null);
}

/**
 * @param {number | null} ms
 * @param {boolean} tenths
 */
function timeText(ms, tenths) {
  return ms === null ? "–" : h("bdi", { dir: "ltr" }, clock(ms, tenths));
}

/** @param {RecentGame[]} games */
function recentGames(games) {
  return h("section", { class: "recent", "aria-labelledby": "recent" },
    h("h2", { id: "recent" }, t("Latest games")),
    h("div", { class: "board-scroll" }, h("table", { class: "results" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Game")), h("th", { scope: "col", class: "col-result" }, t("Result")), h("th", { scope: "col", class: "num" }, t("Time")),
        h("th", { scope: "col", class: "num col-result" }, t("Moves")), h("th", { scope: "col", class: "num" }, t("Rank")))),
      h("tbody", {}, games.map((game) => {
        const over = /** @type {import("../types.js").Over} */ (game.outcome);
        const progress = h("bdi", { class: "board-progress", dir: "ltr" }, `${number(game.progress)} / ${number(game.maximum)}`);
        const when = game.kind === "practice" ? localInstant(Date.parse(game.finished_at))
          : h("a", { href: boardOf({ ...game, id: game.challenge }) }, game.date ? day(game.date, "short") : localInstant(Date.parse(game.finished_at)));
        const rank = rankText(game.rank, game.of);
        return h("tr", {},
          h("th", { scope: "row" }, h("span", { class: "recent-game" }, t(game.title)), h("span", { class: "recent-day" }, when, over === "won" ? null : h("span", { class: "narrow" }, " · ", verdict(over)),
            game.score === null ? null : h("span", { class: "narrow" }, " · ", t("score {score}", { score: number(game.score) })))),
          h("td", { class: "col-result" }, h("span", { class: over === "won" ? "chip chip-won" : "chip" }, verdict(over)), over === "won" ? null : progress, game.score === null ? null : h("span", { class: "recent-score" }, t("score {score}", { score: number(game.score) }))),
          h("td", { class: "num" }, h("bdi", { dir: "ltr" }, clock(game.time_ms, true))),
          h("td", { class: "num col-result" }, number(game.moves)),
          h("td", { class: "num" }, rank ?? "–"));
      })))));
}
