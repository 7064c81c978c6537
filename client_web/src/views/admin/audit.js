/** The audit log: what admins did, latest first, and the whole of it as a file. */

import { fill, h } from "../../dom.js";
import { number } from "../../format.js";
import { n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { field, instant, onSubmit, show, table } from "./parts.js";
import { ask } from "./who.js";
import { roleName } from "./words.js";

/** @typedef {import("./types.js").AuditLine} AuditLine */

/** @type {import("./types.js").Section} */
export const section = (root, { visit }) => {
  /** @param {string} name */
  const input = (name) => h("input", { type: "text", maxlength: 40, value: visit.query.get(name) ?? "", dir: "ltr", autocomplete: "off", spellcheck: "false" });
  const [admin, action] = [input("admin"), input("action")];
  const place = h("section", { class: "admin-list" });
  const form = h("form", { class: "admin-line panel" }, field(t("Who"), admin), field(t("Act, or how it begins"), action), h("button", { class: "button button-main" }, t("Show")));
  fill(root, h("h1", {}, t("Audit log")),
    h("p", { class: "board-files" }, t("The whole log as a file:"), h("a", { href: "/api/v1/admin/audit/export?format=csv", download: true }, "CSV"), h("a", { href: "/api/v1/admin/audit/export?format=ndjson", download: true }, "NDJSON")), form, place);
  onSubmit(form, () => load(null));
  void load(Number(visit.query.get("before")) || null);

  /** @param {number | null} before */
  async function load(before) {
    const wanted = new URLSearchParams();
    if (admin.value.trim()) wanted.set("admin", admin.value.trim());
    if (action.value.trim()) wanted.set("action", action.value.trim());
    if (before !== null) wanted.set("before", String(before));
    const query = new URLSearchParams([...wanted, ["limit", "50"]]);
    await show(place, () => /** @type {Promise<{entries: AuditLine[], next: number | null}>} */ (ask("GET", `/audit?${query}`)), ({ entries, next }) => {
      history.replaceState(null, "", `${location.pathname}?${wanted}`);
      announce(n("{count} entry", "{count} entries", entries.length));
      return [
        entries.length ? table(t("Audit log"), [t("Number"), t("When"), t("Who"), t("Act"), t("On what"), t("Reason"), t("Before and after")], entries.map(row)) : h("p", {}, t("Nothing is written there.")),
        h("div", { class: "buttons" }, before === null ? null : button(t("Latest"), () => void load(null)), next === null ? null : button(t("Older"), () => void load(next).then(() => place.scrollIntoView({ block: "start" })))),
      ];
    });
  }
};

/** @param {AuditLine} entry */
function row(entry) {
  const told = entry.before || entry.after;
  return h("tr", {},
    h("td", { class: "num" }, number(entry.number)), h("td", {}, instant(entry.at)),
    h("th", { scope: "row" }, h("bdi", {}, entry.admin), h("span", { class: "badge" }, roleName(entry.role)), entry.via === "command" ? h("span", { class: "badge" }, t("command line")) : null),
    h("td", {}, h("code", { dir: "ltr" }, entry.action)), h("td", {}, h("code", { class: "admin-code", dir: "ltr" }, entry.target)),
    h("td", { class: "admin-reason" }, h("bdi", {}, entry.reason ?? "")),
    h("td", {}, told ? h("details", {}, h("summary", {}, t("Show")), h("pre", { dir: "ltr", tabindex: "0" }, JSON.stringify({ before: entry.before, after: entry.after }, null, 1))) : null));
}
