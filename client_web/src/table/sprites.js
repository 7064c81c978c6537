/**
 * The drawn cards. A sprite is one card on the screen; it stays the same element wherever its card goes, so that every
 * change of place is a movement. Which sprite becomes which card follows from the steps and from the cards themselves.
 */

import { h } from "../dom.js";
import { motionAllowed } from "../settings.js";
import { cardPicture } from "./cards.js";
import { cardPlace } from "./geometry.js";

/** @typedef {import("../types.js").Piles} Piles */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {{element: HTMLElement, face: HTMLElement, card: string, drawn: string, laid: string, moved: boolean}} Sprite `drawn`, `laid`: what the element shows; `moved`: by hand since */

/** @param {string} card */
function identity(card) {
  return card === "??" ? "??" : card.toUpperCase();
}

export class Sprites {
  /** @type {Map<string, Sprite[]>} */
  #piles = new Map();
  #layer;

  /** @param {HTMLElement} layer element that holds the cards */
  constructor(layer) {
    this.#layer = layer;
  }

  /**
   * The sprite on top of a pile.
   * @param {string} pile
   */
  top(pile) {
    return this.#piles.get(pile)?.at(-1) ?? null;
  }

  /** Every sprite, pile by pile. */
  all() {
    return [...this.#piles.values()].flat();
  }

  /**
   * Moves sprites between piles as the steps say. Faces follow with the next `assign`.
   * @param {Step[]} steps
   */
  advance(steps) {
    for (const step of steps) {
      if (step[0] !== "shift") continue;
      const [, from, to, count, turn] = step;
      const source = this.#piles.get(from) ?? [];
      const moved = source.splice(Math.max(0, source.length - count), count);
      if (turn === "over") moved.reverse();
      this.#piles.set(to, [...(this.#piles.get(to) ?? []), ...moved]);
    }
  }

  /**
   * Gives every card of the piles a sprite: the one that stands there, else the one that showed this card, else any of
   * the pile, else a new one. Sprites left over disappear.
   * @param {Piles} piles
   */
  assign(piles) {
    /** @type {Set<Sprite>} */
    const free = new Set(this.all());
    /** @type {Map<string, (Sprite | null)[]>} */
    const next = new Map();
    /** @type {[string, number, string][]} */
    let open = [];
    for (const [name, cards] of Object.entries(piles)) {
      const before = this.#piles.get(name) ?? [];
      next.set(name, cards.map((card, index) => {
        const here = before[index];
        if (here && identity(here.card) === identity(card)) {
          free.delete(here);
          return here;
        }
        open.push([name, index, card]);
        return null;
      }));
    }
    /** @type {Map<string, Sprite>} */
    const known = new Map();
    for (const sprite of free) if (sprite.card !== "??") known.set(identity(sprite.card), sprite);
    /** @param {string} name @param {number} index @param {Sprite} sprite */
    const give = (name, index, sprite) => {
      free.delete(sprite);
      /** @type {(Sprite | null)[]} */ (next.get(name))[index] = sprite;
    };
    open = open.filter(([name, index, card]) => {
      const sprite = known.get(identity(card));
      if (!sprite || !free.has(sprite)) return true;
      give(name, index, sprite);
      return false;
    });
    open = open.filter(([name, index]) => {
      const here = this.#piles.get(name)?.[index];
      if (!here || !free.has(here)) return true;
      give(name, index, here);
      return false;
    });
    for (const [name, index] of open) {
      const spare = (this.#piles.get(name) ?? []).find((sprite) => free.has(sprite)) ?? this.#create();
      give(name, index, spare);
    }
    for (const sprite of free) sprite.element.remove();
    this.#piles = /** @type {Map<string, Sprite[]>} */ (next);
    for (const [name, cards] of Object.entries(piles)) {
      cards.forEach((card, index) => { /** @type {Sprite[]} */ (this.#piles.get(name))[index].card = card; });
    }
  }

  /** @returns {Sprite} */
  #create() {
    const face = h("div", { class: "face" });
    const element = h("div", { class: "card" }, face);
    this.#layer.append(element);
    return { element, face, card: "??", drawn: "", laid: "", moved: false };
  }

  /**
   * Puts every sprite where it belongs and shows its face.
   * @param {Geometry} geometry
   * @param {boolean} small draw big indices only
   * @param {ReadonlySet<string>} playable piles whose top card can be used now
   */
  place(geometry, small, playable) {
    let layer = 0;
    /** @type {Sprite[]} */
    const fresh = [];
    for (const [name, place] of geometry.places) {
      const sprites = this.#piles.get(name) ?? [];
      const squared = place.dx === 0 && place.dy === 0;
      sprites.forEach((sprite, index) => {
        layer += 1;
        if (!sprite.laid) fresh.push(sprite);
        const classes = [
          "card",
          ...(sprite.laid ? [] : ["instant"]),
          ...(squared && index < sprites.length - 2 ? ["buried"] : []),
          ...(index === sprites.length - 1 && playable.has(name) ? ["playable"] : []),
        ].join(" ");
        this.#lay(sprite, geometry, cardPlace(geometry, name, index), layer, classes);
        this.#draw(sprite, small);
      });
    }
    if (!fresh.length) return;
    // One read makes the browser take the places of new cards before transitions are switched on again.
    void this.#layer.offsetWidth;
    for (const sprite of fresh) sprite.element.classList.remove("instant");
  }

  /**
   * Puts a sprite in its place. What has not changed is not touched: a table has many cards, and a tap moves few.
   * @param {Sprite} sprite
   * @param {Geometry} geometry
   * @param {{x: number, y: number}} place
   * @param {number} layer
   * @param {string} classes
   */
  #lay(sprite, geometry, { x, y }, layer, classes) {
    const { element } = sprite;
    const laid = `${x} ${y} ${layer} ${geometry.cardWidth} ${classes}`;
    if (sprite.laid === laid && !sprite.moved) return;
    sprite.laid = laid;
    sprite.moved = false;
    element.className = classes;
    element.style.zIndex = String(layer);
    element.style.inlineSize = `${geometry.cardWidth}px`;
    element.style.blockSize = `${geometry.cardHeight}px`;
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Takes the top card of a pile in hand and moves it to a point.
   * @param {string} pile
   * @param {number} x
   * @param {number} y
   */
  carry(pile, x, y) {
    const sprite = this.top(pile);
    if (!sprite) return;
    sprite.moved = true;
    sprite.element.classList.add("dragging");
    sprite.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * @param {Sprite} sprite
   * @param {boolean} small
   */
  #draw(sprite, small) {
    const wanted = `${sprite.card}${small ? "s" : "l"}`;
    if (sprite.drawn === wanted) return;
    const turned = sprite.drawn !== "" && sprite.drawn.slice(0, 2) !== sprite.card;
    sprite.drawn = wanted;
    sprite.face.replaceChildren(cardPicture(sprite.card, small));
    if (turned && motionAllowed()) {
      sprite.face.animate([{ transform: "scaleX(0.1)" }, { transform: "scaleX(1)" }], { duration: 150, easing: "ease-out" });
    }
  }

  /** A short wave through all cards for a win; any touch ends it, and reduced motion never starts it. */
  celebrate() {
    if (!motionAllowed()) return;
    const running = this.all().map((sprite, index) => sprite.face.animate(
      [{ transform: "translateY(0)" }, { transform: "translateY(-18%) rotate(2deg)" }, { transform: "translateY(0)" }],
      { duration: 420, delay: index * 18, easing: "ease-in-out" },
    ));
    const stop = () => {
      for (const animation of running) animation.cancel();
      removeEventListener("pointerdown", stop);
      removeEventListener("keydown", stop);
    };
    addEventListener("pointerdown", stop);
    addEventListener("keydown", stop);
    setTimeout(stop, 1800);
  }

  /**
   * Shakes the top card of a pile once: it cannot be used.
   * @param {string} pile
   */
  shake(pile) {
    const face = this.top(pile)?.face;
    if (!face || !motionAllowed()) return;
    face.animate(["0", "-5px", "5px", "-3px", "0"].map((x) => ({ transform: `translateX(${x})` })), { duration: 240 });
  }
}
