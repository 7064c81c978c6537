/** Taps and drags on the board by mouse, pen or finger (Pointer Events). What they mean is decided elsewhere. */

/** @typedef {import("./board.js").Board} Board */

/**
 * @typedef {object} Hands
 * @property {(pile: string, count: number) => void} tap `count`: which click of a row at the same spot; 0 without a pointer
 * @property {(pile: string) => boolean} grab whether the top card of the pile may be taken up
 * @property {(pile: string, target: string | null, over: string | null) => void} drop `target`: the legal pile under the card, `over`: any pile
 * @property {() => void} release the card goes back without a word
 * @property {() => Iterable<string>} targets legal piles for the card taken up
 */

/** Movement that makes a touch a drag, in pixels. */
const THRESHOLD = 6;

/**
 * @typedef {object} Touch
 * @property {number} id
 * @property {string} pile
 * @property {number} x
 * @property {number} y
 * @property {boolean} dragging
 * @property {boolean} fixed whether the pile may not be dragged
 * @property {{x: number, y: number}} origin place of the card
 */

/**
 * Listens for taps and drags on a board.
 * @param {Board} board
 * @param {Hands} hands
 * @returns {() => boolean} cancels a drag; tells whether there was one
 */
export function listenPointer(board, hands) {
  const surface = board.element;
  /** @type {Touch | null} */
  let touch = null;

  /** @param {PointerEvent} event */
  const inside = (event) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  /** @param {Touch} held */
  const sprite = (held) => board.sprites.top(held.pile)?.element ?? null;

  const end = () => {
    if (touch?.dragging) surface.classList.remove("grabbing");
    touch = null;
  };

  const cancel = () => {
    if (!touch?.dragging) return false;
    end();
    hands.release();
    return true;
  };

  surface.addEventListener("pointerdown", (event) => {
    if (touch || !event.isPrimary || event.button !== 0) return;
    const cell = /** @type {Element} */ (event.target).closest(".cell");
    if (!(cell instanceof HTMLElement) || cell.dataset.pile === undefined) return;
    const { pile } = cell.dataset;
    touch = { id: event.pointerId, pile, ...inside(event), dragging: false, fixed: false, origin: { x: 0, y: 0 } };
  });

  surface.addEventListener("pointermove", (event) => {
    if (!touch || event.pointerId !== touch.id) return;
    const { x, y } = inside(event);
    if (!touch.dragging) {
      if (touch.fixed || Math.hypot(x - touch.x, y - touch.y) < THRESHOLD) return;
      if (!hands.grab(touch.pile)) {
        touch.fixed = true;
        return;
      }
      const element = sprite(touch);
      if (!element) return;
      const box = element.getBoundingClientRect();
      const room = surface.getBoundingClientRect();
      touch.origin = { x: box.left - room.left, y: box.top - room.top };
      touch.dragging = true;
      surface.setPointerCapture(event.pointerId);
      surface.classList.add("grabbing");
    }
    board.sprites.carry(touch.pile, touch.origin.x + x - touch.x, touch.origin.y + y - touch.y);
  });

  surface.addEventListener("pointerup", (event) => {
    if (!touch || event.pointerId !== touch.id) return;
    const { pile, dragging, origin } = touch;
    const at = inside(event);
    const card = { x: origin.x + at.x - touch.x, y: origin.y + at.y - touch.y };
    end();
    if (!dragging) return;
    const all = board.geometry ? [...board.geometry.places.keys()].filter((name) => name !== pile) : [];
    hands.drop(pile, board.under(hands.targets(), card, at), board.under(all, card, at));
  });

  surface.addEventListener("pointercancel", () => {
    if (!cancel()) end();
  });
  // A finger is first held by the cell that it touched; only the board's own loss ends a drag.
  surface.addEventListener("lostpointercapture", (event) => {
    if (event.target === surface) cancel();
  });
  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener("dragstart", (event) => event.preventDefault());

  // A click after a drag has the whole board as its target, since the board held the pointer. Assistive technology
  // clicks without a pointer, and then the count is 0.
  surface.addEventListener("click", (event) => {
    const cell = /** @type {Element} */ (event.target).closest(".cell");
    if (cell instanceof HTMLElement && cell.dataset.pile !== undefined) hands.tap(cell.dataset.pile, event.detail);
  });
  return cancel;
}
