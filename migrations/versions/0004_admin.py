"""Admins, their audit log, the calendar, events and searches; void and unranked challenges, blocked players."""

import sqlalchemy as sa
from alembic import op

revision = "0004_admin"
down_revision = "0003_stock"
branch_labels = None
depends_on = None

ID = sa.Uuid(as_uuid=False)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TABLES = ("event_deals", "events", "jobs", "plans", "bars", "admin_players", "admin_tokens", "admins", "audit")

#: Added to tables that stand: table, column, its type and its constraints.
COLUMNS = (
    ("players", "blocked_at", "BIGINT CONSTRAINT ck_players_blocked_at CHECK (blocked_at >= 0)"),
    ("challenges", "voided_at", "BIGINT CONSTRAINT ck_challenges_voided_at CHECK (voided_at >= 0)"),
    (
        "challenges",
        "unranked",
        "BOOLEAN DEFAULT false NOT NULL CONSTRAINT ck_challenges_unranked CHECK (unranked = false OR kind = 'event')",
    ),
    (
        "challenges",
        "preview",
        "BOOLEAN DEFAULT false NOT NULL CONSTRAINT ck_challenges_preview CHECK (preview = false OR kind = 'practice')",
    ),
)


def upgrade() -> None:
    for table, column, form in COLUMNS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {form}")
    blocked = sa.text("blocked_at IS NOT NULL")
    op.create_index("ix_players_blocked", "players", ["blocked_at"], sqlite_where=blocked, postgresql_where=blocked)
    create_tables()
    for statement in NEVER[op.get_bind().dialect.name]:
        op.execute(statement)


