/**
 * What the player does at the table: selecting, tapping, dropping, typing and undoing become acts; what comes back is
 * drawn and told. All that is legal is read from the legal list.
 */

import { Desk } from "../desk.js";
import { t } from "../i18n.js";
import { announce } from "../live.js";
import { settings } from "../settings.js";
import { isStuck, shownPiles } from "../state.js";
import { Board } from "./board.js";
import { hintedPiles, hintText, noHint } from "./hint.js";
import { firstMove, targetsFrom, takesFrom, touchMove } from "./moves.js";
import { cardName, refusal } from "./names.js";
import { narrate } from "./narrate.js";
import { listenPointer } from "./pointer.js";

/** @typedef {import("../state.js").Attempt} Attempt */
/** @typedef {import("../types.js").PlayedMessage} PlayedMessage */

/**
 * @typedef {object} Watcher
 * @property {(attempt: Attempt) => void} changed
 * @property {(attempt: Attempt) => void} ended called once, when the attempt ends before the player's eyes or is opened ended
 * @property {(reason: string) => void} whisper a short reason, for the eye
 * @property {(code: string) => void} failed
 * @property {(connected: boolean, retryInMs: number) => void} connection
 */

export class Player {
  /** @type {string | null} */
  selected = null;
  /** @type {string | null} */
  #held = null;
  /** The move that a hint has told, until something is played. @type {import("./moves.js").Move | null} */
  #hinted = null;
  /** The pile of the last tap. */
  #touched = "";
  #keyboard = false;
  #ended = false;
  #watcher;

  /**
   * @param {import("../desk.js").Opening} opening
   * @param {Watcher} watcher
   */
  constructor(opening, watcher) {
    this.#watcher = watcher;
    this.board = new Board(t("Table"));
    this.desk = new Desk(opening, {
      changed: (attempt, played) => this.#changed(attempt, played),
      refused: (code) => this.#say(refusal(code), null),
      hinted: (move) => this.#showHint(move),
      unhinted: (code, reason) => this.#say(noHint(code, reason), null),
      failed: (code) => watcher.failed(code),
      connection: (connected, retryIn) => watcher.connection(connected, retryIn),
    });
    this.cancelDrag = listenPointer(this.board, {
      tap: (pile, count) => {
        this.#keyboard = count === 0;
        this.tap(pile, count);
      },
      grab: (pile) => this.#grab(pile),
      targets: () => this.#targets().keys(),
      drop: (pile, target, over) => this.#drop(pile, target, over),
      release: () => this.#letGo(),
    });
  }

  /** Ends the game on this page; the attempt stays open on the server. */
  close() {
    this.desk.close();
    this.board.close();
  }

