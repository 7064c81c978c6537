/** What an entry of the audit log tells: what changed, value by value, and a way to what it is about. */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { plainTable } from "./parts.js";

/** @typedef {import("./types.js").AuditLine} AuditLine */

/**
 * The values of what was noted by their names: those within others are named after both, as `attempts.won`.
 * @param {unknown} told
 * @param {string} [name]
 * @returns {[string, string][]}
 */
export function valuesOf(told, name = "") {
  if (told === null || told === undefined) return name ? [[name, "–"]] : [];
  if (Array.isArray(told) && told.every((one) => typeof one !== "object")) return [[name, told.join(", ")]];
  if (typeof told !== "object") return [[name, String(told)]];
  return Object.entries(told).flatMap(([key, value]) => valuesOf(value, name ? `${name}.${key}` : key));
}

/**
 * What stood before an act and what after it.
 * @param {AuditLine} entry
 */
export function changesOf({ before, after }) {
  const [was, is] = [before, after].map((told) => new Map(valuesOf(told)));
  /** @param {string | undefined} value */
  const cell = (value) => h("td", {}, value === undefined ? "–" : h("code", { class: "admin-code", dir: "ltr" }, value));
  return plainTable(t("Before and after"), [t("Value"), ...(before ? [t("Before")] : []), ...(after ? [t("After")] : [])], [...new Set([...was.keys(), ...is.keys()])].map((name) => h("tr", { class: before && after && was.get(name) !== is.get(name) ? "admin-changed" : null },
    h("th", { scope: "row" }, h("code", { class: "admin-code", dir: "ltr" }, name)), before ? cell(was.get(name)) : null, after ? cell(is.get(name)) : null)));
}

/**
 * What an entry is about, as a link where a page shows it.
 * @param {AuditLine} entry
 * @param {string[]} actions that the reader may do
 */
export function targetOf({ target, before, after }, actions) {
  const name = h("code", { class: "admin-code", dir: "ltr" }, target);
  const [kind, id] = target.split("/");
  const challenge = before?.challenge ?? after?.challenge;
  if (typeof challenge === "string" && actions.includes("rulings.read")) {
    const query = kind === "attempt" ? `?${new URLSearchParams({ attempt: id })}` : "";
    return h("a", { href: `/admin/rulings/${encodeURIComponent(challenge)}${query}` }, name);
  }
  if (kind === "player" && id && actions.includes("players.read")) return h("a", { href: `/admin/players/${encodeURIComponent(id)}` }, name);
  return name;
}
