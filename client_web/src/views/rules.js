/** The rules of a game as its ruleset tells them, how it ranks, and how undo counts. */

import { rulesets } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { rankKeys, undoPolicy } from "../table/words.js";
import { failure, loading } from "./parts.js";

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  const { params: [key], title } = visit;
  const load = () => {
    fill(root, loading());
    rulesets().then((games) => {
      const game = games.find((one) => one.key === key);
      if (!game) {
        void import("./notfound.js").then((page) => page.view(root, visit));
        return;
      }
      title(t("Rules of {game}", { game: t(game.title) }));
      fill(root, h("article", { class: "rules" },
        h("h1", {}, t(game.title)),
        paragraphs(game.rules),
        h("h2", {}, t("At a glance")),
        h("ul", {}, Object.entries(game.rankings).map(([name, keys]) => h("li", {},
          h("strong", {}, name === "main" ? t("Board") : t("Board by moves")), ": ", rankKeys(keys))),
          h("li", {}, undoPolicy(game.undo))),
        h("h2", {}, t("Other games")),
        h("ul", { class: "rules-others" }, games.filter((one) => one.key !== key)
          .map((one) => h("li", {}, h("a", { href: `/rules/${encodeURIComponent(one.key)}` }, t(one.title))))),
        h("div", { class: "buttons" },
          game.daily ? h("a", { class: "button button-main", href: `/daily/today/${encodeURIComponent(key)}` }, t("Today’s deal of this game")) : null,
          h("a", { class: game.daily ? "button" : "button button-main", href: "/" }, t("Today’s games")),
          h("a", { class: "button", href: `/practice/${encodeURIComponent(key)}` }, t("Practise")))));
    }, (error) => fill(root, failure(error, load)));
  };
  load();
};

/**
 * Paragraphs, headings ("# ") and list items ("- ").
 * @param {string[]} lines
 */
function paragraphs(lines) {
  /** @type {HTMLElement[]} */
  const parts = [];
  for (const line of lines) {
    const text = t(line);
    if (text.startsWith("# ")) parts.push(h("h2", {}, text.slice(2)));
    else if (text.startsWith("- ")) {
      const last = parts.at(-1);
      const list = last instanceof HTMLUListElement ? last : h("ul");
      list.append(h("li", {}, text.slice(2)));
      if (list !== last) parts.push(list);
    } else parts.push(h("p", {}, text));
  }
  return parts;
}