  /** @returns {Map<string, import("./moves.js").Move>} */
  #targets() {
    const { attempt } = this.desk;
    const from = this.#held ?? this.selected;
    return attempt && from !== null && !attempt.pending ? targetsFrom(attempt.moves_, from) : new Map();
  }

  /**
   * Asks the desk for an act. Without a connection the player is told that it waits.
   * @param {(attempt: Attempt) => import("../state.js").Act | null} decide
   * @param {string | null} [pile]
   */
  #ask(decide, pile = null) {
    const { desk } = this;
    desk.ask(decide, pile);
    if (desk.connected || !desk.attempt?.pending) return;
    const text = t("Noted. It is sent as soon as the connection is back.");
    this.#watcher.whisper(text);
    if (this.#keyboard) announce(text);
  }

  /** Draws the table as it is known now. */
  draw() {
    if (this.desk.attempt) this.#draw(this.desk.attempt, null);
  }

  /**
   * @param {Attempt} attempt
   * @param {{before: import("../types.js").Piles, steps: import("../types.js").Step[]} | null} travel
   */
  #draw(attempt, travel) {
    const moves = attempt.pending ? [] : attempt.moves_;
    /** @type {Set<string>} */
    const legal = new Set();
    for (const move of attempt.moves_) for (const name of [...move.names, ...move.lifts.map(([, to]) => to)]) legal.add(name);
    const piles = attempt.layout.piles.map(({ name }) => name);
    const touchable = new Set(piles.filter((name) => touchMove(moves, name)));
    const playable = new Set(piles.filter((name) => moves.some((move) => takesFrom(move, name))));
    const targets = new Set(this.#targets().keys());
    this.board.draw({
      layout: attempt.layout, piles: shownPiles(attempt), legal, touchable,
      marks: {
        selected: this.#held ?? this.selected, targets, playable, waiting: this.desk.waiting,
        hinted: this.#hinted ? hintedPiles(this.#hinted) : [],
      },
    }, travel);
  }

  /**
   * A touch of a pile: by tap, by Enter, or by assistive technology.
   * @param {string} pile
   * @param {number} count which of a row of taps at the same spot; 0 for the keyboard
   */
  tap(pile, count) {
    const again = count > 1;
    // The first tap of a double tap may have taken the card away; the second must not hit what lay beneath.
    if (again && pile !== this.#touched) return;
    this.#touched = pile;
    const card = this.#shownTop(pile);
    this.#ask((attempt) => {
      // A tap made ahead counts only if its card is still there.
      if (attempt.piles[pile]?.at(-1) !== card && card !== "??") return null;
      return this.#meaning(attempt, pile, again);
    }, pile);
  }

  /** @param {string} pile */
  #shownTop(pile) {
    const { attempt } = this.desk;
    return attempt ? shownPiles(attempt)[pile]?.at(-1) : undefined;
  }

  /**
   * What touching a pile means now: a move, or a change of the selection.
   * @param {Attempt} attempt
   * @param {string} pile
   * @param {boolean} again whether it is the second tap of a double tap
   * @returns {import("../state.js").Act | null}
   */
  #meaning(attempt, pile, again) {
    if (attempt.over !== null) return null;
    const moves = attempt.moves_;
    const from = this.selected;
    /** @param {import("./moves.js").Move} move @returns {import("../state.js").Act} */
    const play = (move) => {
      this.selected = null;
      return { kind: "play", move: move.text };
    };
    if (from !== null && from !== pile) {
      const move = targetsFrom(moves, from).get(pile);
      if (move) return play(move);
    }
    const first = firstMove(moves, pile);
    if (from === pile) {
      if (again && first) return play(first);
      this.selected = null;
      return null;
    }
    const touch = touchMove(moves, pile);
    // The second tap of a double tap must not lay another card on the one that the first tap has laid.
    if (touch) return again && touch.lifts.some(([, to]) => to === pile) ? null : play(touch);
    if (first && moves.some((move) => takesFrom(move, pile))) {
      if (settings().oneTap) return play(first);
      this.selected = pile;
      if (this.#keyboard) announce(t("{card} selected", { card: cardName(attempt.piles[pile].at(-1) ?? "??") }));
      return null;
    }
    if (again) return null;
    this.#say(from === null ? t("This card cannot be used now.") : t("These do not go together."), pile);
    return null;
  }

  /** Gives up the selection or a drag. Tells whether there was one. */
  escape() {
    if (this.cancelDrag()) return true;
    if (this.selected === null) return false;
    this.selected = null;
    this.draw();
    return true;
  }

  /** @param {string} pile */
  #grab(pile) {
    const { attempt } = this.desk;
    const card = this.#shownTop(pile);
    if (!attempt || attempt.over !== null || card === undefined || card.toUpperCase() !== card || card === "??") return false;
    this.#held = pile;
    this.selected = null;
    this.#keyboard = false;
    this.draw();
    return true;
  }

  #letGo() {
    this.#held = null;
    this.draw();
  }

  /**
   * @param {string} pile
   * @param {string | null} target
   * @param {string | null} over
   */
  #drop(pile, target, over) {
    const pending = this.desk.attempt?.pending;
    this.#held = null;
    const to = pending ? over : target;
    if (to === null) {
      this.draw();
      if (over !== null) this.#say(t("That does not go there."), null);
      return;
    }
    const card = this.#shownTop(pile);
    this.#ask((attempt) => {
      if (attempt.piles[pile]?.at(-1) !== card) return null;
      const move = targetsFrom(attempt.moves_, pile).get(to);
      if (!move) this.#say(t("That does not go there."), null);
      return move ? { kind: "play", move: move.text } : null;
    });
  }

  /** Takes the last move back. */
  undo() {
    this.selected = null;
    this.#ask((attempt) => {
      if (attempt.over !== null) return null;
      if (attempt.canUndo) return { kind: "undo" };
      this.#say(refusal("attempt/no_undo"), null);
      return null;
    });
  }

  /** Asks for the next move of a winning line; a game that counts has none. */
  hint() {
    if (this.desk.attempt?.ranked) this.#say(noHint("attempt/no_hint", "ranked"), null);
    else this.desk.hint();
  }

  /** @param {string} text */
  #showHint(text) {
    const { attempt } = this.desk;
    const move = attempt?.moves_.find((one) => one.text === text);
    if (!attempt || !move) return;
    this.#hinted = move;
    this.selected = null;
    this.draw();
    this.#say(hintText(attempt, move), null);
    if (this.#keyboard) this.board.grid.focusPile(hintedPiles(move)[0]);
  }

  /** Ends the attempt as given up. */
  resign() {
    this.selected = null;
    this.#ask((attempt) => (attempt.over === null ? { kind: "resign" } : null));
  }

  /**
   * Plays a move that was typed. The server judges it, so a bot's notation is accepted here too.
   * @param {string} text
   */
  type(text) {
    this.selected = null;
    this.#keyboard = true;
    if (text === "undo") this.undo();
    else if (text) this.#ask((attempt) => (attempt.over === null ? { kind: "play", move: text } : null));
  }

  /** Marks what follows as done by keyboard: it is told at once. */
  byKeyboard() {
    this.#keyboard = true;
  }

  /**
   * Says something shortly, for eye and ear: mostly why something was refused.
   * @param {string} reason
   * @param {string | null} pile to shake
   */
  #say(reason, pile) {
    this.#watcher.whisper(reason);
    announce(reason);
    if (pile !== null) this.board.sprites.shake(pile);
  }

  /**
   * @param {Attempt} attempt
   * @param {{message: PlayedMessage, before: Attempt, own: boolean} | null} played
   */
  #changed(attempt, played) {
    if (attempt.over !== null || (this.selected !== null && !attempt.pending && !firstMove(attempt.moves_, this.selected))) {
      this.selected = null;
    }
    if (played || attempt.pending || attempt.over !== null) this.#hinted = null;
    this.#draw(attempt, played ? { before: played.before.piles, steps: played.message.steps } : null);
    // The end and a table without moves are told by those who show them.
    if (played && !isStuck(attempt) && attempt.over === null) {
      announce(narrate(attempt, played.message, played.before), this.#keyboard ? "now" : "seldom");
    }
    this.#watcher.changed(attempt);
    if (attempt.over !== null && !this.#ended) {
      this.#ended = true;
      if (attempt.over === "won" && played) this.board.sprites.celebrate();
      this.#watcher.ended(attempt);
    }
  }
}
