/** Filling many days at once by a rule: a difficulty for each weekday. */

import { h } from "../../dom.js";
import { shiftDay } from "../../format.js";
import { currentLanguage, n, t } from "../../i18n.js";
import { field, formDialog, levelOptions, select } from "./parts.js";
import { ask } from "./who.js";

const KEYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/**
 * @param {import("./calendar.js").Planner} page
 * @param {string | null} [only] a single day
 */
export function fillDialog(page, only = null) {
  const { plan } = page;
  const tomorrow = shiftDay(plan.today, 1);
  const first = h("input", { type: "date", required: true, min: tomorrow, value: only ?? (page.first > tomorrow ? page.first : tomorrow) });
  const last = h("input", { type: "date", required: true, min: tomorrow, value: only ?? (page.last > tomorrow ? page.last : shiftDay(tomorrow, 27)) });
  const games = page.games().map(({ key, title }) => {
    const box = h("input", { type: "checkbox", value: key, checked: true });
    return { box, element: h("label", { class: "admin-check" }, box, h("span", {}, t(title))) };
  });
  const name = new Intl.DateTimeFormat(currentLanguage(), { weekday: "long", timeZone: "UTC" });
  const days = KEYS.map((key, at) => {
    // 2024-01-01 was a Monday.
    const choice = select([...levelOptions(), ["", t("leave as it is")]], plan.rule[at]);
    return { key, choice, element: field(name.format(new Date(Date.UTC(2024, 0, 1 + at))), choice) };
  });
  formDialog({
    title: t("Fill by rule"), yes: t("Fill"),
    body: [
      h("p", { class: "small" }, t("Days with a plan of their own, and days that have begun or are published, stay as they are. Where the stock has a deal of the difficulty, it is chosen at once.")),
      h("div", { class: "admin-row" }, field(t("From"), first), field(t("To"), last)),
      h("fieldset", { class: "admin-set" }, h("legend", {}, t("Games")), h("div", { class: "admin-checks" }, games.map(({ element }) => element))),
      h("fieldset", { class: "admin-set" }, h("legend", {}, t("Difficulty by weekday")), h("div", { class: "admin-days" }, days.map(({ element }) => element))),
    ],
    act: async () => {
      const rulesets = games.filter(({ box }) => box.checked).map(({ box }) => box.value);
      const rule = Object.fromEntries(days.filter(({ choice }) => choice.value).map(({ key, choice }) => [key, choice.value]));
      const done = /** @type {{planned: number, chosen?: number, kept: number}} */ (await ask("POST", "/calendar/fill", { first: first.value, last: last.value, rulesets, rule }));
      await page.load();
      page.say(`${n("{count} deal planned,", "{count} deals planned,", done.planned)} ${n("{count} chosen from stock;", "{count} chosen from stock;", done.chosen ?? 0)} ${n("{count} left as it was.", "{count} left as they were.", done.kept)}`);
    },
  });
}
