/** Events of one's own: the list, making one, changing and calling off what has not opened. */

import { rulesets } from "../../api.js";
import { fill, h } from "../../dom.js";
import { n, t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { field, formDialog, instant, levelOptions, Message, reasonInput, select, show } from "./parts.js";
import { askPreview } from "./previewing.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").EventBody} EventBody */

const HOUR = 3_600_000;

/** @param {EventBody["state"]} state */
function stateName(state) {
  switch (state) {
    case "coming": return t("coming");
    case "open": return t("running");
    case "void": return t("called off");
    default: return t("closed");
  }
}

/**
 * A field for an instant of the reader's own time.
 * @param {number} ms
 */
function instantInput(ms) {
  const at = new Date(ms);
  return h("input", { type: "datetime-local", required: true, value: new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16) });
}

/**
 * The address of a deal, for those who shall play it.
 * @param {string} id
 */
function handOut(id) {
  const url = `${location.origin}/challenge/${encodeURIComponent(id)}`;
  return h("a", { class: "admin-address", href: url }, h("code", { dir: "ltr" }, url));
}

/** @param {HTMLInputElement} input */
const iso = (input) => new Date(input.value).toISOString();

/**
 * The instant of a field; the given one, seconds and all, where nobody has touched it.
 * @param {HTMLInputElement} input
 * @param {string} given
 */
const kept = (input, given) => (input.value === input.defaultValue ? given : iso(input));

