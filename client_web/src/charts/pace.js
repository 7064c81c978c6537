/** The pace of a game: when each tenth of the moves was made, beside the median of the field. Never mirrored; with a table. */

import { h, s } from "../dom.js";
import { clock, percent } from "../format.js";
import { n, t } from "../i18n.js";

/** @typedef {import("../types.js").Pace} Pace */

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 38;
const RIGHT = 310;
const TOP = 12;
const BASE = 126;

/**
 * @param {Pace} pace
 * @returns {HTMLElement}
 */
export function paceChart({ tenths, median_ms: median, own_ms: own, sample }) {
  const longest = Math.max(1, ...median, ...(own ?? []));
  /** @param {number} ms */
  const x = (ms) => LEFT + ((RIGHT - LEFT) * ms) / longest;
  /** @param {number} tenth */
  const y = (tenth) => BASE - ((BASE - TOP) * tenth) / 10;
  /** @param {number[]} line */
  const path = (line) => line.map((ms, at) => `${at ? "L" : "M"}${x(ms).toFixed(1)} ${y(tenths[at]).toFixed(1)}`).join("");
  const name = t("Pace: how many of the moves were made by when");
  const end = own ? t("Your last move came at {own}, the median at {median}.", { own: clock(own[own.length - 1]), median: clock(median[median.length - 1]) })
    : t("The median’s last move came at {median}.", { median: clock(median[median.length - 1]) });
  return h("figure", { class: "chart" },
    h("figcaption", {}, name),
    h("div", { class: "chart-place", dir: "ltr" },
      s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart-svg", role: "img", "aria-label": `${name}. ${end}` },
        [0, 5, 10].map((tenth) => [
          s("path", { class: tenth ? "chart-grid" : "chart-base", d: `M${LEFT} ${y(tenth)}H${RIGHT}` }),
          s("text", { class: "chart-label", x: LEFT - 5, y: y(tenth) + 4, "text-anchor": "end" }, percent(tenth / 10)),
        ]),
        [0, 0.5, 1].map((part) => s("text", { class: "chart-label", x: x(longest * part), y: HEIGHT - 8, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle" }, clock(longest * part))),
        s("path", { class: "pace-line pace-median", d: path(median) }),
        own ? [s("path", { class: "pace-line pace-own", d: path(own) }), s("circle", { class: "pace-end", cx: x(own[own.length - 1]), cy: y(tenths[tenths.length - 1]), r: 4 })] : null)),
    h("p", { class: "chart-key" },
      own ? h("span", { class: "key key-own" }, t("You")) : null,
      h("span", { class: "key key-median" }, n("Median of {count} game", "Median of {count} games", sample))),
    h("details", { class: "chart-table" }, h("summary", {}, t("As a table")),
      h("table", {}, h("caption", { class: "visually-hidden" }, name),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Moves made")), own ? h("th", { scope: "col", class: "num" }, t("You")) : null, h("th", { scope: "col", class: "num" }, t("Median")))),
        h("tbody", {}, tenths.map((tenth, at) => h("tr", {}, h("th", { scope: "row" }, percent(tenth / 10)),
          own ? h("td", { class: "num" }, h("bdi", { dir: "ltr" }, clock(own[at]))) : null,
          h("td", { class: "num" }, h("bdi", { dir: "ltr" }, clock(median[at])))))))));
}
