"""The schema. Every constraint has a name, so that both databases refuse the same rows with the same word.

Instants are milliseconds since the Unix epoch, durations are milliseconds. Rows are known outside by UUIDv7 ids; an
attempt also has a small ``number``, by which its log and its result refer to it: the log is written on every move, and
short keys keep the pages that a commit must write few. No constraint names rulesets: a new game needs no migration.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    Uuid,
    false,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES: Final = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}

#: An id as a hyphenated text: 16 bytes on PostgreSQL, 32 hex digits on SQLite.
Id: Final = Uuid(as_uuid=False)

#: A row number. Only a column declared INTEGER is SQLite's own row number.
Number: Final = BigInteger().with_variant(Integer(), "sqlite")


class Base(DeclarativeBase):
    """What all tables share: the metadata with its names."""

    metadata = MetaData(naming_convention=NAMES)


def not_negative(column: str) -> CheckConstraint:
    """The constraint that a column is zero or more."""
    return CheckConstraint(f"{column} >= 0", name=column)


class Player(Base):
    """Somebody who plays. ``name_key`` is the collision key of an account's name; guests have none.

    ``account_since`` is the instant at which a guest became an account; who has been one from the start has none.
    Who is blocked (``blocked_at``) starts nothing ranked.
    """

    __tablename__ = "players"
    __table_args__ = (
        CheckConstraint("kind IN ('guest', 'account', 'bot')", name="kind"),
        CheckConstraint("length(name) BETWEEN 1 AND 80", name="name"),
        not_negative("created_at"),
        not_negative("account_since"),
        not_negative("blocked_at"),
        UniqueConstraint("name_key"),
        Index(
            "ix_players_blocked",
            "blocked_at",
            sqlite_where=text("blocked_at IS NOT NULL"),
            postgresql_where=text("blocked_at IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)
    account_since: Mapped[int | None] = mapped_column(BigInteger)
    blocked_at: Mapped[int | None] = mapped_column(BigInteger)


class Follow(Base):
    """One player follows another: ``followed_id`` is a friend on the boards that ``follower_id`` reads."""

    __tablename__ = "follows"
    __table_args__ = (
        PrimaryKeyConstraint("follower_id", "followed_id"),
        CheckConstraint("follower_id <> followed_id", name="another"),
        not_negative("since"),
        Index(None, "followed_id"),
    )

    follower_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id", ondelete="CASCADE"))
    followed_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id", ondelete="CASCADE"))
    since: Mapped[int] = mapped_column(BigInteger)


class Session(Base):
    """A login. Only the SHA-256 of its token is kept: who reads the database cannot become a player."""

    __tablename__ = "sessions"
    __table_args__ = (
        CheckConstraint("length(token_hash) = 32", name="token_hash"),
        not_negative("created_at"),
        not_negative("last_seen_at"),
        CheckConstraint("expires_at > created_at", name="expires_at"),
        Index(None, "player_id"),
        Index(None, "expires_at"),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id", ondelete="CASCADE"))
    created_at: Mapped[int] = mapped_column(BigInteger)
    last_seen_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger)


class Challenge(Base):
    """A fixed deal that can be attempted (DESIGN 6).

    ``ends_at`` is the last instant to start, ``closes_at`` when open attempts are ended, ``closed_at`` when that was
    done: only from then on may the seed and the records leave the server. A void challenge (``voided_at``) counts for
    nobody. At an unranked one no attempt is ranked; a preview is the deal of a coming challenge, whose seed stays
    secret whatever is played on it.
    """

    __tablename__ = "challenges"
    __table_args__ = (
        CheckConstraint("kind IN ('daily', 'race', 'event', 'practice')", name="kind"),
        CheckConstraint("length(ruleset) BETWEEN 1 AND 40", name="ruleset"),
        CheckConstraint("rules_version >= 1", name="rules_version"),
        CheckConstraint("deal_version >= 1", name="deal_version"),
        CheckConstraint("(kind = 'daily') = (date IS NOT NULL)", name="daily_date"),
        CheckConstraint("length(date) = 10", name="date"),
        CheckConstraint("length(seed) = 32", name="seed"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
        not_negative("opens_at"),
        CheckConstraint("ends_at >= opens_at", name="ends_at"),
        CheckConstraint("closes_at >= opens_at", name="closes_at"),
        not_negative("closed_at"),
        not_negative("created_at"),
        not_negative("voided_at"),
        CheckConstraint("preview = false OR kind = 'practice'", name="preview"),
        CheckConstraint("unranked = false OR kind = 'event'", name="unranked"),
        Index(
            "uq_challenges_daily",
            "ruleset",
            "date",
            unique=True,
            sqlite_where=text("kind = 'daily'"),
            postgresql_where=text("kind = 'daily'"),
        ),
        Index(
            "uq_challenges_daily_seed",
            "seed",
            unique=True,
            sqlite_where=text("kind = 'daily'"),
            postgresql_where=text("kind = 'daily'"),
        ),
        Index(
            "ix_challenges_public_seed",
            "seed",
            sqlite_where=text("kind <> 'practice'"),
            postgresql_where=text("kind <> 'practice'"),
        ),
        Index(None, "date"),
        Index(
            "ix_challenges_to_close",
            "closes_at",
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    ruleset: Mapped[str] = mapped_column(Text)
    rules_version: Mapped[int] = mapped_column(Integer)
    deal_version: Mapped[int] = mapped_column(Integer)
    date: Mapped[str | None] = mapped_column(String(10))
    seed: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(Text)
    opens_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int | None] = mapped_column(BigInteger)
    closes_at: Mapped[int | None] = mapped_column(BigInteger)
    closed_at: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[int] = mapped_column(BigInteger)
    voided_at: Mapped[int | None] = mapped_column(BigInteger)
    unranked: Mapped[bool] = mapped_column(Boolean, server_default=false())
    preview: Mapped[bool] = mapped_column(Boolean, server_default=false())


#: The condition that a challenge is for everybody, as its index has it: anybody may practise with any seed.
PUBLIC: Final = text("challenges.kind <> 'practice'")


class Deal(Base):
    """A certified deal: secret until its challenge is closed, and used once.

    ``witness`` are the moves of a win that the rules have accepted, ``par`` their number; ``par_exact``: no win has
    fewer. ``dead_ends`` and ``hardness`` are per mille (docs/difficulty.md). ``used_by`` is the challenge that took it.
    """

    __tablename__ = "stock"
    __table_args__ = (
        CheckConstraint("length(ruleset) BETWEEN 1 AND 40", name="ruleset"),
        CheckConstraint("rules_version >= 1", name="rules_version"),
        CheckConstraint("deal_version >= 1", name="deal_version"),
        CheckConstraint("length(seed) = 32", name="seed"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
        CheckConstraint("solver_version >= 1", name="solver_version"),
        CheckConstraint("length(witness) >= 1", name="witness"),
        CheckConstraint("par >= 1", name="par"),
        CheckConstraint("winnable_first_moves BETWEEN 1 AND first_moves", name="first_moves"),
        CheckConstraint("dead_ends BETWEEN 0 AND 1000", name="dead_ends"),
        CheckConstraint("hardness BETWEEN 0 AND 1000", name="hardness"),
        CheckConstraint("difficulty IN ('easy', 'medium', 'hard', 'expert')", name="difficulty"),
        not_negative("nodes"),
        not_negative("ms"),
        not_negative("made_at"),
        CheckConstraint("used_at >= made_at", name="used_at"),
        CheckConstraint("(used_by IS NULL) = (used_at IS NULL)", name="used"),
        UniqueConstraint("seed"),
        UniqueConstraint("used_by"),
        Index(
            "ix_stock_unused",
            *("ruleset", "difficulty", "made_at", "id"),
            sqlite_where=text("used_by IS NULL"),
            postgresql_where=text("used_by IS NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    ruleset: Mapped[str] = mapped_column(Text)
    rules_version: Mapped[int] = mapped_column(Integer)
    deal_version: Mapped[int] = mapped_column(Integer)
    seed: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(Text)
    solver_version: Mapped[int] = mapped_column(Integer)
    witness: Mapped[str] = mapped_column(Text)
    par: Mapped[int] = mapped_column(Integer)
    par_exact: Mapped[bool] = mapped_column(Boolean)
    score: Mapped[int | None] = mapped_column(Integer)
    first_moves: Mapped[int] = mapped_column(Integer)
    winnable_first_moves: Mapped[int] = mapped_column(Integer)
    dead_ends: Mapped[int] = mapped_column(Integer)
    hardness: Mapped[int] = mapped_column(Integer)
    difficulty: Mapped[str] = mapped_column(Text)
    nodes: Mapped[int] = mapped_column(BigInteger)
    ms: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[int] = mapped_column(BigInteger)
    used_by: Mapped[str | None] = mapped_column(Id, ForeignKey("challenges.id"))
    used_at: Mapped[int | None] = mapped_column(BigInteger)


class Attempt(Base):
    """One player's way through one challenge: its start, and the summary of its log.

    The summary (``seq`` to ``over``) is written in the transaction of the log entry and can be rebuilt from the log.
    """

    __tablename__ = "attempts"
    __table_args__ = (
        UniqueConstraint("id"),
        CheckConstraint("undo_policy IN ('counted', 'none', 'free')", name="undo_policy"),
        not_negative("started_at"),
        CheckConstraint("moves >= 0 AND moves <= seq", name="moves"),
        CheckConstraint("undos >= 0 AND undos <= moves", name="undos"),
        not_negative("progress"),
        not_negative("last_at_ms"),
        CheckConstraint("over IN ('won', 'lost', 'resigned', 'closed', 'void')", name="over"),
        CheckConstraint("(over IS NULL) = (finished_at IS NULL)", name="finished"),
        not_negative("finished_at"),
        Index(
            "uq_attempts_ranked",
            "challenge_id",
            "player_id",
            unique=True,
            sqlite_where=text("ranked"),
            postgresql_where=text("ranked"),
        ),
        Index(
            "ix_attempts_open_of_challenge",
            "challenge_id",
            sqlite_where=text("over IS NULL AND ranked"),
            postgresql_where=text("over IS NULL AND ranked"),
        ),
        Index(
            "ix_attempts_open_of_player",
            "player_id",
            sqlite_where=text("over IS NULL"),
            postgresql_where=text("over IS NULL"),
        ),
    )

    number: Mapped[int] = mapped_column(Number, Identity(), primary_key=True)
    id: Mapped[str] = mapped_column(Id)
    challenge_id: Mapped[str] = mapped_column(Id, ForeignKey("challenges.id"))
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id"))
    ranked: Mapped[bool] = mapped_column(Boolean)
    undo_policy: Mapped[str] = mapped_column(Text)
    started_at: Mapped[int] = mapped_column(BigInteger)
    seq: Mapped[int] = mapped_column(Integer)
    moves: Mapped[int] = mapped_column(Integer)
    undos: Mapped[int] = mapped_column(Integer)
    progress: Mapped[int] = mapped_column(Integer)
    last_at_ms: Mapped[int] = mapped_column(BigInteger)
    over: Mapped[str | None] = mapped_column(Text)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)


#: The condition that an attempt is ranked. Written out, not as a comparison with 1: for that SQLite takes no index.
RANKED: Final = text("attempts.ranked")


class LogEntry(Base):
    """One entry of an attempt's log: what was done, and milliseconds since the start. The truth (DESIGN 1.4)."""

    __tablename__ = "log"
    __table_args__ = (
        PrimaryKeyConstraint("attempt", "seq"),
        not_negative("seq"),
        CheckConstraint("length(text) BETWEEN 1 AND 40", name="text"),
        not_negative("at_ms"),
        {"sqlite_with_rowid": False},
    )

    attempt: Mapped[int] = mapped_column(Number, ForeignKey("attempts.number", ondelete="CASCADE"))
    seq: Mapped[int] = mapped_column(Integer)
    text: Mapped[str] = mapped_column(Text)
    at_ms: Mapped[int] = mapped_column(BigInteger)


