"""The spine: players and their sessions, challenges, attempts with their logs, boards, outages."""

import sqlalchemy as sa
from alembic import op

revision = "0001_spine"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.Uuid(as_uuid=False)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = ("players", "sessions", "challenges", "attempts", "log", "results", "tallies", "heartbeats", "outages")


def partial_index(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('guest', 'account', 'bot')", name=op.f("ck_players_kind")),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_players_created_at")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 80", name=op.f("ck_players_name")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name_key", name=op.f("uq_players_name_key")),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_sessions_created_at")),
        sa.CheckConstraint("expires_at > created_at", name=op.f("ck_sessions_expires_at")),
        sa.CheckConstraint("last_seen_at >= 0", name=op.f("ck_sessions_last_seen_at")),
        sa.CheckConstraint("length(token_hash) = 32", name=op.f("ck_sessions_token_hash")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_sessions_player_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"])
    op.create_index(op.f("ix_sessions_player_id"), "sessions", ["player_id"])
    op.create_table(
        "challenges",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("deal_version", sa.Integer(), nullable=False),
        sa.Column("date", sa.String(length=10), nullable=True),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("opens_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(kind = 'daily') = (date IS NOT NULL)", name=op.f("ck_challenges_daily_date")),
        sa.CheckConstraint("kind IN ('daily', 'race', 'event', 'practice')", name=op.f("ck_challenges_kind")),
        sa.CheckConstraint("closed_at >= 0", name=op.f("ck_challenges_closed_at")),
        sa.CheckConstraint("closes_at >= opens_at", name=op.f("ck_challenges_closes_at")),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_challenges_created_at")),
        sa.CheckConstraint("deal_version >= 1", name=op.f("ck_challenges_deal_version")),
        sa.CheckConstraint("ends_at >= opens_at", name=op.f("ck_challenges_ends_at")),
        sa.CheckConstraint("length(commitment) = 64", name=op.f("ck_challenges_commitment")),
        sa.CheckConstraint("length(date) = 10", name=op.f("ck_challenges_date")),
        sa.CheckConstraint("length(ruleset) BETWEEN 1 AND 40", name=op.f("ck_challenges_ruleset")),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_challenges_seed")),
        sa.CheckConstraint("opens_at >= 0", name=op.f("ck_challenges_opens_at")),
        sa.CheckConstraint("rules_version >= 1", name=op.f("ck_challenges_rules_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(op.f("ix_challenges_date"), "challenges", ["date"])
    partial_index("ix_challenges_to_close", "challenges", ["closes_at"], "closed_at IS NULL")
    partial_index("uq_challenges_daily", "challenges", ["ruleset", "date"], "kind = 'daily'", unique=True)
    op.create_table(
        "attempts",
        sa.Column("number", NUMBER, sa.Identity(always=False), nullable=False),
        sa.Column("id", ID, nullable=False),
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column("undo_policy", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("last_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("over", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("over IN ('won', 'lost', 'resigned', 'closed', 'void')", name=op.f("ck_attempts_over")),
        sa.CheckConstraint("undo_policy IN ('counted', 'none', 'free')", name=op.f("ck_attempts_undo_policy")),
        sa.CheckConstraint("(over IS NULL) = (finished_at IS NULL)", name=op.f("ck_attempts_finished")),
        sa.CheckConstraint("finished_at >= 0", name=op.f("ck_attempts_finished_at")),
        sa.CheckConstraint("last_at_ms >= 0", name=op.f("ck_attempts_last_at_ms")),
        sa.CheckConstraint("moves >= 0 AND moves <= seq", name=op.f("ck_attempts_moves")),
        sa.CheckConstraint("progress >= 0", name=op.f("ck_attempts_progress")),
        sa.CheckConstraint("started_at >= 0", name=op.f("ck_attempts_started_at")),
        sa.CheckConstraint("undos >= 0 AND undos <= moves", name=op.f("ck_attempts_undos")),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_attempts_challenge_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_attempts_player_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_attempts")),
        sa.UniqueConstraint("id", name=op.f("uq_attempts_id")),
    )
    partial_index("ix_attempts_open_of_challenge", "attempts", ["challenge_id"], "over IS NULL AND ranked")
    partial_index("ix_attempts_open_of_player", "attempts", ["player_id"], "over IS NULL")
    partial_index("uq_attempts_ranked", "attempts", ["challenge_id", "player_id"], "ranked", unique=True)
    op.create_table(
        "log",
        sa.Column("attempt", NUMBER, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("at_ms >= 0", name=op.f("ck_log_at_ms")),
        sa.CheckConstraint("length(text) BETWEEN 1 AND 40", name=op.f("ck_log_text")),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_log_seq")),
        sa.ForeignKeyConstraint(["attempt"], ["attempts.number"], name=op.f("fk_log_attempt"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("attempt", "seq", name=op.f("pk_log")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("attempt", NUMBER, autoincrement=False, nullable=False),
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("time_ms", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.Column("class", sa.SmallInteger(), nullable=False),
        sa.Column("main_1", sa.BigInteger(), nullable=False),
        sa.Column("main_2", sa.BigInteger(), nullable=False),
        sa.Column("moves_1", sa.BigInteger(), nullable=False),
        sa.Column("moves_2", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("class = CASE outcome WHEN 'won' THEN 0 ELSE 1 END", name=op.f("ck_results_class")),
        sa.CheckConstraint("outcome IN ('won', 'lost', 'resigned', 'closed')", name=op.f("ck_results_outcome")),
        sa.CheckConstraint("finished_at >= 0", name=op.f("ck_results_finished_at")),
        sa.CheckConstraint("moves >= 1", name=op.f("ck_results_moves")),
        sa.CheckConstraint("progress >= 0", name=op.f("ck_results_progress")),
        sa.CheckConstraint("time_ms >= 0", name=op.f("ck_results_time_ms")),
        sa.CheckConstraint("undos >= 0 AND undos <= moves", name=op.f("ck_results_undos")),
        sa.ForeignKeyConstraint(["attempt"], ["attempts.number"], name=op.f("fk_results_attempt"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_results_challenge_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_results_player_id")),
        sa.PrimaryKeyConstraint("attempt", name=op.f("pk_results")),
        sa.UniqueConstraint("challenge_id", "player_id", name=op.f("uq_results_challenge_id_player_id")),
    )
    op.create_index(
        "ix_results_main", "results", ["challenge_id", "class", "main_1", "main_2", "finished_at", "attempt"]
    )
    op.create_index(
        "ix_results_moves", "results", ["challenge_id", "class", "moves_1", "moves_2", "finished_at", "attempt"]
    )
    op.create_index(op.f("ix_results_player_id"), "results", ["player_id"])
    op.create_table(
        "tallies",
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("class", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("board IN ('main', 'moves')", name=op.f("ck_tallies_board")),
        sa.CheckConstraint("count >= 0", name=op.f("ck_tallies_count")),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_tallies_challenge_id")),
        sa.PrimaryKeyConstraint("challenge_id", "board", "class", "bucket", name=op.f("pk_tallies")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "heartbeats",
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("at >= 0", name=op.f("ck_heartbeats_at")),
        sa.PrimaryKeyConstraint("worker", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "outages",
        sa.Column("began_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("began_at >= 0", name=op.f("ck_outages_began_at")),
        sa.CheckConstraint("ended_at > began_at", name=op.f("ck_outages_ended_at")),
        sa.PrimaryKeyConstraint("began_at", name=op.f("pk_outages")),
    )


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)  # its indexes go with it
