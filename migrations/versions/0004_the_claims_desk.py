"""The claims desk: more moves, payout references, keys of retries, policy, batches, notes, and who is where."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0004"
down_revision: str | None = "0003"

OLD_STATUSES = "status IN ('Pending', 'Accepted', 'Paid')"
NEW_STATUSES = "status IN ('Pending', 'Accepted', 'Paid', 'On hold', 'Rejected', 'Returned')"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    _number_the_moves(is_sqlite)
    _widen_claims(is_sqlite)
    _make_references(is_sqlite)
    _make_move_keys()
    _make_policy()
    _make_batches()
    _make_notes()
    _make_open_claims()


def _number_the_moves(is_sqlite: bool) -> None:
    """A claim may come to a status again; what stays unique is the number of a move, and one payout a round."""
    columns = (
        sa.Column("number", sa.Integer),
        sa.Column("payout_round", sa.Integer, nullable=False, server_default="0"),
        sa.Column("reason", sa.String(500)),
    )
    if is_sqlite:
        # SQLite cannot drop a constraint, so a new table replaces the old one. Nothing refers to it.
        op.create_table(
            "numbered_transitions",
            sa.Column("id", sa.String(24), nullable=False),
            sa.Column("claim_id", sa.String(24), nullable=False),
            sa.Column("from_status", sa.String(20), nullable=False),
            sa.Column("to_status", sa.String(20), nullable=False),
            sa.Column("moved_by", sa.String(200), nullable=False),
            sa.Column("moved_at", Moment, nullable=False),
            sa.Column("number", sa.Integer, nullable=False),
            *columns[1:],
            sa.PrimaryKeyConstraint("id", name="pk_claim_transitions"),
            sa.ForeignKeyConstraint(["claim_id"], ["claims.id"], name="fk_claim_transitions_claim_id"),
            sa.UniqueConstraint("claim_id", "number", name="uq_claim_transitions_claim_number"),
        )
        op.execute(
            "INSERT INTO numbered_transitions (id, claim_id, from_status, to_status, moved_by, moved_at, number) "
            "SELECT id, claim_id, from_status, to_status, moved_by, moved_at, "
            "row_number() OVER (PARTITION BY claim_id ORDER BY moved_at, id) FROM claim_transitions"
        )
        op.drop_table("claim_transitions")
        op.rename_table("numbered_transitions", "claim_transitions")
    else:
        for column in columns:
            op.add_column("claim_transitions", column)
        op.execute(
            "UPDATE claim_transitions SET number = numbered.number FROM (SELECT id, "
            "row_number() OVER (PARTITION BY claim_id ORDER BY moved_at, id) AS number FROM claim_transitions) "
            "AS numbered WHERE numbered.id = claim_transitions.id"
        )
        op.alter_column("claim_transitions", "number", nullable=False)
        op.drop_constraint("uq_claim_transitions_claim_to", "claim_transitions")
        op.create_unique_constraint("uq_claim_transitions_claim_number", "claim_transitions", ["claim_id", "number"])
    op.create_index(
        "uq_claim_transitions_payout",
        "claim_transitions",
        ["claim_id", "payout_round"],
        unique=True,
        sqlite_where=sa.text("to_status = 'Paid'"),
        postgresql_where=sa.text("to_status = 'Paid'"),
    )


def _widen_claims(is_sqlite: bool) -> None:
    op.add_column("claims", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("claims", sa.Column("payout_round", sa.Integer, nullable=False, server_default="0"))
    op.add_column("claims", sa.Column("moved_at", Moment))
    op.execute(
        "UPDATE claims SET version = moves.number, moved_at = moves.moved_at FROM (SELECT claim_id, "
        "max(number) AS number, max(moved_at) AS moved_at FROM claim_transitions GROUP BY claim_id) AS moves "
        "WHERE moves.claim_id = claims.id"
    )
    op.create_index("ix_claims_moved", "claims", ["status", "moved_at", "id"])
    if is_sqlite:
        _rewrite_check_on_sqlite()
    else:
        op.drop_constraint(op.f("ck_claims_status_is_known"), "claims")
        op.create_check_constraint(op.f("ck_claims_status_is_known"), "claims", NEW_STATUSES)


def _rewrite_check_on_sqlite() -> None:
    """Only the words change and no row does: rebuilding a table that others refer to is the riskier way."""
    connection = op.get_bind()
    before = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    changed = connection.exec_driver_sql(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'claims' "
        "AND instr(sql, ?) > 0",
        (OLD_STATUSES, NEW_STATUSES, OLD_STATUSES),
    )
    if changed.rowcount != 1:
        raise RuntimeError("The table of claims is not as an earlier migration left it.")
    connection.exec_driver_sql(f"PRAGMA schema_version = {before + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")


def _make_references(is_sqlite: bool) -> None:
    op.create_table(
        "payout_references",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("claim_id", sa.String(24), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("reference", sa.String(40), nullable=False),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_payout_references"),
        sa.ForeignKeyConstraint(["claim_id"], ["claims.id"], name="fk_payout_references_claim_id"),
        sa.UniqueConstraint("reference", name="uq_payout_references_reference"),
    )
    op.create_index("ix_payout_references_claim", "payout_references", ["claim_id", "number"])
    if is_sqlite:
        op.execute(
            "CREATE VIRTUAL TABLE payout_references_search "
            "USING fts5(id UNINDEXED, words, detail = 'none', tokenize = 'trigram')"
        )
        op.execute(
            "CREATE TRIGGER payout_references_search_insert AFTER INSERT ON payout_references BEGIN "
            "INSERT INTO payout_references_search (id, words) VALUES (new.id, new.reference); END"
        )
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER payout_references_keeps_{change.lower()} BEFORE {change} ON payout_references "
                "BEGIN SELECT RAISE(ABORT, 'a payout reference is never altered'); END"
            )
    else:
        op.execute("CREATE INDEX ix_payout_references_search ON payout_references USING gin (reference gin_trgm_ops)")


def _make_move_keys() -> None:
    op.create_table(
        "move_keys",
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("asked_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("claim_id", sa.String(24), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("actor", "key", name="pk_move_keys"),
        sa.ForeignKeyConstraint(["claim_id"], ["claims.id"], name="fk_move_keys_claim_id"),
    )
    op.create_index("ix_move_keys_created_at", "move_keys", ["created_at"])


def _make_policy() -> None:
    op.create_table(
        "policy_rules",
        sa.Column("rule", sa.String(40), nullable=False),
        sa.Column("setting", sa.String(40), nullable=False),
        sa.Column("set_by", sa.String(200), nullable=False),
        sa.Column("set_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("rule", name="pk_policy_rules"),
    )


def _make_batches() -> None:
    op.create_table(
        "batches",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("target", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(500)),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("confirmed_at", Moment),
        sa.Column("ended_at", Moment),
        sa.Column("retry_of", sa.String(24)),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_batches_admin_id"),
        sa.ForeignKeyConstraint(["retry_of"], ["batches.id"], name="fk_batches_retry_of"),
    )
    op.create_index("ix_batches_of_admin", "batches", ["admin_id", "created_at"])
    op.create_table(
        "batch_rows",
        sa.Column("batch_id", sa.String(24), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("claim_id", sa.String(24), nullable=False),
        # The version when planned; a claim that has another version when its turn comes is skipped.
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("amount_paise", sa.BigInteger, nullable=False),
        # NULL while the row waits for its turn.
        sa.Column("outcome", sa.String(20)),
        sa.Column("why", sa.String(500)),
        sa.Column("ended_at", Moment),
        sa.PrimaryKeyConstraint("batch_id", "place", name="pk_batch_rows"),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_batch_rows_batch_id"),
        sa.ForeignKeyConstraint(["claim_id"], ["claims.id"], name="fk_batch_rows_claim_id"),
        sa.UniqueConstraint("batch_id", "claim_id", name="uq_batch_rows_batch_claim"),
    )


def _make_notes() -> None:
    op.create_table(
        "client_notes",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("text", sa.String(2000), nullable=False),
        sa.Column("written_by", sa.String(200), nullable=False),
        sa.Column("written_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_client_notes"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_client_notes_user_id"),
    )
    op.create_index("ix_client_notes_user", "client_notes", ["user_id", "id"])


def _make_open_claims() -> None:
    op.create_table(
        "open_claims",
        sa.Column("tab", sa.String(40), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("claim_id", sa.String(24), nullable=False),
        sa.Column("opened_at", Moment, nullable=False),
        sa.Column("seen_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tab", name="pk_open_claims"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_open_claims_admin_id"),
    )
    op.create_index("ix_open_claims_seen_at", "open_claims", ["seen_at"])
