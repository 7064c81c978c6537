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
 * @property {number} [credit_ms] how long the server was away, taken off the clock
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
/** @typedef {{t: "error", id?: string, code: string, message: string, reason?: string}} ErrorMessage */
/** @typedef {{t: "hint", id?: string, attempt: string, seq: number, move: string}} HintMessage */
/** @typedef {{t: "welcome", id?: string, v: number, player: Player, now: string, open?: {attempts: string[], rooms: string[]}}} WelcomeMessage */
/** @typedef {{t: "pong", id?: string, now: string}} PongMessage */
/** @typedef {{t: "board", id?: string, board: string, challenge?: string, total: number, watching: boolean, top: BoardRow[], season?: SeasonRow[]}} BoardMessage */
/** @typedef {BoardMessage | StateMessage | PlayedMessage | RejectedMessage | WinnableMessage | HintMessage | ErrorMessage | WelcomeMessage | PongMessage} ServerMessage */

/** @typedef {{id: string, name: string, kind: "guest" | "account" | "bot"}} Player */

/** @typedef {{seq: number, move: string}} Turn a move that lost, and how many entries lie ahead of it */

/**
 * @typedef {object} Analysis
 * @property {string} attempt
 * @property {string} ruleset
 * @property {string} over
 * @property {number} moves
 * @property {boolean | null} deal_winnable
 * @property {number | null} par
 * @property {boolean} par_exact
 * @property {number | null} above_par of a win
 * @property {number | null} best_score
 * @property {"won" | "winnable" | "lost" | "never" | "undecided" | "untold" | "searching"} fate
 * @property {Turn | null} lost
 * @property {[number, number] | null} between
 * @property {Turn[]} slips losing moves that were taken back
 * @property {boolean} slips_all
 */

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
 * @property {{id: string, name: string} | null} [event] that it belongs to
 * @property {string} commitment
 * @property {string} opens_at
 * @property {string | null} [ends_at]
 * @property {string | null} [closes_at] null when it never closes
 * @property {number} players absent while the deal has not opened
 * @property {OwnResult | null} [own]
 * @property {Level | null} [difficulty] null where nothing was proved of the deal
 * @property {string | null} [seed] only after the close, as what follows
 * @property {number | null} [par] moves that are enough to win
 * @property {boolean | null} [par_exact] whether no win has fewer
 * @property {number | null} [score] what the line of par scores, where the game has scores
 * @property {boolean} [ranked] absent while the deal has not opened
 * @property {number} [deal_version]
 * @property {number} [rules_version]
 */

/** @typedef {"easy" | "medium" | "hard" | "expert"} Level */
/** @typedef {{id: string, name: string, state: "coming" | "open" | "closed" | "void", opens_at: string, ends_at: string | null, closes_at: string | null, challenges: Challenge[]}} EventBody */

/**
 * A winning line of a closed deal: the piles before it, and after each move those that it changed.
 * @typedef {{challenge: string, ruleset: string, par: number, par_exact: boolean, score: number | null, layout: Layout, piles: Piles, moves: {move: string, piles: Piles}[]}} Witness
 */

/** @typedef {{date: string, now: string, next_at: string, dailies: Challenge[]}} Dailies */

/**
 * @typedef {object} BoardRow
 * @property {number} rank
 * @property {Player} player
 * @property {string} attempt
 * @property {string} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} undos
 * @property {number} progress
 * @property {number | null} [score]
 */

/** @typedef {{rank: number, player: Player, points: number, score: number, counted: number, played: number}} SeasonRow */
/** @typedef {BoardRow & {challenge: string, kind: string, date: string | null, finished_at: string}} RecordRow */

/**
 * A page of any board: rows best first, one's own row, and cursors to both sides.
 * @template R
 * @typedef {{rows: R[], total: number, me: R | null, next: string | null, previous: string | null}} Page
 */

/** @typedef {Page<BoardRow> & {challenge: Challenge, by: string, keys: string[], maximum: number, outage_ms: number}} DayBoard */
/** @typedef {Page<RecordRow> & {ruleset: string, title: string, by: string, maximum: number}} RecordsBoard */

/**
 * @typedef {object} SeasonAbout
 * @property {string} period
 * @property {"week" | "month" | "all"} kind
 * @property {string} title
 * @property {string | null} begins
 * @property {string | null} ends last day, inclusive
 * @property {boolean} running
 * @property {string | null} previous_period
 * @property {string | null} next_period
 * @property {string} formula
 */
/** @typedef {Page<SeasonRow> & SeasonAbout} SeasonBoard */

/** @typedef {{start: number, end: number, count: number}} Bar from `start` up to, but not at, `end` */
/** @typedef {{unit: "ms" | "moves" | "cards" | "points", bars: Bar[], own: number | null, total: number, open_ended: boolean}} Spread `open_ended`: the last bar has all above it too */

/**
 * @typedef {object} GameRecord
 * @property {string} ruleset
 * @property {string} title
 * @property {number} played
 * @property {number} won
 * @property {number | null} best_time_ms
 * @property {number | null} fewest_moves
 * @property {number | null} median_time_ms of wins
 * @property {number | null} best_score null where the game has none
 * @property {number} maximum
 * @property {Spread | null} times
 * @property {Spread | null} moves
 */

/**
 * @typedef {object} RecentGame
 * @property {string} attempt
 * @property {string} challenge
 * @property {string} kind
 * @property {string} ruleset
 * @property {string} title
 * @property {string | null} date
 * @property {boolean} closed
 * @property {string} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} progress
 * @property {number} maximum
 * @property {number | null} score
 * @property {number | null} rank
 * @property {number | null} of
 * @property {string} finished_at
 */

/** @typedef {{current: number, longest: number, freezes: number, next_freeze_in: number, today: boolean}} Streak */

/**
 * @typedef {object} Profile
 * @property {Player} player
 * @property {string} since
 * @property {number} followers
 * @property {number} following
 * @property {boolean} followed by the reader
 * @property {Streak} streak
 * @property {GameRecord[]} games
 * @property {RecentGame[]} recent
 */

/** @typedef {"played" | "frozen" | "outage" | "missed" | "open" | "future"} DayState */

/**
 * @typedef {object} DayResult
 * @property {string} attempt
 * @property {string} challenge
 * @property {string} ruleset
 * @property {string} title
 * @property {string} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} progress
 * @property {number} maximum
 * @property {number | null} points after the close
 */

/** @typedef {{date: string, state: DayState, results: DayResult[]}} CalendarDay */
/** @typedef {{player: Player, month: string, previous: string | null, next: string | null, days: CalendarDay[]}} Calendar */

/** @typedef {{tenths: number[], median_ms: number[], own_ms: number[] | null, sample: number}} Pace */

/**
 * @typedef {object} FieldOwn
 * @property {string} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} progress
 * @property {number | null} score
 * @property {number} rank
 * @property {number} of
 * @property {number} beaten how many of the others did worse
 * @property {number} equal how many of the others did as well
 * @property {number[]} course progress at the end of each tenth of the time
 */

/**
 * @typedef {object} Field
 * @property {string} challenge
 * @property {string} ruleset
 * @property {string} date
 * @property {boolean} closed
 * @property {number} total
 * @property {number} won
 * @property {FieldOwn | null} own
 * @property {Spread | null} times of wins
 * @property {Spread | null} moves of wins
 * @property {Spread | null} progress of all
 * @property {Spread | null} scores of wins, null where the game has none
 * @property {Pace | null} pace
 */

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