/** @type {import("./types.js").Section} */
export const section = (root, seat) => {
  const may = (/** @type {string} */ action) => seat.me.actions.includes(action);
  const message = new Message();
  const place = h("section", { class: "admin-list" });
  fill(root, h("div", { class: "admin-title" }, h("h1", {}, t("Events")), may("events.write") ? button(t("New event…"), () => void compose(), "button-main") : null), message.element, place);
  void load(null);

  /** @param {string | null} before */
  async function load(before) {
    await show(place, () => /** @type {Promise<{events: EventBody[], next: string | null}>} */ (ask("GET", `/events${before ? `?before=${encodeURIComponent(before)}` : ""}`)), ({ events, next }) => [
      events.length ? events.map(card) : h("p", { class: "empty" }, t("There are no events yet. An event is a row of deals under one name, with a board of its own.")),
      h("div", { class: "buttons" }, before === null ? null : button(t("Latest"), () => void load(null)), next === null ? null : button(t("Older"), () => void load(next))),
    ]);
  }

  /** @param {EventBody} event */
  function card(event) {
    const coming = event.state === "coming";
    return h("article", { class: "panel admin-event", "data-state": event.state },
      h("div", { class: "admin-line" }, h("h2", {}, h("bdi", {}, event.name)), h("span", { class: event.state === "void" ? "chip chip-void" : event.state === "open" ? "chip chip-open" : "chip" }, stateName(event.state)),
        event.challenges.some(({ ranked }) => ranked === false) ? h("span", { class: "chip" }, t("with unranked deals")) : null),
      h("p", { class: "small" }, t("Opens"), " ", instant(event.opens_at), " · ", t("Can be started until"), " ", instant(event.ends_at), " · ", t("Closes"), " ", instant(event.closes_at)),
      h("ul", { class: "admin-deals" }, event.challenges.map((deal) => h("li", { class: "admin-line" }, h("span", {}, t(deal.title)), deal.ranked === false ? h("span", { class: "chip" }, t("unranked")) : null, handOut(deal.id),
        coming && may("deals.preview") ? button(t("Preview…"), () => void askPreview(seat, { challenge: deal.id }, deal.ruleset, event.name, () => undefined), "button-small")
          : !coming && may("rulings.read") ? h("a", { class: "button button-small", href: `/admin/rulings/${encodeURIComponent(deal.id)}` }, t("Rulings…")) : null))),
      coming && may("events.write") ? h("div", { class: "buttons" }, button(t("Change…"), () => change(event), "button-small"), button(t("Call off…"), () => callOff(event), "button-small button-bad")) : null);
  }

  async function compose() {
    message.clear();
    /** @type {[string, string][]} */
    let games = [];
    try {
      games = (await rulesets()).map(({ key, title }) => [key, t(title)]);
    } catch (error) {
      message.fail(error);
      return;
    }
    const name = h("input", { type: "text", required: true, maxlength: 80, dir: "auto" });
    const next = Math.ceil((Date.now() + HOUR) / HOUR) * HOUR;
    const [opens, ends] = [instantInput(next), instantInput(next + 24 * HOUR)];
    /** @type {{game: HTMLSelectElement, level: HTMLSelectElement, seed: HTMLInputElement, element: HTMLElement}[]} */
    let deals = [];
    const rows = h("div", { class: "admin-event-deals" });
    const add = () => {
      const game = select(games);
      const level = select([["", t("any")], ...levelOptions()]);
      const seed = h("input", { type: "text", maxlength: 32, pattern: "[0-9a-f]{32}", dir: "ltr", autocomplete: "off", spellcheck: "false" });
      const element = h("div", { class: "admin-row admin-event-deal" }, field(t("Game"), game), field(t("Difficulty"), level), field(t("Seed of your own"), seed),
        button(t("Remove"), () => {
          if (deals.length < 2) return;
          deals = deals.filter((one) => one.element !== element);
          element.remove();
          rows.querySelector("select")?.focus();
        }, "button-small"));
      deals.push({ game, level, seed, element });
      rows.append(element);
      return game;
    };
    add();
    formDialog({
      title: t("New event"), yes: t("Publish"),
      body: [field(t("Name"), name), h("div", { class: "admin-row" }, field(t("Opens"), opens, t("In your own time.")), field(t("Can be started until"), ends, t("It closes an hour later."))),
        h("fieldset", { class: "admin-set" }, h("legend", {}, t("Deals")), h("p", { class: "small" }, t("Without a seed the stock gives the deal. With a seed of your own nobody ranks on it.")), rows, button(t("Another deal"), () => add().focus(), "button-small")),
        h("p", { class: "small" }, t("The commitments of its deals are public at once."))],
      act: async () => {
        const wish = deals.map(({ game, level, seed }) => ({ ruleset: game.value, ...(seed.value ? { seed: seed.value } : level.value ? { difficulty: level.value } : {}) }));
        const made = /** @type {EventBody} */ (await ask("POST", "/events", { name: name.value, opens_at: iso(opens), ends_at: iso(ends), deals: wish }));
        await load(null);
        message.say(n("Published with {count} deal: {name}.", "Published with {count} deals: {name}.", made.challenges.length, { name: made.name }));
      },
    });
  }

  /** @param {EventBody} event */
  function change(event) {
    const name = h("input", { type: "text", required: true, maxlength: 80, value: event.name, dir: "auto" });
    const times = [event.opens_at, event.ends_at ?? event.opens_at, event.closes_at ?? event.opens_at];
    const [opens, ends, closes] = times.map((at) => instantInput(Date.parse(at)));
    formDialog({
      title: t("Change {name}", { name: event.name }), yes: t("Change"),
      body: [field(t("Name"), name), h("div", { class: "admin-row" }, field(t("Opens"), opens), field(t("Can be started until"), ends), field(t("Closes"), closes))],
      act: async () => {
        await ask("PATCH", `/events/${event.id}`, { name: name.value, opens_at: kept(opens, times[0]), ends_at: kept(ends, times[1]), closes_at: kept(closes, times[2]) });
        await load(null);
        message.say(t("Changed: {name}.", { name: name.value }));
      },
    });
  }

  /** @param {EventBody} event */
  function callOff(event) {
    const reason = reasonInput();
    formDialog({
      title: t("Call off {name}", { name: event.name }), yes: t("Call off"), bad: true,
      body: [h("p", {}, t("It stays in the list as called off. This cannot be taken back.")), field(t("Reason"), reason, t("It stands in the audit log."))],
      act: async () => {
        await ask("POST", `/events/${event.id}/cancel`, { reason: reason.value });
        await load(null);
        message.say(t("Called off: {name}.", { name: event.name }));
      },
    });
  }
};
