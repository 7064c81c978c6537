/** The keyboard at the table: walking the grid, playing, undoing, the move line, and the ring of zones. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";

/** @typedef {import("./player.js").Player} Player */

/**
 * Listens to the keyboard of a table page.
 * @param {HTMLElement} page
 * @param {Player} player
 * @param {{zen: () => void}} acts
 */
export function listenKeys(page, player, acts) {
  const line = moveLine(player);
  page.append(line.element);

  /** @param {KeyboardEvent} event */
  const onGrid = (event) => {
    const cell = event.target instanceof HTMLElement ? event.target.closest(".cell") : null;
    if (!(cell instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === "Enter" || event.key === " ") {
      player.byKeyboard();
      if (!event.repeat) player.tap(cell.dataset.pile ?? "", 0);
      return true;
    }
    return player.board.grid.walk(event.key);
  };

  /** @param {KeyboardEvent} event */
  const onPage = (event) => {
    if (event.key === "F6") {
      nextZone(page, event.shiftKey ? -1 : 1);
      return true;
    }
    if (event.key === "Escape") return line.close() || player.escape();
    const typing = event.target instanceof HTMLInputElement;
    if (typing || event.altKey || document.querySelector("dialog[open]")) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : "";
    if (key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      player.byKeyboard();
      player.undo();
      return true;
    }
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key.startsWith("Arrow") && !page.querySelector(".cells:focus-within")) {
      player.board.grid.focus();
      return true;
    }
    if (!settings().shortcuts) return false;
    switch (key) {
      case "z":
        player.byKeyboard();
        player.undo();
        return true;
      case "h":
        player.byKeyboard();
        player.hint();
        return true;
      case "/":
        line.open();
        return true;
      case "f":
        acts.zen();
        return true;
      default:
        return false;
    }
  };

  /** @param {KeyboardEvent} event */
  const listener = (event) => {
    if (onGrid(event) || onPage(event)) event.preventDefault();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

/**
 * Gives focus to the next zone of the page that can take it.
 * @param {HTMLElement} page
 * @param {number} step
 */
function nextZone(page, step) {
  const zones = [...page.querySelectorAll("[data-zone]")].filter((zone) => entrance(zone));
  const here = zones.findIndex((zone) => zone.contains(document.activeElement));
  const zone = zones[(here + step + zones.length) % zones.length];
  if (zone) entrance(zone)?.focus();
}

/**
 * @param {Element} zone
 * @returns {HTMLElement | null}
 */
function entrance(zone) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = zone.querySelectorAll("[tabindex='0'], a[href], button:not(:disabled), input");
  return [...found].find((element) => element.getClientRects().length > 0) ?? null;
}

/**
 * The line where moves are typed in the notation of the protocol.
 * @param {Player} player
 */
function moveLine(player) {
  const input = h("input", {
    type: "text", class: "line-input", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 20, dir: "ltr",
    "aria-label": t("Move"), "aria-describedby": "line-hint",
  });
  const hint = h("p", { class: "line-hint", id: "line-hint" }, t("One or two pile names. They stand on the piles while this line is open."));
  const element = h("form", { class: "line", hidden: true }, input, hint);
  const hide = () => {
    element.hidden = true;
    player.board.showNames(false);
  };
  const close = () => {
    if (element.hidden) return false;
    hide();
    input.value = "";
    player.board.grid.focus();
    return true;
  };
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    player.type(input.value.trim());
    input.value = "";
  });
  input.addEventListener("blur", () => {
    if (!element.hidden && !input.value) hide();
  });
  return {
    element,
    close,
    open: () => {
      const move = player.desk.attempt?.moves_[0]?.text;
      input.placeholder = move ? t("Move, for example {move}", { move }) : t("Move");
      element.hidden = false;
      player.board.showNames(true);
      input.focus();
    },
  };
}
