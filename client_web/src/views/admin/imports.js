/** Lists of seeds: checked line by line, stored all or not at all. */

import { rulesets } from "../../api.js";
import { fill, h } from "../../dom.js";
import { number, sentence, shiftDay } from "../../format.js";
import { n, t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { field, Message, onSubmit, select, table } from "./parts.js";
import { bindPlayer, ask } from "./who.js";
import { player } from "../../session.js";
import { adminRefusal } from "./words.js";

/** @typedef {import("./types.js").Imported} Imported */
/** @typedef {import("./types.js").Refused} Refused */

/** @type {import("./types.js").Section} */
export const section = (root, { me }) => {
  const may = me.actions.includes("calendar.import");
  const list = h("textarea", { rows: 10, required: true, maxlength: 500_000, spellcheck: "false", dir: "ltr", class: "admin-text" });
  const file = h("input", { type: "file", accept: ".csv,.ndjson,.jsonl,.txt,text/csv,application/x-ndjson" });
  const format = select([["csv", "CSV: date,ruleset,seed"], ["ndjson", "NDJSON: {\"date\", \"ruleset\", \"seed\"}"]]);
  format.setAttribute("dir", "ltr");
  const message = new Message();
  const outcome = h("section", { class: "admin-list", "aria-label": t("Outcome") });
  const forget = () => {
    message.clear();
    fill(outcome);
  };
  list.addEventListener("input", forget);
  format.addEventListener("change", forget);
  file.addEventListener("change", () => {
    forget();
    const chosen = file.files?.[0];
    void chosen?.text().then((text) => {
      list.value = text;
      format.value = text.trimStart().startsWith("{") ? "ndjson" : "csv";
    });
  });
  const form = h("form", { class: "admin-form panel" },
    h("p", {}, t("A line for each deal: date, game, seed. All lines are stored or none; a list that was stored before changes nothing. Whoever checks or stores a seed knows it, and is kept from ranking on it, as the player of this browser.")),
    example(format), field(t("List"), list), h("div", { class: "admin-row" }, field(t("From a file"), file), field(t("Form"), format)),
    message.element,
    h("div", { class: "buttons" }, h("button", { class: "button" }, t("Check only")), button(t("Store the list"), () => form.reportValidity() && void send(false), "button-main")));
  onSubmit(form, () => send(true));
  fill(root, h("h1", {}, t("Seed lists")), may ? [form, outcome] : h("p", { class: "message", "data-kind": "notice" }, t("Your role can see the calendar, but cannot import lists.")));

  /** @param {boolean} dryRun */
  async function send(dryRun) {
    message.clear();
    try {
      if (!me.player) {
        await player();
        me.player = (await bindPlayer())?.player ?? null;
      }
      draw(await ask("POST", "/calendar/import", { text: list.value, format: format.value, dry_run: dryRun }), dryRun);
    } catch (error) {
      message.fail(error);
    }
  }

  /**
   * @param {Imported} found
   * @param {boolean} dryRun
   */
  function draw(found, dryRun) {
    const counts = `${n("{count} new deal,", "{count} new deals,", found.planned)} ${n("{count} stands already", "{count} stand already", found.unchanged)}`;
    if (found.refused_total) message.say(sentence(n("{count} line cannot be taken: nothing was stored.", "{count} lines cannot be taken: nothing was stored.", found.refused_total)), "bad");
    else message.say(`${dryRun ? t("The list can be stored:") : t("Stored:")} ${counts}`);
    fill(outcome, found.refused.length ? table(t("Lines that cannot be taken"), [t("Line"), t("Why")], found.refused.map((one) => h("tr", {}, h("th", { scope: "row" }, number(one.line)), h("td", {}, reason(one))))) : null,
      found.refused_total > found.refused.length ? h("p", {}, n("and {count} more", "and {count} more", found.refused_total - found.refused.length)) : null);
  }
};

/**
 * A line as it is to be written, and the names of the games in it.
 * @param {HTMLSelectElement} format
 */
function example(format) {
  const line = h("code", { class: "admin-code", dir: "ltr" });
  const keys = h("ul", { class: "admin-keys" });
  const place = h("div", { class: "admin-example", hidden: true }, h("p", {}, t("For example:"), " ", line), h("details", {}, h("summary", {}, t("Names of the games in a list")), keys));
  void rulesets().then((games) => {
    const daily = games.filter((game) => game.daily);
    const one = { date: shiftDay(new Date().toISOString().slice(0, 10), 30), ruleset: daily[0]?.key ?? "", seed: "0123456789abcdef0123456789abcdef" };
    const show = () => {
      line.textContent = format.value === "csv" ? Object.values(one).join(",") : JSON.stringify(one);
    };
    format.addEventListener("change", show);
    show();
    fill(keys, daily.map(({ key, title }) => h("li", {}, h("code", { dir: "ltr" }, key), " ", t(title))));
    place.hidden = false;
  }, () => undefined); // the list can be checked without it
  return place;
}

/** @param {Refused} refused */
function reason({ code, same_as }) {
  if (same_as && code === "calendar/taken") return t("The same date and game as line {line}.", { line: number(same_as) });
  if (same_as && code === "deal/used") return t("The same seed as line {line}.", { line: number(same_as) });
  switch (code) {
    case "protocol/malformed": return t("This is not a line of date, game and seed.");
    case "admin/dates": return t("The date is not one of the calendar, written 2026-12-31.");
    case "calendar/locked": return t("The date is past, published, or too far away.");
    case "calendar/taken": return t("Something else is planned for that day. Clear it first.");
    case "ruleset/unknown": return t("No daily has this game.");
    case "deal/none": return t("This deal cannot be won, or has no first move.");
    case "deal/used": return t("This seed was used before.");
    default: return adminRefusal(code);
  }
}
