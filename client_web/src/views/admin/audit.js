/** The audit log: what admins did, latest first, and the whole of it as a file. */

import { fill, h } from "../../dom.js";
import { number } from "../../format.js";
import { n, t } from "../../i18n.js";
import { announce } from "../../live.js";
import { button } from "../../table/notices.js";
import { field, freshId, instant, onSubmit, show, table } from "./parts.js";
import { changesOf, targetOf } from "./told.js";
import { ask } from "./who.js";
import { roleName } from "./words.js";

/** @typedef {import("./types.js").AuditLine} AuditLine */

/** @type {import("./types.js").Section} */
export const section = (root, { me, visit }) => {
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
        entries.length ? table(t("Audit log"), [t("Number"), t("When"), t("Who"), t("Act"), t("On what"), t("Reason"), t("Before and after")], entries.flatMap((entry) => rowsOf(entry, me.actions))) : h("p", {}, t("Nothing is written there.")),
        h("div", { class: "buttons" }, before === null ? null : button(t("Latest"), () => void load(null)), next === null ? null : button(t("Older"), () => void load(next).then(() => place.scrollIntoView({ block: "start" })))),
      ];
    });
  }
};

/**
 * An entry, and below it a row over the whole width with what stood before and after, which a button opens.
 * @param {AuditLine} entry
 * @param {string[]} actions that the reader may do
 */
function rowsOf(entry, actions) {
  const id = freshId();
  const place = h("td", { colspan: 7 });
  const more = h("tr", { class: "admin-more", id, hidden: true }, place);
  const open = button(t("Show"), () => {
    if (!place.firstChild) place.append(changesOf(entry));
    more.hidden = !more.hidden;
    open.setAttribute("aria-expanded", String(!more.hidden));
    open.textContent = more.hidden ? t("Show") : t("Hide");
  }, "button-small");
  open.setAttribute("aria-expanded", "false");
  open.setAttribute("aria-controls", id);
  const line = h("tr", {},
    h("td", { class: "num" }, number(entry.number)), h("td", {}, instant(entry.at)),
    h("th", { scope: "row" }, h("bdi", {}, entry.admin), h("span", { class: "badge" }, roleName(entry.role)), entry.via === "command" ? h("span", { class: "badge" }, t("command line")) : null),
    h("td", {}, h("code", { dir: "ltr" }, entry.action)), h("td", { class: "admin-target" }, targetOf(entry, actions)),
    h("td", { class: "admin-reason" }, entry.reason ? h("bdi", {}, entry.reason) : null),
    h("td", {}, entry.before || entry.after ? open : null));
  return entry.before || entry.after ? [line, more] : [line];
}
