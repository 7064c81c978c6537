/** The admins themselves: who they are, their roles and tokens. A token is shown once. */

import { fill, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { field, formDialog, instant, Message, onSubmit, openDialog, select, show, table } from "./parts.js";
import { ask } from "./who.js";
import { roleName } from "./words.js";

/** @typedef {import("./types.js").Admin} Admin */

/** @returns {[string, string][]} */
function roles() {
  return ["owner", "seeder", "moderator", "auditor"].map((role) => [role, roleName(role)]);
}

/** @type {import("./types.js").Section} */
export const section = (root, { me }) => {
  const may = me.actions.includes("admins.write");
  const message = new Message();
  const list = h("section", { class: "admin-list" });
  const name = h("input", { type: "text", required: true, maxlength: 40, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*", dir: "ltr", autocomplete: "off" });
  const role = select(roles(), "auditor");
  const form = h("form", { class: "admin-line panel" }, field(t("Name"), name), field(t("Role"), role), h("button", { class: "button button-main" }, t("Make an admin")));
  onSubmit(form, async () => {
    message.clear();
    try {
      told(await ask("POST", "/admins", { name: name.value.trim(), role: role.value }));
      name.value = "";
      await load();
    } catch (error) {
      message.fail(error);
    }
  });
  fill(root, h("h1", {}, t("Admins")), may ? form : null, message.element, list);
  void load();

  function load() {
    return show(list, () => /** @type {Promise<{admins: Admin[]}>} */ (ask("GET", "/admins")), ({ admins }) => table(t("Admins"), [t("Name"), t("Role"), t("Since"), h("span", { class: "visually-hidden" }, t("Acts"))], admins.map(row)));
  }

  /** @param {Admin} one */
  function row(one) {
    const path = `/admins/${encodeURIComponent(one.name)}`;
    return h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, one.name)),
      h("td", {}, roleName(one.role), one.revoked_at ? h("span", { class: "chip chip-void" }, t("revoked")) : null), h("td", {}, instant(one.created_at)),
      h("td", {}, may && !one.revoked_at ? h("div", { class: "admin-acts" },
        button(t("Role…"), () => {
          const choice = select(roles(), one.role);
          formDialog({ title: t("Role of {name}", { name: one.name }), yes: t("Change"), body: field(t("Role"), choice), act: async () => { await ask("PATCH", path, { role: choice.value }); await load(); } });
        }, "button-small"),
        button(t("New token…"), () => formDialog({
          title: t("New token for {name}", { name: one.name }), yes: t("Make it"), body: h("p", {}, t("The old token and all sessions end at once.")),
          act: async () => { const made = /** @type {{admin: Admin, token: string}} */ (await ask("POST", `${path}/token`)); setTimeout(() => told(made)); },
        }), "button-small"),
        button(t("Revoke…"), () => formDialog({
          title: t("Revoke {name}", { name: one.name }), yes: t("Revoke"), bad: true, body: h("p", {}, t("This admin can sign in no more, at once. The name stays taken.")),
          act: async () => { await ask("DELETE", path); await load(); message.say(t("Revoked.")); },
        }), "button-small button-bad")) : null));
  }

  /** @param {{admin: Admin, token: string}} made */
  function told({ admin, token }) {
    const shown = h("code", { class: "hash", dir: "ltr" }, token);
    const dialog = openDialog(t("Token of {name}", { name: admin.name }), [h("p", {}, t("It is shown this once. Give it to its owner in a safe way.")), shown,
      h("div", { class: "buttons" }, button(t("Copy"), () => void navigator.clipboard?.writeText(token)), button(t("Close"), () => dialog.close(), "button-main"))]);
  }
};
