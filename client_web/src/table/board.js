/** The drawn table: empty places, cards and the grid over them. It knows piles and marks, and nothing of games. */

import { h, icon, s } from "../dom.js";
import { settings } from "../settings.js";
import { suitPicture } from "./cards.js";
import { arrange, cardPlace, pileUnder } from "./geometry.js";
import { cellsOf, Grid } from "./grid.js";
import { Sprites } from "./sprites.js";

/** @typedef {import("../types.js").Layout} Layout */
/** @typedef {import("../types.js").Piles} Piles */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./grid.js").Marks} Marks */
/** @typedef {{layout: Layout, piles: Piles, legal: ReadonlySet<string>, touchable: ReadonlySet<string>, marks: Marks}} Scene */

/** Cards narrower than this show big rank and suit only, in pixels. */
const SMALL_BELOW = 66;

export class Board {
  /** @type {Geometry | null} */
  geometry = null;
  /** @type {Scene | null} */
  #scene = null;
  #slots = h("div", { class: "slots", "aria-hidden": "true" });
  #cards = h("div", { class: "cards", "aria-hidden": "true" });
  /** @type {ResizeObserver} */
  #watch;
  #room = { width: 0, height: 0 };
  #slotKey = "";
  #names = h("div", { class: "pile-names", "aria-hidden": "true", hidden: true });

  /**
   * @param {string} label name of the grid
   */
  constructor(label) {
    this.cells = h("div", { class: "cells", role: "grid", "aria-label": label });
    // The board is never mirrored: its columns stand in the same order for every player.
    this.element = h("div", { class: "board", dir: "ltr" }, this.#slots, this.#cards, this.cells, this.#names);
    this.sprites = new Sprites(this.#cards);
    this.grid = new Grid(this.cells);
    this.#watch = new ResizeObserver(() => this.#resized());
    this.#watch.observe(this.element);
  }

  /** Stops watching the size of the room. */
  close() {
    this.#watch.disconnect();
  }

  #resized() {
    this.#room = { width: this.element.clientWidth, height: this.element.clientHeight };
    if (!this.#scene) return;
    this.element.classList.add("still");
    this.draw(this.#scene);
    void this.element.offsetWidth;
    this.element.classList.remove("still");
  }

  /**
   * Draws a scene. With `steps` the cards travel as the steps say, from where they lay in `before`.
   * @param {Scene} scene
   * @param {{before: Piles, steps: Step[]} | null} [travel]
   */
  draw(scene, travel = null) {
    this.#scene = scene;
    const { layout, piles, legal, marks } = scene;
    if (!this.#room.width) this.#room = { width: this.element.clientWidth, height: this.element.clientHeight };
    const { width, height } = this.#room;
    if (!width || !height) return;
    const geometry = arrange(layout, piles, legal, width, height);
    this.geometry = geometry;
    if (travel) {
      this.sprites.assign(travel.before);
      this.sprites.advance(travel.steps);
    }
    this.sprites.assign(piles);
    this.sprites.place(geometry, settings().largeCards || geometry.cardWidth < SMALL_BELOW, marks.playable);
    this.#drawSlots(scene, geometry);
    this.grid.show(cellsOf(geometry, piles, marks), geometry);
    if (!this.#names.hidden) this.#drawNames();
  }

  /**
   * Shows the names of the piles on them, as moves are typed.
   * @param {boolean} shown
   */
  showNames(shown) {
    this.#names.hidden = !shown;
    if (shown) this.#drawNames();
  }

  #drawNames() {
    const { geometry } = this;
    const piles = this.#scene?.piles;
    if (!geometry || !piles) return;
    this.#names.replaceChildren(...[...geometry.places].filter(([, { shown }]) => shown).map(([name]) => {
      const { x, y } = cardPlace(geometry, name, Math.max(0, (piles[name] ?? []).length - 1));
      const label = h("span", { class: "pile-name" }, h("span", {}, name));
      label.style.transform = `translate(${x}px, ${y}px)`;
      label.style.inlineSize = `${geometry.cardWidth}px`;
      label.style.blockSize = `${geometry.cardHeight}px`;
      return label;
    }));
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   */
  #drawSlots({ piles, touchable }, geometry) {
    const key = [...geometry.places].map(([name, { x, y, shown }]) => `${x} ${y} ${shown} ${piles[name]?.length} ${touchable.has(name)}`)
      .join() + geometry.cardWidth;
    if (key === this.#slotKey) return;
    this.#slotKey = key;
    /** @type {HTMLElement[]} */
    const slots = [];
    for (const [name, place] of geometry.places) {
      if (!place.shown) continue;
      const cards = (piles[name] ?? []).length;
      const { kind, fan } = place.spec;
      if (kind === "cell" && cards > 0) continue;
      const slot = h("div", { class: `slot slot-${kind}` });
      slot.style.transform = `translate(${place.x}px, ${place.y}px)`;
      slot.style.inlineSize = `${geometry.cardWidth}px`;
      slot.style.blockSize = `${geometry.cardHeight}px`;
      const suit = kind === "foundation" ? /^[a-z]([cdhs])$/.exec(name)?.[1] : undefined;
      if (suit) slot.append(suitPicture(suit.toUpperCase()));
      else if (kind === "stock" && cards === 0) slot.append(touchable.has(name) ? turnOver() : icon("cross"));
      if (fan === "none" && cards > 1 && (kind === "stock" || kind === "waste")) {
        slot.append(h("span", { class: "count" }, cards));
      }
      slots.push(slot);
    }
    this.#slots.replaceChildren(...slots);
  }

  /**
   * The pile under a card that is let go, out of some candidates.
   * @param {Iterable<string>} candidates
   * @param {{x: number, y: number}} card
   * @param {{x: number, y: number}} pointer
   */
  under(candidates, card, pointer) {
    return this.geometry && this.#scene ? pileUnder(this.geometry, this.#scene.piles, candidates, card, pointer) : null;
  }
}

function turnOver() {
  return s("svg", { class: "icon", viewBox: "0 0 24 24" }, s("path", { d: "M5 12a7 7 0 1 1 2.500 5.400M5 12l-2.500-3M5 12l3.500-2" }));
}
