/**
 * The shapes that cross the wire, as the protocol reference describes them. Types only: nothing imports this at run time.
 * @module
 */

/** @typedef {"stock" | "waste" | "foundation" | "column" | "cell" | "hand"} PileKind */
/** @typedef {{name: string, kind: PileKind, x: number, y: number, fan: "none" | "down" | "side"}} PileSpec `x` and `y` in card widths and heights */
/** @typedef {[from: string, to: string]} Lift one card that a move surely moves */

/**
 * @typedef {object} Layout
 * @property {string} title
 * @property {number} maximum greatest progress
 * @property {PileSpec[]} piles
 * @property {PileSpec[]} [tall]
 * @property {PileKind} [fit]
 * @property {Record<string, Lift[]>} [preview]
 */

/** @typedef {Record<string, string[]>} Piles cards by pile, bottom first */
/** @typedef {["flip", string] | ["shift", string, string, number] | ["shift", string, string, number, "up" | "down" | "over"]} Step */
/** @typedef {null | "won" | "lost" | "resigned" | "closed" | "void"} Over */

/**
 * @typedef {object} Result
 * @property {string} outcome
 * @property {number} [rank]
 * @property {number} [of]
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} undos
 * @property {number} progress
 * @property {number} [score]
 */

/** @typedef {{id: string, kind: "daily" | "race" | "event" | "practice", date?: string | null, closes_at?: string | null}} ChallengeRef */

/**
 * @typedef {object} StateMessage
 * @property {"state"} t
 * @property {string} [id]
 * @property {string} attempt
 * @property {string} ruleset
 * @property {ChallengeRef} challenge
 * @property {number} seq
 * @property {number} elapsed_ms
 * @property {Layout} layout
 * @property {Piles} piles
 * @property {string[]} legal
 * @property {boolean} can_undo
 * @property {number} moves
 * @property {number} progress
 * @property {Over} over
 * @property {boolean | null} winnable
 * @property {boolean | null} [deal_winnable] the verdict on the deal, before the first move
 * @property {"counted" | "none" | "free"} [undo]
 * @property {boolean} [ranked]
 * @property {string} commitment
 * @property {Result | null} [result]
 */

/**
 * @typedef {object} PlayedMessage
 * @property {"played"} t
 * @property {string} [id]
 * @property {string} attempt
 * @property {number} seq
 * @property {number} at_ms
 * @property {string} move
 * @property {Step[]} steps
 * @property {Piles} piles
 * @property {string[]} legal
 * @property {boolean} can_undo
 * @property {number} moves
 * @property {number} progress
 * @property {Over} over
 * @property {boolean | null} winnable
 * @property {Result | null} [result]
 */

/** @typedef {{t: "rejected", id?: string, attempt: string, seq: number, code: string}} RejectedMessage */
/** @typedef {{t: "winnable", attempt: string, seq: number, winnable: boolean | null}} WinnableMessage */
/** @typedef {{t: "error", id?: string, code: string, message: string}} ErrorMessage */
/** @typedef {{t: "welcome", id?: string, v: number, player: Player, now: string, open?: {attempts: string[], rooms: string[]}}} WelcomeMessage */
/** @typedef {{t: "pong", id?: string, now: string}} PongMessage */
/** @typedef {StateMessage | PlayedMessage | RejectedMessage | WinnableMessage | ErrorMessage | WelcomeMessage | PongMessage} ServerMessage */

/** @typedef {{id: string, name: string, kind: "guest" | "account" | "bot"}} Player */

/**
 * @typedef {object} OwnResult
 * @property {string} attempt
 * @property {Over} over
 * @property {number | null} [rank]
 * @property {number | null} [of]
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} progress
 * @property {number} maximum
 */

/**
 * @typedef {object} Challenge
 * @property {string} id
 * @property {string} ruleset
 * @property {string} title
 * @property {"daily" | "race" | "event" | "practice"} kind
 * @property {string | null} [date]
 * @property {string} commitment
 * @property {string} opens_at
 * @property {string | null} [ends_at]
 * @property {string | null} [closes_at] absent while the deal has not opened, null when it never closes
 * @property {number} players
 * @property {OwnResult | null} [own]
 * @property {string | null} [seed] only after the close
 * @property {number} [deal_version]
 * @property {number} [rules_version]
 */

/** @typedef {{date: string, now: string, next_at: string, dailies: Challenge[]}} Dailies */

/**
 * @typedef {object} BoardRow
 * @property {number} rank
 * @property {Player} player
 * @property {string} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} undos
 * @property {number} progress
 * @property {number | null} [score]
 */

/** @typedef {{challenge: Challenge, rows: BoardRow[], total: number, me: BoardRow | null, next: string | null, previous: string | null}} Board */

/**
 * @typedef {object} RulesetInfo
 * @property {string} key
 * @property {string} family
 * @property {string} title
 * @property {string[]} rules paragraphs; "# " opens a heading, "- " a list item
 * @property {Record<string, string[]>} rankings
 * @property {number} maximum
 * @property {"counted" | "none" | "free"} undo
 * @property {number} deck_size
 * @property {boolean} daily whether there is a deal of it every day
 * @property {Layout} [layout]
 */

export {};
