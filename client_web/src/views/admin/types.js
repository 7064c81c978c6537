/**
 * The shapes of the admin's API, as its reference describes them. Types only: nothing imports this at run time.
 * @module
 */

/** @typedef {import("../../types.js").Player} Player */
/** @typedef {import("../../types.js").Challenge} Challenge */
/** @typedef {"owner" | "seeder" | "moderator" | "auditor"} Role */
/** @typedef {"easy" | "medium" | "hard" | "expert"} Level */
/** @typedef {{name: string, role: Role, actions: string[], player: string | null}} Me */
/** @typedef {{name: string, role: Role, created_at: string, revoked_at: string | null, player: string | null}} Admin */

/**
 * @typedef {object} Cell
 * @property {string} date
 * @property {string} ruleset
 * @property {string} title
 * @property {"closed" | "running" | "published" | "coming"} state
 * @property {"rule" | "difficulty" | "deal" | "seed"} source
 * @property {Level | null} difficulty
 * @property {string | null} deal
 * @property {number} version 0 without a plan
 * @property {string | null} challenge
 * @property {string | null} commitment
 * @property {string | null} closes_at
 * @property {boolean} void
 * @property {number} results
 */

/** @typedef {{first: string, last: string, today: string, rule: Level[], cells: Cell[]}} Plan */
/** @typedef {{stored: boolean, planned: number, unchanged: number, refused: Refused[], refused_total: number}} Imported */
/** @typedef {{line: number, code: string, message: string, same_as: number | null}} Refused `same_as` is the line that it repeats */
/** @typedef {{player: string, name: string, before: number | null, after: number | null, period: string | null}} Change */
/** @typedef {{total: number, shown: Change[]}} Changes */

/**
 * @typedef {object} Effect
 * @property {string} challenge
 * @property {string} ruleset
 * @property {string | null} date
 * @property {boolean} dry_run
 * @property {Record<string, number>} attempts_before
 * @property {Record<string, number>} attempts_after
 * @property {Changes} ranks
 * @property {Changes} points
 * @property {Changes} streaks
 * @property {string | null} ends_at
 * @property {string | null} closes_at
 */

/**
 * @typedef {object} AttemptLine
 * @property {string} attempt
 * @property {string} player
 * @property {string} name
 * @property {string} started_at
 * @property {import("../../types.js").Over} over
 * @property {number} time_ms
 * @property {number} moves
 * @property {number} undos
 * @property {number} progress
 */

/** @typedef {Challenge & {void?: boolean}} Ruled */
/** @typedef {{challenge: Ruled, attempts: AttemptLine[], next: number | null}} Attempts */
/** @typedef {{player: Player, since: string, blocked_at: string | null}} Found */

/**
 * @typedef {object} Played
 * @property {string} attempt
 * @property {string} challenge
 * @property {string} kind
 * @property {string} ruleset
 * @property {string | null} date
 * @property {boolean} closed
 * @property {import("../../types.js").Over} outcome
 * @property {number} time_ms
 * @property {number} moves
 * @property {string} finished_at
 */

/** @typedef {{found: Found, games: Played[]}} Looked */

/**
 * @typedef {object} EventBody
 * @property {string} id
 * @property {string} name
 * @property {"coming" | "open" | "closed" | "void"} state
 * @property {string} opens_at
 * @property {string | null} ends_at
 * @property {string | null} closes_at
 * @property {Ruled[]} challenges
 */

/**
 * @typedef {object} AuditLine
 * @property {number} number
 * @property {string} at
 * @property {string} admin
 * @property {Role} role
 * @property {"http" | "command"} via
 * @property {string} action
 * @property {string} target
 * @property {Record<string, unknown> | null} before
 * @property {Record<string, unknown> | null} after
 * @property {string | null} reason
 */

/**
 * @typedef {object} Deal
 * @property {string} id
 * @property {string} ruleset
 * @property {Level} difficulty
 * @property {number} par
 * @property {boolean} par_exact
 * @property {number | null} score
 * @property {number} first_moves
 * @property {number} winnable_first_moves
 * @property {number} dead_ends per mille
 */

/** @typedef {{ruleset: string, title: string, levels: Record<Level, number>, days: number | null}} StockRow */
/** @typedef {{rulesets: StockRow[], few_days: number, keep_days: number}} Stock */

/**
 * @typedef {object} Search
 * @property {string} id
 * @property {string} ruleset
 * @property {"running" | "done" | "cancelled" | "failed"} state
 * @property {number} done
 * @property {number} total
 * @property {number} found
 * @property {string} begun_at
 * @property {string | null} ended_at
 * @property {Deal[]} deals
 */

/** What every page of the admin's gets besides its place. @typedef {{me: Me, visit: import("../../main.js").Visit, parts: string[]}} Seat */
/** @typedef {(root: HTMLElement, seat: Seat) => void | (() => void)} Section */

export {};
