/** Asking for a preview: as whom one plays, and what that costs him. */

import { h } from "../../dom.js";
import { rich, t } from "../../i18n.js";
import { player } from "../../session.js";
import { formDialog } from "./parts.js";
import { ask, bindPlayer } from "./who.js";

/**
 * @param {import("./types.js").Seat} seat
 * @param {Record<string, string>} wish what is to be previewed
 * @param {string} ruleset
 * @param {string} name of the deal in words
 * @param {() => void} back gives the focus back
 */
export async function askPreview(seat, wish, ruleset, name, back) {
  const own = await player().catch(() => null);
  const who = h("p", {}, own ? rich("You play as {name}, the player of this browser. From the first card on, {name} cannot rank on this deal, and nothing you do in the preview counts.", { name: own.name }) : t("The server cannot be reached."));
  const other = own && seat.me.player && seat.me.player !== own.id;
  formDialog({
    title: t("Preview"), yes: t("Preview"),
    body: [h("p", {}, name), who, other ? h("p", { class: "small" }, t("Until now you played as somebody else. That player stays kept from what you prepared or previewed.")) : null],
    act: async () => {
      if (own && seat.me.player !== own.id) seat.me.player = (await bindPlayer())?.player ?? null;
      const { attempt } = /** @type {{attempt: string}} */ (await ask("POST", "/previews", wish));
      sessionStorage.setItem("samedeal.preview", location.pathname + location.search);
      seat.visit.go(`/admin/preview/${encodeURIComponent(ruleset)}?attempt=${encodeURIComponent(attempt)}`);
    },
    back: () => {
      back();
      return document.activeElement instanceof HTMLElement ? document.activeElement : null;
    },
  });
}
