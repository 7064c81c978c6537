/** The admin's pages: signing in, the frame around them, and the way between them. Loaded by nobody who only plays. */

import { useTexts } from "../../i18n.js";
import { fill, h, icon } from "../../dom.js";
import { t } from "../../i18n.js";
import { button } from "../../table/notices.js";
import { loading } from "../parts.js";
import { field, Message, onSubmit } from "./parts.js";
import { onEnded, signIn, signOut, whoIsHere } from "./who.js";
import { roleName, why } from "./words.js";

/** @typedef {import("./types.js").Me} Me */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {{key: string, needs: string, bare?: boolean, load: () => Promise<{section: Section}>}} Place */

/** @type {Place[]} */
const PLACES = [
  { key: "", needs: "calendar.read", load: () => import("./calendar.js") },
  { key: "deals", needs: "deals.read", load: () => import("./deals.js") },
  { key: "lists", needs: "calendar.read", load: () => import("./imports.js") },
  { key: "events", needs: "events.read", load: () => import("./events.js") },
  { key: "rulings", needs: "rulings.read", load: () => import("./rulings.js") },
  { key: "players", needs: "players.read", load: () => import("./players.js") },
  { key: "audit", needs: "audit.read", load: () => import("./audit.js") },
  { key: "files", needs: "results.read", load: () => import("./files.js") },
  { key: "admins", needs: "admins.read", load: () => import("./admins.js") },
];
/** @type {Place} */
const PREVIEW = { key: "preview", needs: "deals.preview", bare: true, load: () => import("./preview.js") };

/** @param {string} key */
function placeName(key) {
  switch (key) {
    case "deals": return t("Deals");
    case "lists": return t("Seed lists");
    case "events": return t("Events");
    case "rulings": return t("Rulings");
    case "players": return t("Players");
    case "audit": return t("Audit log");
    case "files": return t("Files");
    case "admins": return t("Admins");
    default: return t("Calendar");
  }
}

/** Whether a page was shown before this one, whose reader followed a link and is to be taken along. */
let visited = false;

/** @type {Promise<void> | null} */
let dressed = null;

/** The style sheet of these pages, which no other page needs. */
function dress() {
  dressed ??= new Promise((resolve) => {
    const sheet = h("link", { rel: "stylesheet", href: new URL("../../../style/admin.css", import.meta.url).href });
    sheet.addEventListener("load", () => resolve());
    sheet.addEventListener("error", () => {
      sheet.remove();
      dressed = null;
      resolve();
    });
    document.head.append(sheet);
  });
  return dressed;
}

/** @type {import("../../main.js").View} */
export const view = (root, visit) => {
  let alive = true;
  /** @type {(() => void) | void} */
  let leave;
  const start = async () => {
    leave?.();
    leave = undefined;
    fill(root, loading());
    const [found] = await Promise.all([whoIsHere().then((me) => ({ me, error: null }), (error) => ({ me: null, error })), dress(), useTexts("admin")]);
    if (!alive) return;
    visit.title(t("Admin"));
    if (found.error) fill(root, frame(null, null, h("div", { class: "admin-gate panel" }, h("h1", {}, t("Admin")), h("p", {}, why(found.error)), button(t("Try again"), () => void start(), "button-main"))));
    else if (!found.me) fill(root, frame(null, null, gate(() => void start())));
    else await seat(found.me);
  };

  /** @param {Me} me */
  const seat = async (me) => {
    const parts = (visit.params[0] ?? "").split("/").filter(Boolean);
    const allowed = PLACES.filter(({ needs }) => me.actions.includes(needs));
    const wanted = parts[0] === "preview" ? PREVIEW : PLACES.find(({ key }) => key === (parts[0] ?? ""));
    // Who may not see the calendar begins at the first page that his role may see.
    const place = !parts.length && !me.actions.includes("calendar.read") ? allowed[0] : wanted;
    const main = h("div", { class: place?.bare ? "admin-bare" : "admin-main", id: "content" });
    if (!place || !me.actions.includes(place.needs)) {
      const text = place ? t("Your role may not see this page.") : t("This address leads to no page. It may have been mistyped, or what it showed is gone.");
      fill(main, h("h1", { tabindex: "-1" }, t("Admin")), h("p", {}, text));
      fill(root, frame(me, null, main, allowed, leaving));
      return;
    }
    const { section } = await place.load();
    if (!alive) return;
    if (place.bare) fill(root, main);
    else {
      visit.title(`${placeName(place.key)}: ${t("Admin")}`);
      fill(root, frame(me, place, main, allowed, leaving));
      root.querySelector(".admin-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    }
    leave = section(main, { me, visit, parts: parts.slice(1) });
    const heading = main.querySelector("h1");
    if (!visited || !heading || document.activeElement !== document.body) visited = true;
    else {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
  };

  const leaving = async () => {
    await signOut().catch(() => undefined);
    if (!alive) return;
    await start();
    root.querySelector("input")?.focus();
  };

  onEnded(() => void start());
  void start();
  return () => {
    alive = false;
    onEnded(() => undefined);
    leave?.();
  };
};

/**
 * The frame around a page.
 * @param {Me | null} me
 * @param {Place | null} here
 * @param {HTMLElement} content
 * @param {Place[]} [places]
 * @param {() => Promise<void>} [leaving]
 */
function frame(me, here, content, places = [], leaving = () => Promise.resolve()) {
  return h("div", { class: "admin" },
    h("a", { class: "skip", href: "#content" }, t("Skip to the content")),
    h("header", { class: "admin-head" },
      h("a", { class: "brand", href: "/admin" }, h("img", { src: new URL("../../../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }), h("span", {}, "Samedeal"), h("span", { class: "badge admin-badge" }, t("Admin"))),
      h("div", { class: "admin-who" },
        me ? h("span", { class: "admin-me" }, h("bdi", {}, me.name), h("span", { class: "badge" }, roleName(me.role))) : null,
        h("a", { class: "tool", href: "/", title: t("To the games") }, icon("cards"), h("span", { class: "admin-wide" }, t("To the games"))),
        me ? h("button", { type: "button", class: "tool", onclick: () => void leaving() }, t("Sign out")) : null),
      me ? h("nav", { class: "tabs admin-tabs", "aria-label": t("Pages of the admin") }, places.map((place) =>
        h("a", { href: place.key ? `/admin/${place.key}` : "/admin", "aria-current": place === here ? "page" : null }, placeName(place.key)))) : null),
    content);
}

/**
 * The form to sign in.
 * @param {() => void} done
 */
function gate(done) {
  const token = h("input", { type: "password", required: true, maxlength: 200, autocomplete: "current-password", dir: "ltr", spellcheck: "false" });
  const message = new Message();
  const form = h("form", { class: "admin-form" }, field(t("Token"), token, t("As “samedeal admin create” printed it. This browser stays signed in for twelve hours.")),
    message.element, h("div", { class: "buttons" }, h("button", { class: "button button-main" }, t("Sign in"))));
  onSubmit(form, async () => {
    try {
      await signIn(token.value.trim());
      done();
    } catch (error) {
      const code = error instanceof Error ? error.message : "";
      message.say(code === "auth/invalid" ? t("This token is not valid, or not any more.") : why(error), "bad");
      token.select();
    }
  });
  return h("div", { class: "admin-gate panel", id: "content" }, h("h1", {}, t("Sign in as an admin")), form);
}
