/** Pieces that several pages share. */

import { ApiError } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { refusal } from "../table/names.js";

/** A quiet sign that something is being fetched. */
export function loading() {
  return h("p", { class: "loading", role: "status" }, t("Loading…"));
}

/**
 * Says that something could not be shown, and offers to try again where that may help.
 * @param {unknown} error
 * @param {() => void} again
 */
export function failure(error, again) {
  const code = error instanceof ApiError ? error.code : "internal";
  const text = code === "offline" ? t("The server cannot be reached. Your games are safe there.") : refusal(code);
  const lasting = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return h("div", { class: "failure", role: "alert" }, h("p", {}, text),
    h("div", { class: "buttons" },
      lasting ? null : h("button", { type: "button", class: "button button-main", onclick: again }, t("Try again")),
      h("a", { class: lasting ? "button button-main" : "button", href: "/" }, t("Today’s games"))));
}

/**
 * A player's name with what kind of player it is.
 * @param {import("../types.js").Player} player
 */
export function playerName(player) {
  const kind = player.kind === "guest" ? t("guest") : player.kind === "bot" ? t("bot") : null;
  return h("span", { class: "player" }, h("bdi", {}, player.name), kind ? h("span", { class: `badge badge-${player.kind}` }, kind) : null);
}

/**
 * A player's name that leads to his page.
 * @param {import("../types.js").Player} player
 */
export function playerLink(player) {
  const name = playerName(player);
  const link = h("a", { class: "player-link", href: `/players/${encodeURIComponent(player.id)}` });
  name.querySelector("bdi")?.replaceWith(link);
  link.append(h("bdi", {}, player.name));
  return name;
}
