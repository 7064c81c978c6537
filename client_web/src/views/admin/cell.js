/** What can be done with a cell of the calendar, and with a whole day. */

import { h } from "../../dom.js";
import { day, sentence } from "../../format.js";
import { n, t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { fillDialog } from "./filling.js";
import { factList, field, instant, levelOptions, Message, onSubmit, openDialog, select } from "./parts.js";
import { askPreview } from "./previewing.js";
import { ask } from "./who.js";
import { levelName, sourceName, stateName } from "./words.js";

/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./calendar.js").Planner} Planner */

/**
 * @param {Planner} page
 * @param {Cell} cell
 */
export function cellDialog(page, cell) {
  const { actions } = page.seat.me;
  const coming = cell.state === "coming";
  const begun = cell.state === "running" || cell.state === "closed";
  const spot = { date: cell.date, ruleset: cell.ruleset };
  const writes = coming && page.mayWrite;
  let next = () => page.grid.focus(spot);
  const dialog = openDialog(sentence(t(cell.title), day(cell.date)), [
    factList([
      [t("State"), stateName(cell)],
      [t("Deal"), begun ? null : sourceName(cell.source)],
      [t("Difficulty"), cell.difficulty === null ? t("not known") : levelName(cell.difficulty)],
      [t("Results"), begun ? n("{count} result", "{count} results", cell.results) : null],
      [t("Closes"), cell.closes_at ? instant(cell.closes_at) : null],
      [t("Commitment"), cell.commitment ? h("code", { class: "admin-code", dir: "ltr" }, cell.commitment) : null],
    ]),
    writes ? planForm(page, cell, () => dialog.close()) : null,
    h("div", { class: "buttons" },
      writes ? h("a", { class: "button", href: `/admin/deals?${new URLSearchParams({ ruleset: cell.ruleset, date: cell.date, ...(cell.difficulty ? { difficulty: cell.difficulty } : {}) })}` }, t("Choose a deal…")) : null,
      !begun && actions.includes("deals.preview") ? button(t("Preview…"), () => {
        next = () => undefined;
        dialog.close();
        askPreview(page.seat, { date: cell.date, ruleset: cell.ruleset }, cell.ruleset, dialog.querySelector("h2")?.textContent ?? "", () => page.grid.focus(spot));
      }) : null,
      writes ? button(t("Swap or move…"), () => {
        next = () => undefined;
        dialog.close();
        page.grid.pick(spot);
      }) : null,
      begun && cell.challenge && actions.includes("rulings.read") ? h("a", { class: "button", href: `/admin/rulings/${encodeURIComponent(cell.challenge)}` }, t("Rulings…")) : null,
      begun ? h("a", { class: "button", href: `/boards/daily/${cell.date}/${encodeURIComponent(cell.ruleset)}` }, t("Board")) : null,
      button(t("Close"), () => dialog.close())),
    coming || begun ? null : h("p", { class: "small" }, t("Its commitment is public, so its deal stands and cannot be exchanged.")),
  ], () => {
    next();
    return /** @type {HTMLElement | null} */ (document.activeElement === document.body ? null : document.activeElement);
  });
}

/**
 * Planning a difficulty, and clearing.
 * @param {Planner} page
 * @param {Cell} cell
 * @param {() => void} close
 */
function planForm(page, cell, close) {
  const level = select(levelOptions(), cell.difficulty ?? "medium");
  const message = new Message();
  const path = `/calendar/${cell.date}/${encodeURIComponent(cell.ruleset)}`;
  const name = sentence(t(cell.title), day(cell.date));
  /** @param {() => Promise<Cell>} act @param {string} done */
  const change = async (act, done) => {
    try {
      page.take([await act()]);
      close();
      page.say(done);
    } catch (error) {
      close();
      await page.refused(error);
      page.grid.focus({ date: cell.date, ruleset: cell.ruleset });
    }
  };
  const form = h("form", { class: "admin-line" }, field(t("Difficulty"), level), h("button", { class: "button button-main" }, t("Plan")),
    cell.version ? button(t("Clear"), () => void change(() => ask("DELETE", `${path}?version=${cell.version}`), t("Cleared: {what}. The rule of weekdays holds again.", { what: name }))) : null, message.element);
  onSubmit(form, () => change(() => ask("PUT", path, { version: cell.version, difficulty: level.value }), t("Planned: {what}.", { what: name })));
  return form;
}

/**
 * @param {Planner} page
 * @param {string} date
 */
export function dayDialog(page, date) {
  const cells = page.plan.cells.filter((cell) => cell.date === date);
  const spot = { date, ruleset: null };
  let next = () => page.grid.focus(spot);
  const dialog = openDialog(day(date), [
    cells.length ? factList(cells.map((cell) => [t(cell.title), sentence(stateName(cell), cell.difficulty ? levelName(cell.difficulty) : null)])) : h("p", {}, t("There were no deals on this day.")),
    h("div", { class: "buttons" },
      page.grid.movable(spot) ? button(t("Swap or move the day…"), () => {
        next = () => undefined;
        dialog.close();
        page.grid.pick(spot);
      }) : null,
      page.grid.movable(spot) ? button(t("Fill this day by rule…"), () => {
        next = () => undefined;
        dialog.close();
        fillDialog(page, date);
      }) : null,
      button(t("Close"), () => dialog.close())),
  ], () => {
    next();
    return /** @type {HTMLElement | null} */ (document.activeElement === document.body ? null : document.activeElement);
  });
}
