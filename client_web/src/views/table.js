/** The table page: a daily, a challenge by its id, or practice. */

import { challenge as fetchChallenge, dailies } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { day, sentence } from "../format.js";
import { t } from "../i18n.js";
import { announce } from "../live.js";
import { viewer } from "../session.js";
import { onSettings } from "../settings.js";
import { endPanel, endSentence } from "../table/end.js";
import { Hud } from "../table/hud.js";
import { listenKeys } from "../table/keys.js";
import { button, confirm, Notices } from "../table/notices.js";
import { Player } from "../table/player.js";
import { rankText, verdict } from "../table/words.js";
import { loading } from "./parts.js";

/** @typedef {import("../state.js").Attempt} Attempt */

/** How long the end screen waits for the field, in milliseconds. */
const FIELD_WAIT_MS = 700;

/**
 * What to ask the server for, by the address.
 * @param {string[]} params
 * @param {URLSearchParams} query
 * @returns {import("../desk.js").Opening}
 */
function opening([first, second], query) {
  if (first === "challenge") return { t: "start", challenge: second };
  if (first !== "practice") return { t: "start", challenge: `daily/${first}/${second}` };
  const attempt = query.get("attempt");
  const deal = query.get("challenge");
  if (attempt) return { t: "sync", attempt };
  const branch = query.get("branch");
  if (branch) return { t: "practice", from: { attempt: branch, seq: Number(query.get("seq")) || 0 } };
  const seed = query.get("seed");
  if (seed) return { t: "practice", ruleset: second, seed };
  return deal ? { t: "practice", challenge: deal } : { t: "practice", ruleset: second };
}

/**
 * What an ended game stands among. These modules are fetched when a game has ended: until then nobody needs them.
 * @param {string} date
 * @param {string} ruleset
 * @param {{title: string, maximum: number}} game
 */
async function shownField(date, ruleset, game) {
  try {
    const { fieldSection } = await import("../table/field.js");
    return await fieldSection(date, ruleset, game);
  } catch {
    return null;
  }
}

/** @type {import("../main.js").View} */
export const view = (root, visit) => {
  /** @type {(() => void) | void} */
  let leave;
  let left = false;
  fill(root, loading());
  void closedToVisitor(visit.params).then(async (closed) => {
    const about = closed ? await noGame("challenge/closed", visit.params) : null;
    if (left) return;
    if (about) showNoGame(root, visit, about);
    else leave = seatPlayer(root, visit);
  });
  return () => {
    left = true;
    leave?.();
  };
};

/**
 * What stands in place of a game: fetched when there is none.
 * @param {string} code
 * @param {string[]} params
 */
async function noGame(code, params) {
  const page = await import("./nogame.js");
  return page.noGame(code, params);
}

/**
 * Whether a daily has closed and its reader is a visitor, of whom nothing has to be made to look at it.
 * @param {string[]} params
 */
async function closedToVisitor([date, ruleset]) {
  if (date === "challenge" || date === "practice" || await viewer().catch(() => null)) return false;
  const day = await dailies(date).catch(() => null);
  return typeof day?.dailies.find((one) => one.ruleset === ruleset)?.seed === "string";
}

/**
 * A table page without a table.
 * @param {HTMLElement} root
 * @param {import("../main.js").Visit} visit
 * @param {{title: string, subtitle: string, element: HTMLElement}} about what stands there instead
 */
function showNoGame(root, { title }, about) {
  title(sentence(about.title, about.subtitle));
  fill(root, h("div", { class: "table-page no-game" },
    h("header", { class: "hud" }, h("div", { class: "hud-start" },
      h("a", { class: "tool", href: "/", title: t("All games") }, icon("home"), h("span", { class: "visually-hidden" }, t("All games"))),
      h("div", { class: "hud-names" }, h("h1", { class: "hud-title", tabindex: "-1" }, about.title), h("p", { class: "hud-subtitle" }, about.subtitle)))),
    h("section", { class: "stage" }, about.element)));
}

