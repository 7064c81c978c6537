"""What the types cannot say: meanings of fields and codes, in a line each.

A field or a code without its line stops the generator, so that nothing new goes undocumented.
"""

from collections.abc import Mapping
from typing import Final

from server.errors import SamedealError


class UndocumentedError(SamedealError):
    """Something has no words yet, or no place in a page; the message says what and where they belong."""


def words_for(what: str, table: Mapping[str, str], *keys: str) -> str:
    """The words under the first of the keys that has any. Raises :class:`UndocumentedError`."""
    for key in keys:
        if key in table:
            return table[key]
    raise UndocumentedError(f"{what} {keys[0]} needs a line in server/commands/reference/words.py")


#: What the server answers to each message of a client.
ANSWERS: Final = {
    "hello": "`welcome`",
    "start": "`state`; a second `start` resumes the same attempt",
    "practice": "`state` of a new attempt",
    "play": "`played` or `rejected`",
    "undo": "`played` with `move`: `undo`, or `rejected`",
    "resign": "`played` with `move`: `resign`, or `rejected`",
    "sync": "`state`",
    "hint": "`hint`, or `error` with `attempt/no_hint`; it comes when it is found",
    "ping": "`pong`",
    "board.watch": "`board`, and another one whenever results come or go, at most one a second",
    "board.unwatch": "`board`",
}

#: Meanings of fields by name, or by message and name where one name means several things.
FIELDS: Final = {
    "at_ms": "when the entry was made, in milliseconds since the start of the attempt, without outages of the server",
    "attempt": "id of the attempt",
    "attempts": "ids of open attempts, latest first",
    "can_undo": "whether `undo` is allowed now",
    "challenge": "the challenge that is played",
    "closes_at": "when open attempts are ended; missing where that never happens",
    "code": "one of the [codes](#codes)",
    "commitment": "SHA-256 that binds the seed, hex",
    "date": "the date of a daily",
    "deal_winnable": "whether the deal could be won at all; null: not told",
    "elapsed_ms": "time that has counted until now",
    "id": "repeated from the message that is answered; missing in news",
    "kind": "what it is",
    "layout": "the [table](#layout)",
    "legal": "all moves that are accepted now, preferred first",
    "limits": "what is allowed, by name, as [count, seconds]; empty on a server without limits",
    "message": "English, for a developer; show your own words for the code",
    "move": "the entry: a move in its canonical spelling, `undo`, `resign`, `close` or `void`",
    "moves": "moves and undos so far",
    "name": "the name that is shown",
    "now": "the server's time",
    "of": "how many stand on the board",
    "open": "what the player has open",
    "outcome": "`won`, `lost`, `resigned`, `closed` or `void`",
    "over": "null while the attempt is open, else how it ended",
    "piles": "cards by pile, bottom first",
    "player": "who says hello",
    "progress": "how far the game has come, up to `layout.maximum`",
    "rank": "the rank on the board; missing for attempts that stand on none",
    "ranked": "whether the attempt counts",
    "result": "how it ended; only when over",
    "rooms": "codes of rooms",
    "ruleset": "key of the ruleset",
    "score": "the score of a won game that has one (F8)",
    "seq": "number of entries in the log",
    "steps": "what the entry did, as [steps](#steps)",
    "time_ms": "the time that counts, to the last entry",
    "undo": "the undo policy: `counted`, `none` or `free` (C8)",
    "undos": "undos so far",
    "v": "version of the protocol",
    "winnable": "whether the game can still be won (P10); null: not told, or told later by `winnable`",
    # Messages of clients.
    "hello.token": "the token of a player; browsers leave it out and are known by their cookie",
    "start.challenge": "id of the challenge, `daily/DATE/RULESET` or `daily/today/RULESET`",
    "practice.ruleset": "deal this ruleset, from `seed` or at random",
    "practice.seed": "32 lower-case hex digits; only with `ruleset`",
    "practice.challenge": "deal a closed challenge again",
    "practice.from": "go on from a place in an attempt whose challenge is closed, or in own practice",
    "play.move": "one or two pile names",
    "play.seq": "number of entries that the sender believes current",
    "undo.seq": "number of entries that the sender believes current",
    "resign.seq": "number of entries that the sender believes current",
    "From.seq": "number of entries to keep",
    "board.watch.challenge": "id of the challenge, `daily/DATE/RULESET` or `daily/today/RULESET`",
    "board.watch.board": "a board by its address under `/boards`: `daily/DATE/RULESET`, `challenge/ID`, "
    "`season/PERIOD/RULESET` or `records/RULESET`",
    "board.unwatch.challenge": "id of the challenge, `daily/DATE/RULESET` or `daily/today/RULESET`",
    "board.unwatch.board": "the same as for `board.watch`",
    # Messages of the server, and what they hold.
    "board.board": "`challenge/ID`, `season/PERIOD/RULESET` or `records/RULESET`, with the lasting name of a period",
    "board.challenge": "id of the challenge; missing for seasons and records",
    "board.season": "the first lines of a season, ten at most; missing for other boards",
    "top": "the first lines of the main board, or of the fastest records, ten at most",
    "total": "how many results, or players of a season, stand on the board",
    "SeasonLine.counted": "dailies that count",
    "SeasonLine.played": "closed dailies that were played",
    "SeasonLine.player": "whose line it is",
    "SeasonLine.points": "the sum of the points of the dailies that count",
    "state.credit_ms": "time in which the server was away, taken off the clock",
    "watching": "whether more news follows",
    "BoardLine.player": "whose line it is",
    "error.reason": "one word, for a code with several reasons",
    "hint.move": "a legal move that leads to a win",
    "hint.seq": "the number of entries that the hint is about; void unless current",
    "played.piles": "the piles that changed, as they are now",
    "played.seq": "the new number of entries",
    "rejected.seq": "the true number of entries; null where the attempt is not the sender's",
    "winnable.seq": "the number of entries that the verdict is about; void unless current",
    "Challenge.id": "id of the challenge",
    "Player.id": "id of the player",
    "Result.moves": "moves and undos",
    "Result.progress": "progress at the end",
    "Result.undos": "undos among them",
}

