/** Results and moves of closed challenges as files. */

import { rulesets } from "../../api.js";
import { fill, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { field, select, show } from "./parts.js";

/** @type {import("./types.js").Section} */
export const section = (root) => {
  const form = h("form", { class: "admin-form panel" });
  form.addEventListener("submit", (event) => event.preventDefault());
  fill(root, h("h1", {}, t("Files")), h("p", { class: "small" }, t("Results and moves of challenges that have closed. In CSV, text that looks like a formula is quoted, so that opening a file runs nothing.")), form);
  void show(form, rulesets, (games) => {
    const game = select([["", t("All games")], ...games.map(({ key, title }) => /** @type {[string, string]} */ ([key, t(title)]))]);
    const [first, last] = [h("input", { type: "date" }), h("input", { type: "date" })];
    const links = h("ul", { class: "admin-deals" });
    const draw = () => {
      const query = new URLSearchParams();
      if (first.value) query.set("first", first.value);
      if (last.value) query.set("last", last.value);
      if (game.value) query.set("ruleset", game.value);
      /** @param {string} what @param {string} name */
      const line = (what, name) => h("li", { class: "admin-line" }, h("strong", {}, name), ["csv", "ndjson"].map((format) => h("a", { class: "button button-small", download: true, href: `/api/v1/admin/export/${what}?${new URLSearchParams([...query, ["format", format]])}` }, h("span", { class: "visually-hidden" }, `${name} `), format === "csv" ? "CSV" : "NDJSON")));
      fill(links, line("results", t("Results")), line("moves", t("Moves")));
    };
    for (const one of [game, first, last]) one.addEventListener("change", draw);
    draw();
    return [h("div", { class: "admin-row" }, field(t("From"), first), field(t("To"), last), field(t("Game"), game)), links];
  });
};