/** @type {import("../main.js").View} */
const seatPlayer = (root, { path, params, query, state, title, replace }) => {
  const stage = h("section", { class: "stage", "data-zone": "table", "aria-label": t("Table") }, loading());
  /** @type {HTMLDialogElement | null} */
  let dialog = null;
  let alive = true;

  const giveUp = async () => {
    const sure = await confirm({
      title: t("Give up this deal?"),
      text: player.desk.attempt?.ranked === false ? t("This practice game ends here.")
        : t("Your progress counts as it is. This cannot be undone, and the deal cannot be played again for the board."),
      yes: t("Give up"), no: t("Keep playing"),
    });
    if (sure) player.resign();
  };
  const undo = () => {
    player.undo();
  };
  const zen = () => {
    page.classList.toggle("zen");
    const on = page.classList.contains("zen");
    notices.whisper(on ? t("Zen: press F, or touch the time, to see everything again.") : t("Everything is shown again."));
    player.board.grid.focus();
  };
  const hud = new Hud({
    undo,
    hint: () => player.hint(),
    resign: () => void giveUp(),
    rules: () => window.open(`/rules/${encodeURIComponent(player.desk.attempt?.ruleset ?? params[1])}`, "_blank", "noopener"),
    zen,
  });
  const notices = new Notices({ undo, resign: () => void giveUp(), retry: () => player.desk.retry() });
  const whisper = notices.whisperElement;
  const result = h("div", { class: "result-bar", hidden: true });

  const player = new Player(opening(params, query), {
    changed: (attempt) => {
      if (stage.firstElementChild !== player.board.element) seat(attempt);
      hud.show(attempt);
      notices.show(attempt);
    },
    ended: (attempt) => void end(attempt),
    whisper: (reason) => notices.whisper(reason),
    failed: (code) => void refuse(code),
    connection: (connected) => {
      hud.connection(connected, player.desk.clock.ping());
      notices.connection(connected);
    },
  });

  const page = h("div", { class: "table-page" }, hud.element, notices.element, stage, whisper, result);
  page.addEventListener("click", (event) => {
    if (page.classList.contains("zen") && event.target instanceof Element && event.target.closest(".figures")) zen();
  });
  fill(root, page);
  const stopKeys = listenKeys(page, player, { zen });
  const stopSettings = onSettings(() => player.draw());

  /** @param {Attempt} attempt */
  function seat(attempt) {
    const name = t(attempt.layout.title);
    const { challenge } = attempt;
    title(sentence(name, challenge.date ? day(challenge.date, "short") : null));
    hud.name(name, params[2] === "preview" ? t("Preview") : !attempt.ranked ? t("Practice") : challenge.date ? day(challenge.date) : t("Challenge"));
    if (attempt.ranked && challenge.kind === "event") {
      void fetchChallenge(challenge.id).catch(() => null).then((deal) => {
        if (!alive || !deal?.event) return;
        title(sentence(name, deal.event.name));
        hud.name(name, deal.event.name);
      });
    }
    fill(stage, player.board.element);
    player.draw();
    hud.run(player.desk);
    if (!attempt.ranked) replace(`${path}?attempt=${encodeURIComponent(attempt.id)}`, state);
  }

  /** @param {Attempt} attempt */
  async function end(attempt) {
    announce(endSentence(attempt));
    const { challenge, layout, ruleset } = attempt;
    const daily = attempt.ranked && challenge.kind === "daily" && challenge.date && attempt.over !== "void";
    const place = daily ? h("div", { class: "field-place" }) : null;
    const field = daily ? shownField(challenge.date ?? "", ruleset, { title: t(layout.title), maximum: layout.maximum }).then((found) => {
      if (found) place?.replaceChildren(found);
    }) : null;
    // The result does not wait long for what it stands among; that comes into its place when it comes.
    const [deal] = await Promise.all([
      attempt.ranked ? fetchChallenge(challenge.id).catch(() => null) : null,
      Promise.race([field, new Promise((resolve) => { setTimeout(resolve, FIELD_WAIT_MS); })]),
    ]);
    const sections = await Promise.all([import("../table/proof.js"), import("../table/loss.js")]).catch(() => null);
    if (!alive) return;
    const verifiable = typeof deal?.seed === "string";
    const practise = verifiable ? `/practice/${attempt.ruleset}?challenge=${encodeURIComponent(attempt.challenge.id)}` : `/practice/${attempt.ruleset}`;
    // Told once the deal is no secret any more: of practice at its end, of a deal for all when it has closed.
    const lost = (verifiable || !attempt.ranked) && attempt.over !== "void";
    const [proof, loss] = sections ? [deal ? sections[0].proofSection(deal) : null, lost ? sections[1].lossSection(attempt.id, { layout, pilesAt: (seq) => player.desk.pilesAt(seq), par: typeof deal?.par !== "number", wanted: () => alive }) : null] : [];
    const show = () => {
      dialog?.remove();
      dialog = endPanel(attempt, { verifiable, practise, proof: proof ?? null, field: place, loss: loss ?? null }, () => dialog?.close());
      dialog.addEventListener("close", () => player.board.grid.focus());
      document.body.append(dialog);
      dialog.showModal();
    };
    const rank = rankText(attempt.result?.rank, attempt.result?.of);
    fill(result, h("strong", {}, verdict(attempt.over)), rank ? h("span", {}, rank) : null, button(t("Result"), show, "button-main"));
    result.hidden = false;
    show();
  }

  /**
   * The attempt cannot be opened: say why, and show what there is instead.
   * @param {string} code
   */
  async function refuse(code) {
    const about = await noGame(code, params);
    if (!alive) return;
    player.desk.close();
    page.classList.add("no-game");
    hud.name(about.title, about.subtitle);
    fill(stage, about.element);
  }

  return () => {
    alive = false;
    player.close();
    hud.close();
    stopKeys();
    stopSettings();
    dialog?.remove();
  };
};
