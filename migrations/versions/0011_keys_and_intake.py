"""API keys, the service's own ids for its rows, and the stored answers of its calls."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0011"
down_revision: str | None = "0010"

LONGEST_EXTERNAL_ID = 200
# As in migration 0008; the external id is new.
TEXTS = {
    "users": {"id": 24, "username": 100, "mobile": 20},
    "purchases": {"id": 24, "user_id": 24, "upi_id": 100, "claim_type": 40, "qr_name": 80},
    "claims": {"id": 24, "user_id": 24, "purchase_id": 24, "account_no": 40, "ifsc": 20, "address": 300},
}
AMOUNTS = {"users": (), "purchases": ("invest_paise", "daily_income_paise"), "claims": ("amount_paise",)}
PAID_ACCOUNT = "the account of a paid claim is never altered"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    _make_keys()
    _make_answers()
    op.add_column("users", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    for table in TEXTS:
        op.add_column(table, sa.Column("external_id", sa.String(LONGEST_EXTERNAL_ID)))
        op.create_index(
            f"uq_{table}_external_id",
            table,
            ["external_id"],
            unique=True,
            sqlite_where=sa.text("external_id IS NOT NULL"),
            postgresql_where=sa.text("external_id IS NOT NULL"),
        )
        if is_sqlite:
            _keep_types_on_sqlite(table)
            _refuse_replacing_on_sqlite(table)
    _seal_paid_accounts(is_sqlite)


def _run(sql: str) -> None:
    op.get_bind().exec_driver_sql(sql)


def _make_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("name_key", sa.String(200), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("prefix", sa.String(20), nullable=False),
        sa.Column("scopes", sa.String(200), nullable=False),
        sa.Column("networks", sa.String(2000), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("created_by", sa.String(200), nullable=False),
        sa.Column("expires_at", Moment),
        sa.Column("last_used_at", Moment),
        sa.Column("revoked_at", Moment),
        sa.Column("revoked_by", sa.String(200)),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("name_key", name="uq_api_keys_name_key"),
        sa.UniqueConstraint("key_hash", name="uq_api_keys_key_hash"),
    )


def _make_answers() -> None:
    op.create_table(
        "intake_answers",
        sa.Column("key_id", sa.String(24), nullable=False),
        sa.Column("idempotency_key", sa.String(200), nullable=False),
        sa.Column("asked_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("key_id", "idempotency_key", name="pk_intake_answers"),
        sa.ForeignKeyConstraint(["key_id"], ["api_keys.id"], name="fk_intake_answers_key_id"),
    )
    op.create_index("ix_intake_answers_created_at", "intake_answers", ["created_at"])
    op.create_index("ix_intake_answers_of_key", "intake_answers", ["key_id", "created_at"])


def _keep_types_on_sqlite(table: str) -> None:
    texts = TEXTS[table] | {"external_id": LONGEST_EXTERNAL_ID}
    refusals = []
    for column, longest in texts.items():
        is_text = f"typeof(new.{column}) IN ('text', 'null') AND NOT coalesce(instr(new.{column}, char(0)), 0)"
        refusals += [
            f"WHEN NOT ({is_text}) THEN RAISE(ABORT, '{column} must be text without NUL')",
            f"WHEN length(new.{column}) > {longest} THEN "
            f"RAISE(ABORT, '{column} is too long: {longest} characters at most')",
        ]
    refusals += [
        f"WHEN typeof(new.{column}) = 'real' THEN RAISE(ABORT, '{column} must be whole paise')"
        for column in AMOUNTS[table]
    ]
    body = f"BEGIN SELECT CASE {' '.join(refusals)} END; END"
    columns = ", ".join((*texts, *AMOUNTS[table]))
    _run(f"DROP TRIGGER {table}_types_insert")
    _run(f"DROP TRIGGER {table}_types_update")
    _run(f"CREATE TRIGGER {table}_types_insert BEFORE INSERT ON {table} {body}")
    _run(f"CREATE TRIGGER {table}_types_update BEFORE UPDATE OF {columns} ON {table} {body}")


def _refuse_replacing_on_sqlite(table: str) -> None:
    """REPLACE overwrites a row by any of its unique keys without firing a trigger; the external id is one more."""
    keys = ("id = new.id", "external_id = new.external_id", "rowid = new.rowid")
    found = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in keys)
    _run(f"DROP TRIGGER {table}_looks_first")
    _run(
        f"CREATE TRIGGER {table}_looks_first BEFORE INSERT ON {table} BEGIN DELETE FROM rows_in_the_way; "
        f"INSERT INTO rows_in_the_way SELECT 1 WHERE {found}; END"
    )
    _run(
        f"CREATE TRIGGER {table}_external_id_is_not_replaced BEFORE UPDATE OF external_id ON {table} "
        "WHEN old.external_id IS NOT new.external_id "
        f"AND EXISTS (SELECT 1 FROM {table} WHERE external_id = new.external_id) "
        f"BEGIN SELECT RAISE(ABORT, 'a row of {table} is never altered by replacing it'); END"
    )


def _seal_paid_accounts(is_sqlite: bool) -> None:
    """Only for statements that name these columns, so that a move costs the same as before."""
    if is_sqlite:
        _run(
            "CREATE TRIGGER claims_keep_paid_account BEFORE UPDATE OF account_no, ifsc ON claims "
            "WHEN old.status = 'Paid' AND (old.account_no IS NOT new.account_no OR old.ifsc IS NOT new.ifsc) "
            f"BEGIN SELECT RAISE(ABORT, '{PAID_ACCOUNT}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION refuse_paid_account_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{PAID_ACCOUNT}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER claims_keep_paid_account BEFORE UPDATE OF account_no, ifsc ON claims FOR EACH ROW "
        "WHEN (old.status = 'Paid' AND (old.account_no IS DISTINCT FROM new.account_no "
        "OR old.ifsc IS DISTINCT FROM new.ifsc)) EXECUTE FUNCTION refuse_paid_account_change()"
    )
