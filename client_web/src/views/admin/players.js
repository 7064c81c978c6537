/** Players: looking them up, and keeping them from everything that counts. */

import { fill, h } from "../../dom.js";
import { clock, day, number } from "../../format.js";
import { n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { verdict } from "../../table/words.js";
import { playerName } from "../parts.js";
import { factList, field, formDialog, instant, Message, onSubmit, reasonInput, show, table } from "./parts.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").Found} Found */
/** @typedef {import("./types.js").Looked} Looked */

/** @type {import("./types.js").Section} */
export const section = (root, seat) => {
  if (seat.parts[0]) one(root, seat, seat.parts[0]);
  else find(root, seat);
};

/** @param {Found} found */
function blocked({ blocked_at }) {
  return blocked_at ? h("span", { class: "chip chip-void" }, t("blocked")) : null;
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.js").Seat} seat
 */
function find(root, { visit }) {
  const q = h("input", { type: "search", maxlength: 80, value: visit.query.get("q") ?? "", dir: "auto" });
  const place = h("section", { class: "admin-list" });
  const form = h("form", { class: "admin-line panel", role: "search" }, field(t("Name, a part of it, or id"), q), h("button", { class: "button button-main" }, t("Find")));
  const load = () => show(place, () => /** @type {Promise<{players: Found[]}>} */ (ask("GET", `/players?${new URLSearchParams({ q: q.value.trim() })}`)), ({ players }) => {
    history.replaceState(null, "", `${location.pathname}?${new URLSearchParams({ q: q.value.trim() })}`);
    announce(n("{count} player", "{count} players", players.length));
    return players.length ? table(t("Players"), [t("Name"), t("State"), t("Since")], players.map((found) => h("tr", {},
      h("th", { scope: "row" }, h("a", { href: `/admin/players/${encodeURIComponent(found.player.id)}` }, playerName(found.player))), h("td", {}, blocked(found)), h("td", {}, instant(found.since)))))
      : h("p", {}, t("Nobody was found."));
  });
  onSubmit(form, load);
  fill(root, h("h1", {}, t("Players")), form, place);
  void load();
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.js").Seat} seat
 * @param {string} id
 */
function one(root, { me, visit }, id) {
  const may = me.actions.includes("players.write");
  const heading = h("h1", {}, t("Player"));
  const head = h("section", { class: "panel" });
  const message = new Message();
  const list = h("section", { class: "admin-list" });
  fill(root, h("a", { class: "admin-up", href: "/admin/players" }, t("All players")), heading, head, message.element, list);
  void load();

  async function load() {
    await show(head, () => /** @type {Promise<Looked>} */ (ask("GET", `/players/${encodeURIComponent(id)}`)), ({ found, games }) => {
      fill(heading, playerName(found.player));
      visit.title(found.player.name);
      fill(list, h("h2", {}, t("Latest games")), games.length ? table(t("Latest games"), [t("Game"), t("Result"), t("Time"), t("Moves"), t("Finished")], games.map((game) => h("tr", {},
        h("th", { scope: "row" }, me.actions.includes("rulings.read") && game.kind !== "practice" ? h("a", { href: `/admin/rulings/${encodeURIComponent(game.challenge)}` }, gameName(game)) : gameName(game)),
        h("td", {}, verdict(game.outcome)), h("td", { class: "num" }, h("bdi", { dir: "ltr" }, clock(game.time_ms, true))), h("td", { class: "num" }, number(game.moves)), h("td", {}, instant(game.finished_at)))))
        : h("p", {}, t("No game has been finished yet.")));
      return [
        h("div", { class: "admin-line" }, blocked(found), h("code", { class: "admin-code", dir: "ltr" }, found.player.id)),
        factList([[t("Since"), instant(found.since)], [t("Blocked since"), found.blocked_at ? instant(found.blocked_at) : null]]),
        h("div", { class: "buttons" }, h("a", { class: "button", href: `/players/${encodeURIComponent(id)}` }, t("Profile")),
          !may ? null : found.blocked_at ? button(t("Unblock…"), () => judge(found, false)) : button(t("Block…"), () => judge(found, true), "button-bad")),
      ];
    });
  }

  /**
   * @param {Found} found
   * @param {boolean} blocks
   */
  function judge(found, blocks) {
    const reason = reasonInput();
    const { name } = found.player;
    formDialog({
      title: blocks ? t("Block {name}", { name }) : t("Unblock {name}", { name }), yes: blocks ? t("Block") : t("Unblock"), bad: blocks,
      body: [h("p", {}, blocks ? t("The player can start nothing ranked any more, and all that counted of this player stops counting. Everybody behind moves up.")
        : t("The player can start ranked games again. What was taken away stays away.")), field(t("Reason"), reason, t("It stands in the audit log."))],
      act: async () => {
        const done = /** @type {{attempts: number}} */ (await ask("POST", `/players/${encodeURIComponent(id)}/${blocks ? "block" : "unblock"}`, { reason: reason.value }));
        await load();
        message.say(blocks ? n("Blocked. {count} attempt does not count any more.", "Blocked. {count} attempts do not count any more.", done.attempts) : t("Unblocked."));
      },
      back: () => {
        heading.tabIndex = -1;
        return heading;
      },
    });
  }
}

/** @param {import("./types.js").Played} game */
function gameName(game) {
  return h("span", {}, h("bdi", { dir: "ltr" }, game.ruleset), " ", game.date ? day(game.date, "short") : t("Challenge"));
}
