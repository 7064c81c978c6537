"""The tables of those who run the place: admins, their audit log, the calendar, events, jobs of search.

They stand in the schema of :mod:`server.store.tables`, whose words hold here too.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables import Base, Id, Number, not_negative


class Admin(Base):
    """Somebody who runs the place, under a name that boards never show. Who is revoked can sign in no more."""

    __tablename__ = "admins"
    __table_args__ = (
        CheckConstraint("length(name) BETWEEN 1 AND 40", name="name"),
        CheckConstraint("role IN ('owner', 'seeder', 'moderator', 'auditor')", name="role"),
        not_negative("created_at"),
        not_negative("revoked_at"),
        UniqueConstraint("name"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)
    revoked_at: Mapped[int | None] = mapped_column(BigInteger)


class AdminToken(Base):
    """What an admin is known by: a ``token`` until it is revoked, a ``session`` of a browser until it expires.

    Only the SHA-256 is kept.
    """

    __tablename__ = "admin_tokens"
    __table_args__ = (
        CheckConstraint("length(token_hash) = 32", name="token_hash"),
        CheckConstraint("kind IN ('token', 'session')", name="kind"),
        CheckConstraint("(kind = 'session') = (expires_at IS NOT NULL)", name="session_expires"),
        not_negative("created_at"),
        not_negative("expires_at"),
        Index(None, "admin_id"),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    admin_id: Mapped[str] = mapped_column(Id, ForeignKey("admins.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int | None] = mapped_column(BigInteger)


class AdminPlayer(Base):
    """Whom an admin plays as, now and before: what bars him bars all of these."""

    __tablename__ = "admin_players"
    __table_args__ = (
        PrimaryKeyConstraint("admin_id", "player_id"),
        not_negative("since"),
        Index(None, "player_id"),
    )

    admin_id: Mapped[str] = mapped_column(Id, ForeignKey("admins.id"))
    player_id: Mapped[str] = mapped_column(Id, ForeignKey("players.id", ondelete="CASCADE"))
    since: Mapped[int] = mapped_column(BigInteger)


class Bar(Base):
    """An admin knows a deal, by its commitment: he prepared or previewed it and has no ranked attempt at it."""

    __tablename__ = "bars"
    __table_args__ = (
        PrimaryKeyConstraint("commitment", "admin_id"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
        CheckConstraint("why IN ('prepared', 'previewed')", name="why"),
        not_negative("at"),
        Index(None, "admin_id"),
    )

    commitment: Mapped[str] = mapped_column(Text)
    admin_id: Mapped[str] = mapped_column(Id, ForeignKey("admins.id"))
    why: Mapped[str] = mapped_column(Text)
    at: Mapped[int] = mapped_column(BigInteger)


class Audit(Base):
    """What an admin did, for ever: triggers on both databases refuse to change or to delete a row.

    ``before`` and ``after`` are JSON. No names of players and no seeds stand here, so that nothing of it must ever go.
    """

    __tablename__ = "audit"
    __table_args__ = (
        not_negative("at"),
        CheckConstraint("via IN ('http', 'command')", name="via"),
        CheckConstraint("length(action) BETWEEN 1 AND 40", name="action"),
        CheckConstraint("length(target) BETWEEN 1 AND 200", name="target"),
        CheckConstraint("length(reason) <= 500", name="reason"),
        Index(None, "action", "number"),
        Index(None, "target", "number"),
    )

    number: Mapped[int] = mapped_column(Number, Identity(), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)
    admin_id: Mapped[str | None] = mapped_column(Id)
    admin: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text)
    via: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text)
    before: Mapped[str | None] = mapped_column(Text)
    after: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)


class Plan(Base):
    """What an admin has planned for a coming day and ruleset: a difficulty, a deal of the stock, or a seed of his own.

    A day without a plan follows the rule of weekdays. ``version`` is the number of the audit entry that wrote it, so
    that no two states of a day ever have the same.
    """

    __tablename__ = "plans"
    __table_args__ = (
        PrimaryKeyConstraint("date", "ruleset"),
        CheckConstraint("length(date) = 10", name="date"),
        CheckConstraint("length(ruleset) BETWEEN 1 AND 40", name="ruleset"),
        CheckConstraint("difficulty IN ('easy', 'medium', 'hard', 'expert')", name="difficulty"),
        CheckConstraint("length(seed) = 32", name="seed"),
        CheckConstraint("seed IS NULL OR deal_id IS NULL", name="one_deal"),
        CheckConstraint("difficulty IS NOT NULL OR seed IS NOT NULL OR deal_id IS NOT NULL", name="something"),
        not_negative("version"),
        UniqueConstraint("seed"),
        UniqueConstraint("deal_id"),
    )

    date: Mapped[str] = mapped_column(String(10))
    ruleset: Mapped[str] = mapped_column(Text)
    difficulty: Mapped[str | None] = mapped_column(Text)
    deal_id: Mapped[str | None] = mapped_column(Id, ForeignKey("stock.id"))
    seed: Mapped[str | None] = mapped_column(Text)
    version: Mapped[int] = mapped_column(BigInteger)
    planned_at: Mapped[int] = mapped_column(BigInteger)


class Event(Base):
    """An event: challenges under one name. When they open and close stands with them."""

    __tablename__ = "events"
    __table_args__ = (
        CheckConstraint("length(name) BETWEEN 1 AND 80", name="name"),
        not_negative("created_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)


class EventDeal(Base):
    """A challenge of an event, in the order in which it is listed."""

    __tablename__ = "event_deals"
    __table_args__ = (
        PrimaryKeyConstraint("event_id", "place"),
        UniqueConstraint("challenge_id"),
        not_negative("place"),
    )

    event_id: Mapped[str] = mapped_column(Id, ForeignKey("events.id"))
    place: Mapped[int] = mapped_column(Integer)
    challenge_id: Mapped[str] = mapped_column(Id, ForeignKey("challenges.id"))


class Job(Base):
    """A search for deals in the background. Who runs it leaves a sign of life (``beat_at``); without, it has failed."""

    __tablename__ = "jobs"
    __table_args__ = (
        CheckConstraint("state IN ('running', 'done', 'cancelled', 'failed')", name="state"),
        CheckConstraint("(state = 'running') = (ended_at IS NULL)", name="ended"),
        CheckConstraint("done BETWEEN 0 AND total", name="done"),
        not_negative("created_at"),
        not_negative("beat_at"),
        not_negative("ended_at"),
        Index(None, "created_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    admin_id: Mapped[str | None] = mapped_column(Id, ForeignKey("admins.id"))
    wish: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    done: Mapped[int] = mapped_column(Integer)
    total: Mapped[int] = mapped_column(Integer)
    found: Mapped[str] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)
    beat_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