#: Meanings of the codes of :data:`server.errors.CODES`.
CODES: Final = {
    "protocol/malformed": "The message or request does not have the form that is demanded.",
    "protocol/unknown": "There is no such message, or the address does not take this method.",
    "protocol/version": "The server does not speak this version of the protocol.",
    "protocol/rate": "Too many messages or requests; HTTP says in `Retry-After` when to try again.",
    "auth/required": "Say hello, or send a token or the session cookie, first.",
    "auth/invalid": "The token is unknown or no longer valid, or the socket belongs to another player.",
    "auth/forbidden": "This page or this player may not do that.",
    "name/invalid": "The name is empty, too long, or has characters or a mixture of scripts that are not allowed.",
    "move/syntax": "The text is not one or two pile names (C6).",
    "move/illegal": "The move is not in the legal list of the position.",
    "attempt/unknown": "There is no attempt of this id.",
    "attempt/not_yours": "The attempt is another player's.",
    "attempt/stale": "The `seq` is not the current one; over the socket, a `state` follows.",
    "attempt/over": "The attempt has ended.",
    "attempt/no_undo": "The undo policy allows none, or nothing is left to undo.",
    "attempt/no_hint": "No hint in ranked play, in a lost position, or where no way to win was found.",
    "attempt/log_full": "The log holds as many moves and undos as a log may; resign.",
    "challenge/unknown": "There is no such challenge, or no daily of that date and ruleset.",
    "challenge/not_open": "The challenge has not opened yet; for practice: it has not closed yet.",
    "challenge/closed": "The challenge can no longer be started.",
    "challenge/barred": "This player may not take part in the challenge.",
    "challenge/void": "The challenge is void already.",
    "admin/exists": "An admin has, or had, this name.",
    "admin/last_owner": "The last owner stays one.",
    "admin/unbound": "The admin has named no player as whom he plays, so nobody could be barred.",
    "admin/reason": "A ruling needs a reason, in one line of at most 500 characters.",
    "admin/dates": "The dates or instants do not fit: the message says what is allowed.",
    "calendar/stale": "Somebody has planned that day anew; look again.",
    "calendar/locked": "That day has begun, its deal is published, or it is too far away.",
    "calendar/taken": "Something else is planned for that day.",
    "deal/unknown": "There is no such deal in stock.",
    "deal/used": "The deal or seed is used or planned already.",
    "deal/none": "There is no deal to be had: none is chosen, none is in stock, or none can be played.",
    "event/unknown": "There is no event of this id.",
    "event/opened": "The event has opened or was cancelled; only rulings change it now.",
    "event/invalid": "The event does not fit: the message says what is allowed.",
    "job/unknown": "There is no search of this id.",
    "job/busy": "As many searches run as may; wait, or cancel one.",
    "ruleset/unknown": "There is no such ruleset.",
    "seed/invalid": "A seed is 32 lower-case hex digits.",
    "deck/invalid": "The deck does not hold each card of the ruleset's deck once.",
    "race/unknown": "There is no race of this code.",
    "race/full": "All seats are taken.",
    "race/started": "The race has started.",
    "race/not_running": "The race is not running.",
    "race/not_host": "Only the host may do that.",
    "race/not_ready": "Fewer than two players are ready.",
    "race/not_member": "Only who is in the race may do that.",
    "follow/full": "This player follows as many others as he may.",
    "not_found": "There is nothing at this address.",
    "try_later": "The server cannot store anything at the moment; nothing has changed. Try again.",
    "internal": "A fault of the server; the message holds the id under which it was logged.",
}
