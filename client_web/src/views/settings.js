/** What a reader can choose on this device, and the name on the boards. */

import { ApiError } from "../api.js";
import { fill, h } from "../dom.js";
import { currentLanguage, LANGUAGES, t } from "../i18n.js";
import { rename, viewer } from "../session.js";
import { changeSettings, settings } from "../settings.js";
import { cardPicture } from "../table/cards.js";

/** @typedef {import("../settings.js").Settings} Settings */

/** @type {import("../main.js").View} */
export const view = (root, { title }) => {
  title(t("Settings"));
  const samples = h("div", { class: "samples", "aria-hidden": "true" });
  const drawSamples = () => fill(samples, ["AC", "KD", "9H", "QS"].map((card) => cardPicture(card, settings().largeCards)));
  drawSamples();
  fill(root, h("section", { class: "settings" },
    h("h1", {}, t("Settings")),
    nameForm(),
    group(t("Look"),
      choice("theme", t("Theme"), [["system", t("As the system")], ["light", t("Light")], ["dark", t("Dark")]]),
      toggle("fourColours", t("Four colours"), t("Clubs green and diamonds blue; the shapes differ anyway.")),
      toggle("largeCards", t("Large cards"), t("A big rank and a big suit on every card.")),
      samples,
      choice("animation", t("Animation"), [["system", t("As the system")], ["off", t("Off")]])),
    group(t("Play"),
      toggle("oneTap", t("Play with one tap"), t("A tap plays the first legal move of a card instead of selecting it.")),
      toggle("shortcuts", t("Single-key shortcuts"), t("Z undoes, H gives a hint in practice, / opens the move line, F hides everything but the table."))),
    LANGUAGES.length > 1 ? group(t("Language"), choice("language", t("Language"),
      LANGUAGES.map(({ code, name }) => [code, name]), "visually-hidden"),
    currentLanguage() === "ur" ? toggle("nastaliq", t("Nastaliq script"), t("The hanging script, with wider lines.")) : null) : null,
    h("p", { class: "small" }, t("Your name is kept on the server. All other choices are kept in this browser only."))));

  /**
   * @param {"fourColours" | "largeCards" | "oneTap" | "shortcuts" | "nastaliq"} key
   * @param {string} name
   * @param {string} hint
   */
  function toggle(key, name, hint) {
    const input = h("input", { type: "checkbox", id: `set-${key}`, "aria-describedby": `hint-${key}` });
    input.checked = settings()[key];
    input.addEventListener("change", () => {
      changeSettings({ [key]: input.checked });
      drawSamples();
    });
    return h("div", { class: "setting" }, h("label", { for: `set-${key}` }, input, h("span", {}, name)),
      h("p", { class: "hint", id: `hint-${key}` }, hint));
  }
};

/**
 * @param {string} name
 * @param {(Node | null)[]} parts
 */
function group(name, ...parts) {
  return h("fieldset", { class: "panel" }, h("legend", {}, name), parts);
}

/**
 * @param {"theme" | "animation" | "language"} key
 * @param {string} name
 * @param {string[][]} options
 * @param {string} [labelled] class of the label, where the name is to be heard only
 */
function choice(key, name, options, labelled) {
  const chosen = settings()[key] ?? document.documentElement.lang;
  const select = h("select", { id: `set-${key}` }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  select.addEventListener("change", () => {
    changeSettings(/** @type {Partial<Settings>} */ ({ [key]: select.value }));
    if (key === "language") location.reload();
  });
  return h("div", { class: "setting" }, h("label", { for: `set-${key}`, class: labelled }, name), select);
}

/**
 * Why a name was not taken.
 * @param {unknown} error
 */
function why(error) {
  switch (error instanceof ApiError ? error.code : "") {
    case "offline": return t("The server cannot be reached.");
    case "name/invalid": return t("This name cannot be used. A name has 1 to 24 characters, one of them a letter or a digit, and its letters are of one script.");
    case "protocol/rate": return t("Too much at once. Please wait a moment.");
    default: return t("The name was not saved. Please try again.");
  }
}

function nameForm() {
  const input = h("input", { type: "text", id: "set-name", maxlength: 24, autocomplete: "nickname", required: true, "aria-describedby": "name-state", dir: "auto" });
  const state = h("p", { class: "hint", id: "name-state", role: "status" }, t("The name that others see on the boards."));
  const form = h("form", { class: "setting" }, h("label", { for: "set-name" }, t("Your name")),
    h("div", { class: "inline" }, input, h("button", { class: "button button-main" }, t("Save"))), state);
  // Whoever types faster than the answer comes keeps what he has typed.
  viewer().then((me) => { input.value ||= me?.name ?? ""; }, () => { state.textContent = t("The server cannot be reached."); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const me = await rename(input.value.trim());
      input.value = me.name;
      state.textContent = t("Saved.");
    } catch (error) {
      state.textContent = why(error);
    }
  });
  return group(t("You"), form);
}
