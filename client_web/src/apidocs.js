/** The page for programs: the HTTP interface as the server describes it, every call ready to be tried. */

import { fill, h } from "./dom.js";
import { pickLanguage, t, useLanguage } from "./i18n.js";
import { applySettings, settings } from "./settings.js";

/** @typedef {{name: string, in: "path" | "query" | "header" | "cookie", required?: boolean, description?: string, schema?: Schema}} Parameter */
/** @typedef {{$ref?: string, type?: string, properties?: Record<string, Schema>, items?: Schema, anyOf?: Schema[], enum?: unknown[], const?: unknown, default?: unknown, maxLength?: number, title?: string}} Schema */
/** @typedef {{summary?: string, description?: string, parameters?: Parameter[], requestBody?: {content?: Record<string, {schema?: Schema}>}, responses?: Record<string, {description?: string, content?: Record<string, {schema?: Schema}>}>}} Operation */
/** @typedef {{info: {title: string, version: string, description?: string}, paths: Record<string, Record<string, Operation>>, components?: {schemas?: Record<string, Schema>}}} OpenApi */

/** @typedef {{authorization: () => Record<string, string>, keep: (token: string) => void}} Identity as whom the calls are made */

const app = /** @type {HTMLElement} */ (document.getElementById("app"));

/**
 * An example that fits a schema.
 * @param {Schema | undefined} schema
 * @param {OpenApi} api
 * @param {number} [depth]
 * @returns {unknown}
 */
function example(schema, api, depth = 0) {
  if (!schema || depth > 6) return null;
  if (schema.$ref) return example(api.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""], api, depth + 1);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return example(schema.anyOf[0], api, depth + 1);
  switch (schema.type) {
    case "object": return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, example(one, api, depth + 1)]));
    case "array": return [example(schema.items, api, depth + 1)];
    case "integer":
    case "number": return 0;
    case "boolean": return true;
    case "null": return null;
    default: return schema.type === "string" ? schema.title ?? "text" : {};
  }
}

/** @param {unknown} value */
function pretty(value) {
  return JSON.stringify(value, null, 2);
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Operation} operation
 * @param {OpenApi} api
 * @param {Identity} identity
 */
function callPanel(path, method, operation, api, identity) {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === "path" || one.in === "query");
  const inputs = parameters.map((parameter) => ({
    parameter,
    input: h("input", { type: "text", placeholder: parameter.required ? t("needed") : "", dir: "ltr", autocomplete: "off" }),
  }));
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const body = schema ? h("textarea", { "aria-label": t("Body"), spellcheck: "false", dir: "ltr" }) : null;
  if (body) body.value = pretty(example(schema, api));
  const status = h("p", { role: "status" });
  const answer = h("pre", { dir: "ltr", tabindex: "0", "aria-label": t("Answer"), hidden: true });
  const told = operation.description ?? "";
  const more = told.startsWith(operation.summary ?? "") ? told.slice((operation.summary ?? "").length).replace(/^\.\s*/, "") : told;
  const form = h("form", { class: "api-body" },
    more ? h("p", {}, more) : null,
    inputs.length ? h("div", { class: "api-fields" }, inputs.map(({ parameter, input }) => h("label", {},
      h("span", {}, parameter.name, parameter.required ? " *" : ""), input))) : null,
    body,
    h("div", { class: "buttons" }, h("button", { class: "button button-main" }, t("Send"))),
    status, answer,
    responses(operation, api));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    let address = path;
    const query = new URLSearchParams();
    for (const { parameter, input } of inputs) {
      if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value) query.set(parameter.name, input.value);
    }
    const search = String(query);
    try {
      const began = performance.now();
      const response = await fetch(address + (search ? `?${search}` : ""), {
        // The session of this browser is neither used nor changed here: its guest's games hang on it alone.
        method: method.toUpperCase(), credentials: "omit",
        headers: { ...identity.authorization(), ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: body.value } : {}),
      });
      const text = await response.text();
      const made = isJson(text) ? JSON.parse(text)?.token : null;
      if (response.ok && typeof made === "string") identity.keep(made);
      status.textContent = t("Status {status}, {ms} ms", { status: response.status, ms: Math.round(performance.now() - began) });
      answer.textContent = isJson(text) ? pretty(JSON.parse(text)) : text;
      answer.hidden = !text;
    } catch {
      status.textContent = t("The server cannot be reached.");
    }
  });
  return h("details", { class: "api-call" },
    h("summary", {}, h("span", { class: "api-method" }, method.toUpperCase()), h("span", { class: "api-path", dir: "ltr" }, path),
      h("span", { class: "small" }, operation.summary ?? "")),
    form);
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Operation} operation
 * @param {OpenApi} api
 */
function responses(operation, api) {
  return h("details", {}, h("summary", {}, t("Answers")),
    Object.entries(operation.responses ?? {}).map(([code, response]) => {
      const schema = response.content?.["application/json"]?.schema;
      return h("div", {}, h("p", {}, h("strong", {}, code), ` ${response.description ?? ""}`),
        schema ? h("pre", { dir: "ltr", tabindex: "0", "aria-label": t("Example of answer {code}", { code }) }, pretty(example(schema, api))) : null);
    }));
}

/**
 * The field for the token with which the calls are made. A guest who is made here fills it in while it is empty.
 * @returns {{element: HTMLElement, identity: Identity}}
 */
function tokenField() {
  const input = h("input", { type: "text", id: "token", dir: "ltr", autocomplete: "off", spellcheck: "false", "aria-describedby": "token-hint" });
  return {
    element: h("div", { class: "panel api-token" }, h("label", { for: "token" }, t("Token")), input,
      h("p", { class: "hint", id: "token-hint" }, t("Calls are made as the player of this token, without one as a stranger. The guest of this browser, with his games, is never used or changed here. “POST /api/v1/guests” makes a new guest and fills in his token."))),
    identity: {
      authorization: () => {
        const token = input.value.trim();
        return token ? { authorization: `Bearer ${token}` } : /** @type {Record<string, string>} */ ({});
      },
      keep: (token) => { input.value ||= token; },
    },
  };
}

async function start() {
  applySettings();
  await useLanguage(pickLanguage(settings().language));
  document.title = `${t("Interface for programs")} · Samedeal`;
  const header = h("header", { class: "site" }, h("a", { class: "brand", href: "/" },
    h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }), h("span", {}, "Samedeal")));
  const page = h("main", { class: "page api" }, h("h1", {}, t("Interface for programs")));
  const note = document.documentElement.dataset.sandbox === undefined ? null
    : h("p", { class: "sandbox" }, t("This server runs without limits, for load tests. Results made here mean nothing."));
  fill(app, note, header, page);
  const response = await fetch("/api/v1/openapi.json").catch(() => null);
  if (!response?.ok) {
    page.append(h("p", { role: "alert" }, t("The description cannot be loaded now.")));
    return;
  }
  const api = /** @type {OpenApi} */ (await response.json());
  const { element, identity } = tokenField();
  page.append(
    h("p", {}, t("Every call goes to this server. Programs say who they are by “Authorization: Bearer TOKEN”. Games are played over the socket at /ws; the protocol page of the documentation describes it.")),
    h("p", {}, h("a", { href: "/api/v1/openapi.json" }, t("The description as OpenAPI")), ` · ${api.info.title} ${api.info.version}`),
    element,
    h("section", { class: "api", "aria-label": t("Calls") }, Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => callPanel(path, method, operation, api, identity)))));
}

void start();
