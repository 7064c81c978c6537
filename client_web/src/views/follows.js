/** Whom a player follows and who follows him, for his own eyes: with a way to end the following. */

import { followers as fetchFollowers, following as fetchFollowing } from "../api.js";
import { fill, h } from "../dom.js";
import { n, t } from "../i18n.js";
import { announce } from "../live.js";
import { follow } from "../session.js";
import { button } from "../table/notices.js";
import { failure, loading, playerLink } from "./parts.js";

/** @typedef {import("../types.js").Player} Player */

/**
 * Both lists. They are fetched when they are opened: most visits are for something else.
 * @param {{followers: number, following: number}} counts
 * @param {(change: number) => void} followingChanged
 */
export function followLists(counts, followingChanged) {
  return h("section", { class: "follows", "aria-label": t("Following and followers") },
    unfolding(n("You follow {count} player", "You follow {count} players", counts.following), (place) => void showFollowing(place, followingChanged)),
    unfolding(n("{count} player follows you", "{count} players follow you", counts.followers), (place) => void showFollowers(place)));
}

/**
 * @param {string} name
 * @param {(place: HTMLElement) => void} show
 */
function unfolding(name, show) {
  const place = h("div", { class: "follow-list" });
  const element = h("details", { class: "panel" }, h("summary", {}, name), place);
  element.addEventListener("toggle", () => {
    if (element.open && !place.firstChild) show(place);
  });
  return element;
}

/**
 * @param {HTMLElement} place
 * @param {(change: number) => void} changed
 */
async function showFollowing(place, changed) {
  fill(place, loading());
  try {
    const { players } = await fetchFollowing();
    fill(place, players.length ? h("ul", {}, players.map((one) => followedRow(one, changed)))
      : h("p", { class: "small" }, t("Nobody yet. Follow players on their pages, and the boards of friends show them beside you.")));
  } catch (error) {
    fill(place, failure(error, () => void showFollowing(place, changed)));
  }
}

/**
 * @param {Player} player
 * @param {(change: number) => void} changed
 */
function followedRow(player, changed) {
  let followed = true;
  const act = button("", async () => {
    act.disabled = true;
    try {
      ({ followed } = await follow(player.id, !followed));
      changed(followed ? 1 : -1);
      announce(followed ? t("You follow {name} now.", { name: player.name }) : t("You no longer follow {name}.", { name: player.name }));
    } catch {
      announce(t("That did not work. Please try again."));
    } finally {
      act.disabled = false;
      show();
      act.focus();
    }
  }, "button-small");
  const show = () => {
    act.textContent = followed ? t("Unfollow") : t("Follow");
    act.setAttribute("aria-label", followed ? t("Unfollow {name}", { name: player.name }) : t("Follow {name}", { name: player.name }));
  };
  show();
  return h("li", {}, playerLink(player), act);
}

/** @param {HTMLElement} place */
async function showFollowers(place) {
  const list = h("ul");
  const state = h("div", {}, loading());
  fill(place, list, state);
  /** @param {string | null} after */
  const more = async (after) => {
    try {
      const page = await fetchFollowers(after);
      const first = list.children.length;
      list.append(...page.players.map((one) => h("li", {}, playerLink(one))));
      fill(state, page.next ? button(t("Show more"), () => void more(page.next), "button-small")
        : page.total ? null : h("p", { class: "small" }, t("Nobody yet.")));
      if (after) list.children[first]?.querySelector("a")?.focus();
    } catch (error) {
      fill(state, failure(error, () => void more(after)));
    }
  };
  await more(null);
}
