/** A histogram: how many stand in each bar, and in which one the reader stands. Never mirrored; with a table for those who hear it. */

import { h, s } from "../dom.js";
import { clock, ltr, number } from "../format.js";
import { n, t } from "../i18n.js";

/** @typedef {import("../types.js").Spread} Spread */
/** @typedef {import("../types.js").Bar} Bar */

const WIDTH = 320;
const HEIGHT = 120;
const BASE = 98;
const TOP = 16;

/**
 * @param {Spread} spread
 * @param {number} value
 */
function valueText({ unit }, value) {
  return unit === "ms" ? clock(value) : number(value);
}

/**
 * The range of a bar in words; the last bar may have everything above it too.
 * @param {Spread} spread
 * @param {number} at
 */
function rangeText(spread, at) {
  const { start, end } = spread.bars[at];
  if (spread.open_ended && at === spread.bars.length - 1) return t("{value} or more", { value: ltr(valueText(spread, start)) });
  if (spread.unit !== "ms" && end - start === 1) return number(start);
  return ltr(`${valueText(spread, start)}–${valueText(spread, spread.unit === "ms" ? end : end - 1)}`);
}

/**
 * What stands below a border of the bars. Times are measured and end at the border; what is counted ends with the last
 * value of the last bar, so that nobody reads a number of cards that the game does not have.
 * @param {Spread} spread
 * @param {number} at
 */
function borderText(spread, at) {
  const { bars, open_ended: open, unit } = spread;
  if (at < bars.length) return valueText(spread, bars[at].start);
  const { start, end } = bars[at - 1];
  if (open) return `${valueText(spread, start)}+`;
  return valueText(spread, unit === "ms" ? end : end - 1);
}

/**
 * @param {Spread} spread
 * @param {string} name what is counted, such as “Times of wins”
 * @returns {HTMLElement}
 */
export function histogram(spread, name) {
  const { bars, own } = spread;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const step = (WIDTH - 8) / bars.length;
  const width = Math.max(2, Math.min(step - 2, 44));
  /** @param {Bar} bar @param {number} at */
  const draw = ({ count }, at) => {
    const height = count ? Math.max(3, ((BASE - TOP) * count) / most) : 0;
    const x = 4 + at * step + (step - width) / 2;
    return [
      s("rect", { class: at === own ? "hist-bar hist-own" : "hist-bar", x: x.toFixed(1), y: (BASE - height).toFixed(1), width: width.toFixed(1), height: height.toFixed(1), rx: Math.min(2, width / 3) }),
      // One's own bar is told by a mark as well as by its colour.
      at === own ? s("path", { class: "hist-mark", d: `M${(x + width / 2).toFixed(1)} ${(BASE - height - 3).toFixed(1)}l-5 -8h10z` }) : null,
    ];
  };
  const last = bars.length - 1;
  // Few marks below: the first, the middle and the last border; where each bar is one number, that of such bars below their middles.
  const single = spread.unit !== "ms" && bars.slice(0, spread.open_ended ? -1 : undefined).every(({ start, end }) => end - start === 1);
  const marks = single ? [0, Math.floor(last / 2), last] : [0, Math.floor(bars.length / 2), ...(bars.length > 1 || spread.unit === "ms" ? [bars.length] : [])];
  const labels = [...new Set(marks)].map((at) => s("text", {
    class: "chart-label", x: (4 + (at + (single ? 0.5 : 0)) * step).toFixed(1), y: HEIGHT - 6, "text-anchor": single ? "middle" : at === 0 ? "start" : at > last ? "end" : "middle",
  }, single && at === last && spread.open_ended ? borderText(spread, at + 1) : borderText(spread, at)));
  const told = own === null ? name : `${name}. ${t("You are in the bar {range}.", { range: rangeText(spread, own) })}`;
  return h("figure", { class: "chart" },
    h("figcaption", {}, name),
    h("div", { class: "chart-place", dir: "ltr" },
      s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart-svg", role: "img", "aria-label": told },
        s("path", { class: "chart-base", d: `M0 ${BASE + 0.5}H${WIDTH}` }), bars.map(draw), labels)),
    h("details", { class: "chart-table" }, h("summary", {}, t("As a table")),
      h("table", {}, h("caption", { class: "visually-hidden" }, name),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("From – to")), h("th", { scope: "col", class: "num" }, t("Results")))),
        h("tbody", {}, bars.map(({ count }, at) => (count || at === own ? h("tr", { class: at === own ? "own" : null },
          h("th", { scope: "row" }, h("bdi", {}, rangeText(spread, at)), at === own ? h("span", { class: "badge badge-you" }, t("you")) : null),
          h("td", { class: "num" }, number(count))) : null))))),
    h("p", { class: "visually-hidden" }, n("{count} result", "{count} results", spread.total)));
}
