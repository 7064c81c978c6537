/** Small helpers to build elements. Nothing here parses HTML, so no text can become markup. */

/** @typedef {Node | string | number | null | undefined | false} One */
/** @typedef {One | (One | One[])[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Appends children; nested arrays are flattened, empty values skipped.
 * @param {Node} parent
 * @param {Child[]} children
 */
export function append(parent, ...children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, ...child);
    else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/**
 * Sets attributes on an element. `on…` functions become listeners, `true` an empty attribute, `false`, null and undefined none.
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  if (attributes) set(element, attributes);
  append(element, ...children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  if (attributes) set(element, attributes);
  append(element, ...children);
  return element;
}

/**
 * Replaces everything inside an element.
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, ...children);
}

/** Strokes of the interface's own icons, drawn in a 24 by 24 box. */
const ICONS = {
  home: "M4 11 12 4l8 7M6 10v9h4v-5h4v5h4v-9",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  flag: "M6 21V4M6 5h11l-2 4 2 4H6",
  rules: "M6 4h9l3 3v13H6zM9 9h6M9 13h6M9 17h4",
  hint: "M9 17h6M10 20h4M9 17c0-2-3-3-3-7a6 6 0 0 1 12 0c0 4-3 5-3 7",
  seal: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4",
  eye: "M3 12s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  board: "M5 20v-7h4v7M10 20V5h4v15M15 20v-10h4v10M3 20h18",
  gear: "M10.0 5.2L10.2 2.6L13.8 2.6L14.0 5.2L15.4 5.8L17.4 4.1L19.9 6.6L18.2 8.6L18.8 10.0L21.4 10.2L21.4 13.8L18.8 14.0L18.2 15.4L19.9 17.4L17.4 19.9L15.4 18.2L14.0 18.8L13.8 21.4L10.2 21.4L10.0 18.8L8.6 18.2L6.6 19.9L4.1 17.4L5.8 15.4L5.2 14.0L2.6 13.8L2.6 10.2L5.2 10.0L5.8 8.6L4.1 6.6L6.6 4.1L8.6 5.8zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  back: "M14 5l-7 7 7 7",
  next: "M10 5l7 7-7 7",
  share: "M12 15V4M8 7l4-4 4 4M6 12v8h12v-8",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.500 20c0-4 3-6.500 7.500-6.500s7.500 2.500 7.500 6.500",
  people: "M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3 20c0-4 2.500-6 6-6s6 2 6 6M16 6a2.500 2.500 0 0 1 0 5M17 14c2.500.5 4 2.500 4 6",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  cards: "M5 6h9v13H5zM10 6V4h9v13h-5",
  file: "M12 4v11M8 11l4 4 4-4M5 20h14",
  copy: "M9 9h10v11H9zM5 15V4h10",
  flake: "M12 3v18M4.200 7.500l15.600 9M19.800 7.500l-15.600 9",
  check: "M5 12l5 5 9-10",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  cross: "M6 6l12 12M18 6 6 18",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * A decorative icon; the control that holds it carries the name.
 * @param {IconName} name
 */
export function icon(name) {
  const flip = name === "back" || name === "next" || name === "undo" ? "icon icon-directional" : "icon";
  return s("svg", { class: flip, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] }));
}