class Result(Base):
    """An ended ranked attempt that stands on its challenge's boards (C10).

    ``class`` is 0 for won and 1 for all others; the keys of both boards follow, smaller is better. ``lane`` is what
    the player was when the challenge opened: 0 a guest, 1 an account, 2 a bot. One index a board gives the order of
    each lane, from either end and from any place in it; the last two are those of a ruleset's records.
    """

    __tablename__ = "results"
    __table_args__ = (
        CheckConstraint("outcome IN ('won', 'lost', 'resigned', 'closed')", name="outcome"),
        CheckConstraint("class = CASE outcome WHEN 'won' THEN 0 ELSE 1 END", name="class"),
        CheckConstraint("lane IN (0, 1, 2)", name="lane"),
        not_negative("time_ms"),
        CheckConstraint("moves >= 1", name="moves"),
        CheckConstraint("undos >= 0 AND undos <= moves", name="undos"),
        not_negative("progress"),
        not_negative("finished_at"),
        UniqueConstraint("challenge_id", "player_id"),
        Index("ix_results_main", "challenge_id", "lane", "class", "main_1", "main_2", "finished_at", "attempt"),
        Index("ix_results_moves", "challenge_id", "lane", "class", "moves_1", "moves_2", "finished_at", "attempt"),
        Index(
            "ix_results_fastest",
            *("ruleset", "lane", "time_ms", "moves", "finished_at", "attempt"),
            sqlite_where=text("class = 0"),
            postgresql_where=text("class = 0"),
        ),
        Index(
            "ix_results_fewest",
            *("ruleset", "lane", "moves", "time_ms", "finished_at", "attempt"),
            sqlite_where=text("class = 0"),
            postgresql_where=text("class = 0"),
        ),
        Index(None, "player_id", "ruleset"),
    )

    attempt: Mapped[int] = mapped_column(
        Number, ForeignKey("attempts.number", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    challenge_id: Mapped[str] = mapped_column(Id, ForeignKey("challenges.id"))
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id"))
    ruleset: Mapped[str] = mapped_column(Text)
    lane: Mapped[int] = mapped_column(SmallInteger)
    outcome: Mapped[str] = mapped_column(Text)
    time_ms: Mapped[int] = mapped_column(BigInteger)
    moves: Mapped[int] = mapped_column(Integer)
    undos: Mapped[int] = mapped_column(Integer)
    progress: Mapped[int] = mapped_column(Integer)
    score: Mapped[int | None] = mapped_column(Integer)
    finished_at: Mapped[int] = mapped_column(BigInteger)
    klass: Mapped[int] = mapped_column("class", SmallInteger)
    main_1: Mapped[int] = mapped_column(BigInteger)
    main_2: Mapped[int] = mapped_column(BigInteger)
    moves_1: Mapped[int] = mapped_column(BigInteger)
    moves_2: Mapped[int] = mapped_column(BigInteger)


class DailyPoints(Base):
    """What a result of a closed daily is worth: 0 to 1000 by the share of the field that it beat.

    ``week`` numbers the weeks from Monday 0001-01-01, ``month`` is the year times twelve and the month less one; both
    belong to the daily's date, and say which seasons the points count for (see :mod:`server.store.seasons`).
    """

    __tablename__ = "daily_points"
    __table_args__ = (
        CheckConstraint("points BETWEEN 0 AND 1000", name="points"),
        not_negative("week"),
        not_negative("month"),
        Index(None, "challenge_id"),
        Index(None, "player_id", "ruleset", "week"),
        Index(None, "ruleset", "week"),
        Index(None, "ruleset", "month"),
    )

    attempt: Mapped[int] = mapped_column(
        Number, ForeignKey("attempts.number", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    challenge_id: Mapped[str] = mapped_column(Id, ForeignKey("challenges.id"))
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id"))
    ruleset: Mapped[str] = mapped_column(Text)
    week: Mapped[int] = mapped_column(Integer)
    month: Mapped[int] = mapped_column(Integer)
    points: Mapped[int] = mapped_column(Integer)


class Standing(Base):
    """A player's season points of a period (``2026-W49``, ``2026-11`` or ``all``) and a ruleset.

    ``who`` says which results were added up: 0 all, 1 those of accounts, 2 those of bots. ``played`` closed dailies
    gave points, ``counted`` of them count. ``key`` is the points turned round, so that smaller is better; who has as
    many stands in the order of ``finished_at``, the end of his latest counted attempt, and of ``attempt``.
    """

    __tablename__ = "standings"
    __table_args__ = (
        PrimaryKeyConstraint("period", "ruleset", "who", "player_id"),
        CheckConstraint("length(period) BETWEEN 3 AND 8", name="period"),
        CheckConstraint("who IN (0, 1, 2)", name="who"),
        not_negative("points"),
        CheckConstraint("key = 1000000000 - points", name="key"),
        CheckConstraint("counted BETWEEN 1 AND played", name="counted"),
        not_negative("finished_at"),
        Index("ix_standings_board", "period", "ruleset", "who", "key", "finished_at", "attempt"),
        Index(None, "player_id"),
    )

    period: Mapped[str] = mapped_column(Text)
    ruleset: Mapped[str] = mapped_column(Text)
    who: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id"))
    points: Mapped[int] = mapped_column(BigInteger)
    key: Mapped[int] = mapped_column(BigInteger)
    played: Mapped[int] = mapped_column(Integer)
    counted: Mapped[int] = mapped_column(Integer)
    finished_at: Mapped[int] = mapped_column(BigInteger)
    attempt: Mapped[int] = mapped_column(Number)


class Tally(Base):
    """How many rows of a board's lane lie in one bucket of its first key.

    Kept in the transaction of the row, so that ranks and totals of a board with a million rows are sums over some
    hundred tallies and not counts of rows (DESIGN 7). ``scope`` is the 32 hex digits of a challenge's id for its boards
    ``main`` and ``moves``, a ruleset for its records ``fastest`` and ``fewest``, and ``PERIOD/RULESET`` for a season.
    """

    __tablename__ = "tallies"
    __table_args__ = (
        PrimaryKeyConstraint("scope", "board", "lane", "class", "bucket"),
        CheckConstraint("board IN ('main', 'moves', 'fastest', 'fewest', 'season')", name="board"),
        CheckConstraint("lane IN (0, 1, 2)", name="lane"),
        not_negative("count"),
        {"sqlite_with_rowid": False},
    )

    scope: Mapped[str] = mapped_column(Text)
    board: Mapped[str] = mapped_column(Text)
    lane: Mapped[int] = mapped_column(SmallInteger)
    klass: Mapped[int] = mapped_column("class", SmallInteger)
    bucket: Mapped[int] = mapped_column(BigInteger)
    count: Mapped[int] = mapped_column(BigInteger)


class Heartbeat(Base):
    """When each worker was last known to be alive."""

    __tablename__ = "heartbeats"
    __table_args__ = (not_negative("at"),)

    worker: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Outage(Base):
    """A time in which no worker lived; it is taken off the time of every attempt that was open."""

    __tablename__ = "outages"
    __table_args__ = (
        not_negative("began_at"),
        CheckConstraint("ended_at > began_at", name="ended_at"),
    )

    began_at: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ended_at: Mapped[int] = mapped_column(BigInteger)
