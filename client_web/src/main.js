/** Start of the client: settings, language, the frame of every page, and the router. */

import { fill, h, icon } from "./dom.js";
import { pickLanguage, t, useLanguage } from "./i18n.js";
import { mountLive } from "./live.js";
import { onPlayer, viewer } from "./session.js";
import { applySettings, settings } from "./settings.js";

/**
 * A reader at an address. Title and address are those of the page that is shown: once he has gone elsewhere, `title`,
 * `replace` and `push` of this visit do nothing.
 * @typedef {object} Visit
 * @property {string} path
 * @property {string[]} params what the route's pattern found in the path
 * @property {URLSearchParams} query
 * @property {unknown} state what the browser keeps with the address
 * @property {(text: string) => void} title
 * @property {(path: string | null, state?: unknown) => void} replace gives this page another address, or with null another state
 * @property {(path: string) => void} push goes to another address that this page itself shows
 * @property {(path: string) => void} go goes to another page
 */

/**
 * A view fills `root`, which no other visit has, and may give back what to do when the reader leaves it.
 * @typedef {(root: HTMLElement, visit: Visit) => void | (() => void)} View
 * @typedef {{pattern: RegExp, bare?: boolean, load: () => Promise<{view: View}>}} Route
 */

/** @type {Route[]} */
const ROUTES = [
  { pattern: /^\/$/, load: () => import("./views/lobby.js") },
  { pattern: /^\/daily\/([^/]+)\/([^/]+)$/, bare: true, load: () => import("./views/start.js") },
  { pattern: /^\/(challenge)\/([^/]+)$/, bare: true, load: () => import("./views/start.js") },
  { pattern: /^\/(practice)\/([^/]+)$/, bare: true, load: () => import("./views/table.js") },
  { pattern: /^\/boards(?:\/.*)?$/, load: () => import("./views/boards.js") },
  { pattern: /^\/players\/([^/]+)$/, load: () => import("./views/profile.js") },
  { pattern: /^\/calendar$/, load: () => import("./views/calendar.js") },
  { pattern: /^\/verify\/([^/]+)$/, load: () => import("./views/verify.js") },
  { pattern: /^\/rules\/([^/]+)$/, load: () => import("./views/rules.js") },
  { pattern: /^\/admin(?:$|\/)(.*)$/, bare: true, load: () => import("./views/admin/admin.js") },
  { pattern: /^\/settings$/, load: () => import("./views/settings.js") },
];

const NOT_FOUND = /** @type {Route} */ ({ pattern: /$/, load: () => import("./views/notfound.js") });

/** @type {(() => void) | null} */
let leave = null;
let visitNumber = 0;
/** The address that is shown, or about to be. */
let here = "";
/** @type {() => void} */
let stopGreeting = () => undefined;

/** @param {string} path */
function header(path) {
  /** @param {string} href @param {import("./dom.js").IconName} picture @param {string} name @param {boolean} here */
  const item = (href, picture, name, here) => h("a", { class: "nav-item", href, "aria-current": here ? "page" : null },
    icon(picture), h("span", { class: "nav-name" }, name));
  const who = h("bdi", { class: "who-name nav-name" });
  const own = h("a", { class: "nav-item who", hidden: true }, icon("person"), who);
  /** @param {import("./types.js").Player} me */
  const greet = (me) => {
    who.textContent = me.name;
    own.href = `/players/${encodeURIComponent(me.id)}`;
    own.setAttribute("aria-label", t("Your profile: {name}", { name: me.name }));
    if (path === own.pathname) own.setAttribute("aria-current", "page");
    own.hidden = false;
  };
  stopGreeting();
  stopGreeting = onPlayer(greet);
  viewer().then((me) => me && greet(me), () => {
    // The page itself says that the server cannot be reached.
  });
  return h("header", { class: "site" },
    h("a", { class: "skip", href: "#main" }, t("Skip to the content")),
    h("a", { class: "brand", href: "/" }, brandMark(), h("span", {}, "Samedeal")),
    h("nav", { class: "site-nav", "aria-label": t("Pages") },
      item("/", "cards", t("Play"), path === "/"),
      item("/boards", "board", t("Boards"), path.startsWith("/boards")),
      item("/calendar", "calendar", t("Calendar"), path === "/calendar"),
      own,
      item("/settings", "gear", t("Settings"), path === "/settings")));
}

