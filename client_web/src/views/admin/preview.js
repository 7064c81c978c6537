/** A coming deal at the ordinary table, with a line that says what this is. */

import { fill, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { view as table } from "../table.js";

/** Where the preview was asked for. */
function origin() {
  try {
    return sessionStorage.getItem("samedeal.preview") ?? "/admin";
  } catch {
    return "/admin";
  }
}

/** @type {import("./types.js").Section} */
export const section = (root, { visit, parts }) => {
  const place = h("div", { class: "preview-table" });
  fill(root, h("div", { class: "banner preview-banner" },
    h("span", {}, t("Preview. Nothing counts here, and you are barred from ranking on this deal.")),
    h("a", { class: "button", href: origin() }, t("End the preview"))), place);
  return table(place, { ...visit, params: ["practice", parts[0] ?? "", "preview"] });
};
