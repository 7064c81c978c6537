"""Certified deals; and no two dailies from one seed."""

import sqlalchemy as sa
from alembic import op

revision = "0003_stock"
down_revision = "0002_boards"
branch_labels = None
depends_on = None

ID = sa.Uuid(as_uuid=False)


def check(condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_stock_{name}"))


def upgrade() -> None:
    op.create_table(
        "stock",
        sa.Column("id", ID, nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("deal_version", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("solver_version", sa.Integer(), nullable=False),
        sa.Column("witness", sa.Text(), nullable=False),
        sa.Column("par", sa.Integer(), nullable=False),
        sa.Column("par_exact", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("first_moves", sa.Integer(), nullable=False),
        sa.Column("winnable_first_moves", sa.Integer(), nullable=False),
        sa.Column("dead_ends", sa.Integer(), nullable=False),
        sa.Column("hardness", sa.Integer(), nullable=False),
        sa.Column("difficulty", sa.Text(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("used_by", ID, nullable=True),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        check("length(ruleset) BETWEEN 1 AND 40", "ruleset"),
        check("rules_version >= 1", "rules_version"),
        check("deal_version >= 1", "deal_version"),
        check("length(seed) = 32", "seed"),
        check("length(commitment) = 64", "commitment"),
        check("solver_version >= 1", "solver_version"),
        check("length(witness) >= 1", "witness"),
        check("par >= 1", "par"),
        check("winnable_first_moves BETWEEN 1 AND first_moves", "first_moves"),
        check("dead_ends BETWEEN 0 AND 1000", "dead_ends"),
        check("hardness BETWEEN 0 AND 1000", "hardness"),
        check("difficulty IN ('easy', 'medium', 'hard', 'expert')", "difficulty"),
        check("nodes >= 0", "nodes"),
        check("ms >= 0", "ms"),
        check("made_at >= 0", "made_at"),
        check("used_at >= made_at", "used_at"),
        check("(used_by IS NULL) = (used_at IS NULL)", "used"),
        sa.ForeignKeyConstraint(["used_by"], ["challenges.id"], name=op.f("fk_stock_used_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stock")),
        sa.UniqueConstraint("seed", name=op.f("uq_stock_seed")),
        sa.UniqueConstraint("used_by", name=op.f("uq_stock_used_by")),
    )
    unused, daily = sa.text("used_by IS NULL"), sa.text("kind = 'daily'")
    op.create_index(
        "ix_stock_unused",
        "stock",
        ["ruleset", "difficulty", "made_at", "id"],
        sqlite_where=unused,
        postgresql_where=unused,
    )
    op.create_index(
        "uq_challenges_daily_seed", "challenges", ["seed"], unique=True, sqlite_where=daily, postgresql_where=daily
    )
    public = sa.text("kind <> 'practice'")
    op.create_index("ix_challenges_public_seed", "challenges", ["seed"], sqlite_where=public, postgresql_where=public)


def downgrade() -> None:
    op.drop_index("ix_challenges_public_seed", "challenges")
    op.drop_index("uq_challenges_daily_seed", "challenges")
    op.drop_table("stock")
