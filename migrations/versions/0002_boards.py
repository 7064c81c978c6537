"""Boards: lanes of results, records, season points, followed players."""

# ruff: noqa: S608 - the statements are put together from constants

import sqlalchemy as sa
from alembic import op

revision = "0002_boards"
down_revision = "0001_spine"
branch_labels = None
depends_on = None

ID = sa.Uuid(as_uuid=False)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

FIGURES = "outcome, time_ms, moves, undos, progress, score, finished_at, class, main_1, main_2, moves_1, moves_2"
LANE = "CASE WHEN p.kind = 'bot' THEN 2 WHEN p.kind = 'account' AND p.created_at < c.opens_at THEN 1 ELSE 0 END"
BUCKET = "CASE WHEN {key} < 4096 THEN {key} ELSE 4096 + ({key} - 4096) / {width} END"


def follow_key(column: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_follows_{column}")
    return sa.ForeignKeyConstraint([column], ["players.id"], name=name, ondelete="CASCADE")


def won_index(name: str, columns: list[str]) -> None:
    won = sa.text("class = 0")
    op.create_index(name, "results", columns, sqlite_where=won, postgresql_where=won)


def result_columns() -> list[sa.Column[object]]:
    return [
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
    ]


def result_constraints() -> list[sa.Constraint]:
    return [
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
    ]


def keys() -> list[sa.Column[object]]:
    return [
        sa.Column("attempt", NUMBER, autoincrement=False, nullable=False),
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
    ]


def upgrade() -> None:
    op.execute(
        "ALTER TABLE players ADD COLUMN account_since BIGINT"
        " CONSTRAINT ck_players_account_since CHECK (account_since >= 0)"
    )
    upgrade_results()
    upgrade_tallies()
    op.create_table(
        "follows",
        sa.Column("follower_id", ID, nullable=False),
        sa.Column("followed_id", ID, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("follower_id <> followed_id", name=op.f("ck_follows_another")),
        sa.CheckConstraint("since >= 0", name=op.f("ck_follows_since")),
        sa.ForeignKeyConstraint(
            ["followed_id"], ["players.id"], name=op.f("fk_follows_followed_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["follower_id"], ["players.id"], name=op.f("fk_follows_follower_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("follower_id", "followed_id", name=op.f("pk_follows")),
    )
    op.create_index(op.f("ix_follows_followed_id"), "follows", ["followed_id"])
    create_points()
    create_standings()


def upgrade_results() -> None:
    # Copied instead of altered: SQLite changes no constraints in place.
    op.execute(
        f"CREATE TABLE results_copy AS SELECT r.*, c.ruleset, {LANE} AS lane FROM results AS r"
        " JOIN challenges AS c ON c.id = r.challenge_id JOIN players AS p ON p.id = r.player_id"
    )
    op.drop_table("results")
    op.create_table(
        "results",
        *keys(),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("lane", sa.SmallInteger(), nullable=False),
        *result_columns(),
        sa.CheckConstraint("lane IN (0, 1, 2)", name=op.f("ck_results_lane")),
        *result_constraints(),
    )
    op.execute(
        f"INSERT INTO results (attempt, challenge_id, player_id, ruleset, lane, {FIGURES})"
        f" SELECT attempt, challenge_id, player_id, ruleset, lane, {FIGURES} FROM results_copy"
    )
    op.drop_table("results_copy")
    for board in ("main", "moves"):
        order = [f"{board}_1", f"{board}_2", "finished_at", "attempt"]
        op.create_index(f"ix_results_{board}", "results", ["challenge_id", "lane", "class", *order])
    won_index("ix_results_fastest", ["ruleset", "lane", "time_ms", "moves", "finished_at", "attempt"])
    won_index("ix_results_fewest", ["ruleset", "lane", "moves", "time_ms", "finished_at", "attempt"])
    op.create_index(op.f("ix_results_player_id_ruleset"), "results", ["player_id", "ruleset"])


def upgrade_tallies() -> None:
    op.drop_table("tallies")
    op.create_table(
        "tallies",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("lane", sa.SmallInteger(), nullable=False),
        sa.Column("class", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("board IN ('main', 'moves', 'fastest', 'fewest', 'season')", name=op.f("ck_tallies_board")),
        sa.CheckConstraint("lane IN (0, 1, 2)", name=op.f("ck_tallies_lane")),
        sa.CheckConstraint("count >= 0", name=op.f("ck_tallies_count")),
        sa.PrimaryKeyConstraint("scope", "board", "lane", "class", "bucket", name=op.f("pk_tallies")),
        sqlite_with_rowid=False,
    )
    challenge = "replace(CAST(challenge_id AS TEXT), '-', '')"
    for scope, board, key, which in (
        (challenge, "main", "main_1", "true"),
        (challenge, "moves", "moves_1", "true"),
        ("ruleset", "fastest", "time_ms", "class = 0"),
        ("ruleset", "fewest", "moves", "class = 0"),
    ):
        bucket = BUCKET.format(key=key, width=4096)
        op.execute(
            "INSERT INTO tallies (scope, board, lane, class, bucket, count)"
            f" SELECT {scope}, '{board}', lane, class, {bucket}, count(*) FROM results WHERE {which}"
            " GROUP BY 1, 2, 3, 4, 5"
        )


def create_points() -> None:
    op.create_table(
        "daily_points",
        *keys(),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.CheckConstraint("points BETWEEN 0 AND 1000", name=op.f("ck_daily_points_points")),
        sa.CheckConstraint("week >= 0", name=op.f("ck_daily_points_week")),
        sa.CheckConstraint("month >= 0", name=op.f("ck_daily_points_month")),
        sa.ForeignKeyConstraint(
            ["attempt"], ["attempts.number"], name=op.f("fk_daily_points_attempt"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_daily_points_challenge_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_daily_points_player_id")),
        sa.PrimaryKeyConstraint("attempt", name=op.f("pk_daily_points")),
    )
    op.create_index(op.f("ix_daily_points_challenge_id"), "daily_points", ["challenge_id"])
    op.create_index(op.f("ix_daily_points_player_id_ruleset_week"), "daily_points", ["player_id", "ruleset", "week"])
    op.create_index(op.f("ix_daily_points_ruleset_week"), "daily_points", ["ruleset", "week"])
    op.create_index(op.f("ix_daily_points_ruleset_month"), "daily_points", ["ruleset", "month"])


def create_standings() -> None:
    op.create_table(
        "standings",
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("who", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.BigInteger(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.Column("attempt", NUMBER, nullable=False),
        sa.CheckConstraint("length(period) BETWEEN 3 AND 8", name=op.f("ck_standings_period")),
        sa.CheckConstraint("who IN (0, 1, 2)", name=op.f("ck_standings_who")),
        sa.CheckConstraint("points >= 0", name=op.f("ck_standings_points")),
        sa.CheckConstraint("key = 1000000000 - points", name=op.f("ck_standings_key")),
        sa.CheckConstraint("counted BETWEEN 1 AND played", name=op.f("ck_standings_counted")),
        sa.CheckConstraint("finished_at >= 0", name=op.f("ck_standings_finished_at")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_standings_player_id")),
        sa.PrimaryKeyConstraint("period", "ruleset", "who", "player_id", name=op.f("pk_standings")),
    )
    op.create_index("ix_standings_board", "standings", ["period", "ruleset", "who", "key", "finished_at", "attempt"])
    op.create_index(op.f("ix_standings_player_id"), "standings", ["player_id"])


def downgrade() -> None:
    for table in ("standings", "daily_points", "follows", "tallies"):
        op.drop_table(table)
    op.execute("CREATE TABLE results_copy AS SELECT * FROM results")
    op.drop_table("results")
    op.create_table("results", *keys(), *result_columns(), *result_constraints())
    op.execute(
        f"INSERT INTO results (attempt, challenge_id, player_id, {FIGURES})"
        f" SELECT attempt, challenge_id, player_id, {FIGURES} FROM results_copy"
    )
    op.drop_table("results_copy")
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
    for board in ("main", "moves"):
        order = ["challenge_id", "class", f"{board}_1", f"{board}_2", "finished_at", "attempt"]
        op.create_index(f"ix_results_{board}", "results", order)
        bucket = BUCKET.format(key=f"{board}_1", width=1024)
        op.execute(
            "INSERT INTO tallies (challenge_id, board, class, bucket, count)"
            f" SELECT challenge_id, '{board}', class, {bucket}, count(*) FROM results"
            " GROUP BY 1, 2, 3, 4"
        )
    op.execute("ALTER TABLE players DROP COLUMN account_since")