def create_tables() -> None:
    op.create_table(
        "admins",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("role IN ('owner', 'seeder', 'moderator', 'auditor')", name=op.f("ck_admins_role")),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_admins_created_at")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 40", name=op.f("ck_admins_name")),
        sa.CheckConstraint("revoked_at >= 0", name=op.f("ck_admins_revoked_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admins")),
        sa.UniqueConstraint("name", name=op.f("uq_admins_name")),
    )
    op.create_table(
        "audit",
        sa.Column("number", NUMBER, sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("admin_id", ID, nullable=True),
        sa.Column("admin", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint("via IN ('http', 'command')", name=op.f("ck_audit_via")),
        sa.CheckConstraint("at >= 0", name=op.f("ck_audit_at")),
        sa.CheckConstraint("length(action) BETWEEN 1 AND 40", name=op.f("ck_audit_action")),
        sa.CheckConstraint("length(reason) <= 500", name=op.f("ck_audit_reason")),
        sa.CheckConstraint("length(target) BETWEEN 1 AND 200", name=op.f("ck_audit_target")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_action_number"), "audit", ["action", "number"], unique=False)
    op.create_index(op.f("ix_audit_target_number"), "audit", ["target", "number"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_events_created_at")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 80", name=op.f("ck_events_name")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_table(
        "plans",
        sa.Column("date", sa.String(length=10), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("difficulty", sa.Text(), nullable=True),
        sa.Column("deal_id", ID, nullable=True),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("planned_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("difficulty IN ('easy', 'medium', 'hard', 'expert')", name=op.f("ck_plans_difficulty")),
        sa.CheckConstraint(
            "difficulty IS NOT NULL OR seed IS NOT NULL OR deal_id IS NOT NULL", name=op.f("ck_plans_something")
        ),
        sa.CheckConstraint("length(date) = 10", name=op.f("ck_plans_date")),
        sa.CheckConstraint("length(ruleset) BETWEEN 1 AND 40", name=op.f("ck_plans_ruleset")),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_plans_seed")),
        sa.CheckConstraint("seed IS NULL OR deal_id IS NULL", name=op.f("ck_plans_one_deal")),
        sa.CheckConstraint("version >= 0", name=op.f("ck_plans_version")),
        sa.ForeignKeyConstraint(["deal_id"], ["stock.id"], name=op.f("fk_plans_deal_id")),
        sa.PrimaryKeyConstraint("date", "ruleset", name=op.f("pk_plans")),
        sa.UniqueConstraint("deal_id", name=op.f("uq_plans_deal_id")),
        sa.UniqueConstraint("seed", name=op.f("uq_plans_seed")),
    )
    op.create_table(
        "admin_players",
        sa.Column("admin_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("since >= 0", name=op.f("ck_admin_players_since")),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name=op.f("fk_admin_players_admin_id")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_admin_players_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("admin_id", "player_id", name=op.f("pk_admin_players")),
    )
    op.create_index(op.f("ix_admin_players_player_id"), "admin_players", ["player_id"], unique=False)
    op.create_table(
        "admin_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("admin_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "(kind = 'session') = (expires_at IS NOT NULL)", name=op.f("ck_admin_tokens_session_expires")
        ),
        sa.CheckConstraint("kind IN ('token', 'session')", name=op.f("ck_admin_tokens_kind")),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_admin_tokens_created_at")),
        sa.CheckConstraint("expires_at >= 0", name=op.f("ck_admin_tokens_expires_at")),
        sa.CheckConstraint("length(token_hash) = 32", name=op.f("ck_admin_tokens_token_hash")),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name=op.f("fk_admin_tokens_admin_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_admin_tokens")),
    )
    op.create_index(op.f("ix_admin_tokens_admin_id"), "admin_tokens", ["admin_id"], unique=False)
    op.create_table(
        "bars",
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("admin_id", ID, nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("why IN ('prepared', 'previewed')", name=op.f("ck_bars_why")),
        sa.CheckConstraint("at >= 0", name=op.f("ck_bars_at")),
        sa.CheckConstraint("length(commitment) = 64", name=op.f("ck_bars_commitment")),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name=op.f("fk_bars_admin_id")),
        sa.PrimaryKeyConstraint("commitment", "admin_id", name=op.f("pk_bars")),
    )
    op.create_index(op.f("ix_bars_admin_id"), "bars", ["admin_id"], unique=False)
    op.create_table(
        "event_deals",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("challenge_id", ID, nullable=False),
        sa.CheckConstraint("place >= 0", name=op.f("ck_event_deals_place")),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_event_deals_challenge_id")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_deals_event_id")),
        sa.PrimaryKeyConstraint("event_id", "place", name=op.f("pk_event_deals")),
        sa.UniqueConstraint("challenge_id", name=op.f("uq_event_deals_challenge_id")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", ID, nullable=False),
        sa.Column("admin_id", ID, nullable=True),
        sa.Column("wish", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("beat_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(state = 'running') = (ended_at IS NULL)", name=op.f("ck_jobs_ended")),
        sa.CheckConstraint("state IN ('running', 'done', 'cancelled', 'failed')", name=op.f("ck_jobs_state")),
        sa.CheckConstraint("beat_at >= 0", name=op.f("ck_jobs_beat_at")),
        sa.CheckConstraint("created_at >= 0", name=op.f("ck_jobs_created_at")),
        sa.CheckConstraint("done BETWEEN 0 AND total", name=op.f("ck_jobs_done")),
        sa.CheckConstraint("ended_at >= 0", name=op.f("ck_jobs_ended_at")),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name=op.f("fk_jobs_admin_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_created_at"), "jobs", ["created_at"], unique=False)


#: What keeps the audit log as it was written.
NEVER = {
    "sqlite": [
        f"CREATE TRIGGER audit_no_{verb} BEFORE {verb.upper()} ON audit{replaced}"
        " BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
        # REPLACE takes a row away without being a DELETE.
        for verb, replaced in (
            ("update", ""),
            ("delete", ""),
            ("insert", " WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number)"),
        )
    ],
    "postgresql": [
        """
        CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$
        """,
        """
        CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only()
        """,
    ],
}


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_append_only()")
    op.drop_index("ix_players_blocked", "players")
    for table, column, _ in reversed(COLUMNS):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
