/** Rulings on what has begun: the deals of a day, and one challenge with its attempts. */

import { ApiError, dailies } from "../../api.js";
import { fill, h } from "../../dom.js";
import { clock, day, localInstant, number, sentence } from "../../format.js";
import { n, t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { verdict } from "../../table/words.js";
import { rulingDialog } from "./effect.js";
import { factList, field, instant, Message, onSubmit, show, table } from "./parts.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").Attempts} Attempts */
/** @typedef {import("./types.js").AttemptLine} AttemptLine */
/** @typedef {import("./types.js").Ruled} Ruled */

/** @type {import("./types.js").Section} */
export const section = (root, seat) => {
  if (seat.parts[0]) one(root, seat, seat.parts[0]);
  else days(root, seat);
};

/**
 * The deals of a day, to choose one.
 * @param {HTMLElement} root
 * @param {import("./types.js").Seat} seat
 */
function days(root, { visit }) {
  const on = h("input", { type: "date", required: true, value: visit.query.get("day") ?? "" });
  const place = h("section", { class: "admin-list" });
  const form = h("form", { class: "admin-line panel" }, field(t("Day"), on), h("button", { class: "button button-main" }, t("Show")));
  const load = () => show(place, async () => {
    try {
      const found = await dailies(on.value || "today");
      on.value ||= found.date;
      return found.dailies;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }, (deals) => {
    history.replaceState(null, "", `${location.pathname}?day=${encodeURIComponent(on.value)}`);
    return deals.length ? h("ul", { class: "admin-deals panel" }, deals.map((deal) => h("li", { class: "admin-line" },
      h("a", { href: `/admin/rulings/${encodeURIComponent(deal.id)}` }, t(deal.title)), chips(deal), isComing(deal) ? null : h("span", { class: "small" }, n("{count} player", "{count} players", deal.players)))))
      : h("p", {}, t("There were no deals on this day."));
  });
  onSubmit(form, load);
  fill(root, h("h1", {}, t("Rulings")), h("p", { class: "small" }, t("What has begun is never changed, only ruled on: made void, extended, or freed of an attempt. All boards after it are computed again.")), form, place);
  void load();
}

/** @param {Ruled} deal */
const isComing = (deal) => deal.players === undefined;

/** @param {Ruled} deal */
function chips(deal) {
  const closed = typeof deal.seed === "string";
  const running = !closed && !isComing(deal);
  return h("span", { class: "chips" }, deal.void ? h("span", { class: "chip chip-void" }, t("void")) : h("span", { class: running ? "chip chip-open" : "chip" }, closed ? t("closed") : running ? t("running") : t("coming")),
    deal.ranked === false ? h("span", { class: "chip" }, t("unranked")) : null);
}

/**
 * A challenge and its attempts.
 * @param {HTMLElement} root
 * @param {import("./types.js").Seat} seat
 * @param {string} id
 */
function one(root, { me, visit }, id) {
  const may = me.actions.includes("rulings.write");
  const heading = h("h1", {}, t("Rulings"));
  const head = h("section", { class: "panel" });
  const message = new Message();
  const list = h("section", { class: "admin-list" });
  const path = `/challenges/${encodeURIComponent(id)}`;
  fill(root, h("a", { class: "admin-up", href: "/admin/rulings" }, t("All days")), heading, head, message.element, list);
  void load();

  async function load() {
    await show(head, () => /** @type {Promise<Attempts>} */ (ask("GET", path)), (found) => {
      const deal = found.challenge;
      const name = sentence(t(deal.title), deal.date ? day(deal.date) : t("Event"));
      heading.textContent = name;
      visit.title(`${name}: ${t("Rulings")}`);
      rows = [];
      more(found, deal);
      return about(deal);
    });
  }

  /** @type {HTMLElement[]} */
  let rows = [];

  /** @param {Ruled} deal */
  function about(deal) {
    const closed = typeof deal.seed === "string";
    const name = heading.textContent ?? "";
    return [
      h("div", { class: "admin-line" }, chips(deal)),
      factList([[isComing(deal) ? t("Opens") : t("Opened"), instant(deal.opens_at)], [t("Can be started until"), instant(deal.ends_at)], [t("Closes"), instant(deal.closes_at)], [t("Players"), isComing(deal) ? "–" : number(deal.players)]]),
      h("div", { class: "buttons" },
        may && !deal.void ? button(t("Make void…"), () => rulingDialog({
          title: t("Make void: {what}", { what: name }), yes: t("Make it void"), path: `${path}/void`,
          words: t("All attempts at this deal stop counting: no rank, no points, no records. It breaks nobody’s streak. This cannot be taken back."),
          done: () => void after(t("Void: {what}.", { what: name })),
        }), "button-bad") : null,
        may && !deal.void && !closed && deal.ends_at ? button(t("Extend…"), () => extend(deal, name)) : null,
        deal.date ? h("a", { class: "button", href: `/boards/daily/${deal.date}/${encodeURIComponent(deal.ruleset)}` }, t("Board")) : null,
        me.actions.includes("results.read") && closed ? h("a", { class: "button", href: `/api/v1/admin/export/results?challenge=${encodeURIComponent(id)}`, download: true }, t("Results as CSV")) : null),
    ];
  }

  /**
   * @param {Ruled} deal
   * @param {string} name
   */
  function extend(deal, name) {
    const from = new Date(Date.parse(deal.ends_at ?? "") + 3_600_000);
    const local = new Date(from.getTime() - from.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    const until = h("input", { type: "datetime-local", required: true, value: local });
    rulingDialog({
      title: t("Extend: {what}", { what: name }), yes: t("Extend it"), path: `${path}/extend`,
      words: t("It can be started until later, and closes as much later."),
      more: { name: "until", label: t("Can be started until"), input: until, value: () => new Date(until.value).toISOString(), hint: t("In your own time; 31 days more at most.") },
      done: (effect) => void after(t("Extended: {what}. It can be started until {instant}.", { what: name, instant: effect.ends_at ? localInstant(Date.parse(effect.ends_at)) : "" })),
    });
  }

  /** @param {string} text */
  async function after(text) {
    await load();
    message.say(text);
    heading.tabIndex = -1;
    heading.focus();
  }

  /**
   * @param {Attempts} found
   * @param {Ruled} deal
   */
  function more(found, deal) {
    rows.push(...found.attempts.map((attempt) => row(attempt, deal)));
    fill(list, h("h2", {}, t("Ranked attempts")),
      rows.length ? table(t("Ranked attempts"), [t("Player"), t("Started"), t("State"), t("Time"), t("Moves"), t("Progress"), h("span", { class: "visually-hidden" }, t("Acts"))], rows) : h("p", {}, t("Nobody has started it.")),
      found.next !== null ? button(t("More"), () => void ask("GET", `${path}?after=${found.next}`).then((next) => more(/** @type {Attempts} */ (next), deal), (error) => message.fail(error))) : null);
  }

  /**
   * @param {AttemptLine} attempt
   * @param {Ruled} deal
   */
  function row(attempt, deal) {
    return h("tr", { class: visit.query.get("attempt") === attempt.attempt ? "own" : null },
      h("th", { scope: "row" }, h("a", { href: `/admin/players/${encodeURIComponent(attempt.player)}` }, h("bdi", {}, attempt.name))),
      h("td", {}, instant(attempt.started_at)), h("td", {}, h("span", { class: attempt.over === "void" ? "chip chip-void" : attempt.over === "won" ? "chip chip-won" : "chip" }, verdict(attempt.over))),
      h("td", { class: "num" }, h("bdi", { dir: "ltr" }, clock(attempt.time_ms, true))), h("td", { class: "num" }, number(attempt.moves)), h("td", { class: "num" }, number(attempt.progress)),
      h("td", {}, may && !deal.void && attempt.over !== "void" ? button(t("Exclude…"), () => rulingDialog({
        title: t("Exclude {name}", { name: attempt.name }), yes: t("Exclude it"), path: `/attempts/${encodeURIComponent(attempt.attempt)}/exclude`,
        words: t("This attempt stops counting, and its player has no other at this deal. Everybody behind moves up. This cannot be taken back."),
        done: () => void after(t("Excluded: the attempt of {name}.", { name: attempt.name })),
      }), "button-small button-bad") : null));
  }
}
