"""A purchase can have a payment proof: the picture that the client sent to the service. It is never altered."""

import sqlalchemy as sa
from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"

REFUSED = "a payment proof is never altered"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    moment = sa.String(24) if is_sqlite else sa.DateTime(timezone=True)
    op.create_table(
        "purchase_proofs",
        sa.Column("purchase_id", sa.String(24), nullable=False),
        sa.Column("received_at", moment, nullable=False),
        sa.Column("received_by", sa.String(200), nullable=False),
        sa.Column("received_sha256", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("purchase_id", name="pk_purchase_proofs"),
        sa.ForeignKeyConstraint(["purchase_id"], ["purchases.id"], name="fk_purchase_proofs_purchase_id"),
    )
    if is_sqlite:
        _keep_on_sqlite()
    else:
        _keep_on_postgres()


def _keep_on_sqlite() -> None:
    """As migrations 0005 and 0008 do it for the pictures of QR codes."""
    refused = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER purchase_proofs_keeps_{change.lower()} BEFORE {change} ON purchase_proofs {refused}"
        )
    # REPLACE deletes rows and fires no trigger for it.
    op.execute(
        "CREATE TRIGGER purchase_proofs_looks_first BEFORE INSERT ON purchase_proofs BEGIN "
        "DELETE FROM rows_in_the_way; INSERT INTO rows_in_the_way SELECT 1 WHERE EXISTS "
        "(SELECT 1 FROM purchase_proofs WHERE purchase_id = new.purchase_id) OR EXISTS "
        "(SELECT 1 FROM purchase_proofs WHERE rowid = new.rowid); END"
    )
    op.execute(
        "CREATE TRIGGER purchase_proofs_is_not_replaced AFTER INSERT ON purchase_proofs "
        f"WHEN EXISTS (SELECT 1 FROM rows_in_the_way) {refused}"
    )


def _keep_on_postgres() -> None:
    # It is compressed already.
    op.execute("ALTER TABLE purchase_proofs ALTER content SET STORAGE EXTERNAL")
    op.execute(
        "CREATE FUNCTION refuse_purchase_proofs_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER purchase_proofs_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON purchase_proofs "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_purchase_proofs_change()"
    )