/** A server that runs without limits says so on every page. */
function sandboxNote() {
  return document.documentElement.dataset.sandbox === undefined ? null
    : h("p", { class: "sandbox" }, t("This server runs without limits, for load tests. Results made here mean nothing."));
}

function brandMark() {
  return h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 });
}

function footer() {
  return h("footer", { class: "site-foot" },
    h("p", {}, t("Everybody gets the same deal. The server judges every move and keeps every time.")),
    h("nav", { "aria-label": t("More") }, h("a", { href: "/api/docs", "data-plain": true }, t("Interface for programs"))));
}

function address() {
  return location.pathname + location.search;
}

/**
 * Shows the view of the address. The page before ends at once, not when this one has been loaded: whatever it still
 * waits for must not touch this address.
 * @returns {Promise<HTMLElement | null>} the page, null where the reader has gone elsewhere meanwhile
 */
async function show() {
  visitNumber += 1;
  const number = visitNumber;
  const current = () => number === visitNumber;
  here = address();
  leave?.();
  leave = null;
  const { pathname: path, search } = location;
  const state = /** @type {unknown} */ (history.state);
  const route = ROUTES.find(({ pattern }) => pattern.test(path)) ?? NOT_FOUND;
  const view = await route.load().then((loaded) => loaded.view, () => unreachable);
  if (!current()) return null;
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  const page = h("main", { class: route.bare ? "page page-bare" : "page", id: "main" });
  if (route.bare) fill(app, sandboxNote(), page);
  else fill(app, sandboxNote(), header(path), page, footer());
  leave = view(page, {
    path,
    params: (route.pattern.exec(path) ?? []).slice(1).map(decode),
    query: new URLSearchParams(search),
    state,
    title: (text) => {
      if (current()) document.title = text ? `${text} · Samedeal` : "Samedeal";
    },
    replace: (to, kept = null) => {
      if (!current()) return;
      history.replaceState(kept, "", to);
      here = address();
    },
    push: (to) => {
      if (!current()) return;
      history.pushState(null, "", to);
      here = address();
    },
    go,
  }) ?? null;
  return page;
}

/**
 * A page whose program could not be fetched. Browsers may remember that, so only a whole new load tries again.
 * @type {View}
 */
const unreachable = (root, { title }) => {
  title("");
  fill(root, h("div", { class: "failure", role: "alert" }, h("p", {}, t("The server cannot be reached. Your games are safe there.")),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "button button-main", onclick: () => location.reload() }, t("Try again")))));
};

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Goes to another page of the client.
 * @param {string} path
 * @param {unknown} [state] kept by the browser with the address
 */
function go(path, state = null) {
  history.pushState(state, "", path);
  scrollTo(0, 0);
  void show().then(begin);
}

/**
 * The keyboard begins at the title of a new page, or at the page while it has none yet: never nowhere.
 * @param {HTMLElement | null} page
 */
function begin(page) {
  if (!page || page.contains(document.activeElement)) return;
  if (document.querySelector("dialog[open]")) return;
  const first = page.querySelector("h1") ?? page;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.dataset.plain !== undefined || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search, link.dataset.start === undefined ? null : { start: true });
}

async function start() {
  applySettings();
  await useLanguage(pickLanguage(settings().language));
  mountLive();
  document.addEventListener("click", followLink);
  addEventListener("popstate", () => {
    // A jump inside the page, as to its content, is told like a way back.
    if (address() !== here) void show().then(begin);
  });
  await show();
}

void start();
