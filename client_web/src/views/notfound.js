/** The page for addresses that lead nowhere. */

import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { cardPicture } from "../table/cards.js";

/** @type {import("../main.js").View} */
export const view = (root, { title }) => {
  title(t("Not found"));
  fill(root, h("section", { class: "notfound" },
    h("div", { class: "notfound-card" }, cardPicture("??", false)),
    h("h1", {}, t("Nothing was dealt here")),
    h("p", {}, t("This address leads to no page. It may have been mistyped, or what it showed is gone.")),
    h("a", { class: "button button-main", href: "/" }, t("Today’s games"))));
};
