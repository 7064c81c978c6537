/** What a ruling changes, in words and tables; and the dialog that shows it before anything is done. */

import { fill, h } from "../../dom.js";
import { number } from "../../format.js";
import { n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { verdict } from "../../table/words.js";
import { factList, field, instant, Message, onSubmit, openDialog, reasonInput, table } from "./parts.js";
import { ask } from "./who.js";

/** @typedef {import("./types.js").Effect} Effect */
/** @typedef {import("./types.js").Changes} Changes */

/** @param {string} state */
function stateName(state) {
  return state === "open" ? t("In play") : verdict(/** @type {import("../../types.js").Over} */ (state));
}

/** @param {Effect} effect */
export function effectWords(effect) {
  const states = [...new Set([...Object.keys(effect.attempts_before), ...Object.keys(effect.attempts_after)])].sort();
  const moved = states.filter((state) => effect.attempts_before[state] !== effect.attempts_after[state]);
  const nothing = !moved.length && !effect.ranks.total && !effect.points.total && !effect.streaks.total;
  return h("div", { class: "effect" },
    nothing ? h("p", {}, t("No attempt, rank, point or streak changes.")) : h("ul", { class: "effect-sum" }, [
      effect.ranks.total ? n("The rank of {count} player changes.", "The ranks of {count} players change.", effect.ranks.total) : t("No rank changes."),
      effect.points.total ? n("{count} total of points changes.", "{count} totals of points change.", effect.points.total) : t("Nobody’s points change."),
      effect.streaks.total ? n("The streak of {count} player changes.", "The streaks of {count} players change.", effect.streaks.total) : t("Nobody’s streak changes."),
    ].map((line) => h("li", {}, line))),
    effect.ends_at ? factList([[t("Can be started until"), instant(effect.ends_at)], [t("Closes"), instant(effect.closes_at)]]) : null,
    moved.length ? table(t("Attempts"), [t("Attempts"), t("Before"), t("After")], moved.map((state) => h("tr", {}, h("th", { scope: "row" }, stateName(state)), value(effect.attempts_before[state] ?? 0), value(effect.attempts_after[state] ?? 0)))) : null,
    changes(t("Ranks"), effect.ranks, t("off the board")), changes(t("Points"), effect.points, "–"), changes(t("Streaks in days"), effect.streaks, "–"));
}

/** @param {number | null} given @param {string} [none] */
function value(given, none = "–") {
  return h("td", { class: "num" }, given === null ? none : number(given));
}

/**
 * @param {string} name
 * @param {Changes} found
 * @param {string} none
 */
function changes(name, found, none) {
  if (!found.total) return null;
  return h("details", { open: found.shown.length <= 8 || null }, h("summary", {}, `${name}: ${number(found.total)}`),
    table(name, [t("Player"), t("Before"), t("After")], found.shown.map((one) => h("tr", {},
      h("th", { scope: "row" }, h("bdi", {}, one.name), one.period ? h("span", { class: "small" }, " ", one.period === "all" ? t("All time") : h("bdi", { dir: "ltr" }, one.period)) : null), value(one.before, none), value(one.after, none)))),
    found.total > found.shown.length ? h("p", { class: "small" }, n("and {count} more", "and {count} more", found.total - found.shown.length)) : null);
}

/**
 * Asks for the reason of a ruling, shows what it would change, and only then does it.
 * @param {object} about
 * @param {string} about.title
 * @param {string} about.words what it means
 * @param {string} about.path of the API
 * @param {string} about.yes name of the button that does it
 * @param {{name: string, label: string, input: HTMLInputElement, value: () => string, hint: string} | null} [about.more]
 * @param {(effect: Effect) => void} about.done
 */
export function rulingDialog({ title, words, path, yes, more = null, done }) {
  const reason = reasonInput();
  const message = new Message();
  const place = h("div", { class: "effect-place", tabindex: "-1" });
  const body = (/** @type {boolean} */ dryRun) => ({ reason: reason.value, dry_run: dryRun, ...(more ? { [more.name]: more.value() } : {}) });
  const confirm = button(yes, () => void carry(), "button-bad");
  confirm.hidden = true;
  const form = h("form", { class: "admin-form", method: "dialog" }, h("p", {}, words), more ? field(more.label, more.input, more.hint) : null,
    field(t("Reason"), reason, t("It stands in the audit log.")), message.element, place,
    h("div", { class: "buttons" }, button(t("Back"), () => dialog.close()), h("button", { class: "button button-main" }, t("See what would change")), confirm));
  const dialog = openDialog(title, form);
  // What was shown belongs to what was asked.
  more?.input.addEventListener("input", () => {
    confirm.hidden = true;
    place.replaceChildren();
  });
  onSubmit(form, async () => {
    message.clear();
    try {
      const effect = /** @type {Effect} */ (await ask("POST", path, body(true)));
      fill(place, h("h3", {}, t("This would change:")), effectWords(effect));
      confirm.hidden = false;
      announce([...place.querySelectorAll(".effect > p, .effect-sum li")].map(({ textContent }) => textContent).join(" "));
      place.focus();
    } catch (error) {
      message.fail(error);
    }
  });
  async function carry() {
    if (!form.reportValidity()) return;
    confirm.disabled = true;
    try {
      const effect = /** @type {Effect} */ (await ask("POST", path, body(false)));
      dialog.close();
      done(effect);
    } catch (error) {
      confirm.disabled = false;
      message.fail(error);
    }
  }
}
