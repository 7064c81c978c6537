/** The streak on the first page, for players who have one. */

import { profile } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { n } from "../i18n.js";
import { viewer } from "../session.js";

/**
 * A line with the streak of whoever reads, hidden as long as there is none.
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
export function streakLine() {
  const element = h("p", { class: "lobby-streak", hidden: true });
  const load = async () => {
    const me = await viewer();
    if (!me) return;
    const { streak } = await profile(me.id);
    element.hidden = streak.current === 0;
    fill(element, h("a", { href: `/players/${encodeURIComponent(me.id)}` }, icon(streak.today ? "check" : "calendar"),
      n("Streak: {count} day in a row", "Streak: {count} days in a row", streak.current)));
  };
  return { element, load: () => load().catch(() => undefined) };
}
