"""Seals of the audit log, and the indexes of its list. The server seals the rows that are there; nothing is altered."""

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"

REFUSED = "the seals of the audit log are never altered"
INDEXES = {
    "newest": (),
    "actor": ("actor",),
    "verb": ("verb",),
    "actor_verb": ("actor", "verb"),
    "subject": ("subject_id",),
}


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "audit_seals",
        sa.Column("position", number, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.UniqueConstraint("seq", name="uq_audit_seals_seq"),
    )
    op.create_table(
        "audit_gaps",
        sa.Column("seq", number, primary_key=True, autoincrement=False),
        sa.Column("seen_at", sa.String(24) if is_sqlite else sa.DateTime(timezone=True), nullable=False),
    )
    for name, columns in INDEXES.items():
        op.create_index(f"ix_audit_log_{name}", "audit_log", [*columns, "at", "seq"])
    op.drop_index("ix_audit_log_subject_id", "audit_log")
    # The names that lists have for the number and the time of a row.
    op.execute(
        "CREATE VIEW audit_entries AS SELECT seq AS id, at AS created_at, actor, address, verb, subject_id, "
        "before, after FROM audit_log"
    )
    if is_sqlite:
        _keep_seals_on_sqlite()
    else:
        _keep_seals_on_postgres()


def _keep_seals_on_sqlite() -> None:
    refused = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_seals_keeps_{change.lower()} BEFORE {change} ON audit_seals FOR EACH ROW {refused}"
        )
    # REPLACE fires no trigger for the row that it deletes.
    op.execute(
        "CREATE TRIGGER audit_seals_in_order BEFORE INSERT ON audit_seals "
        "WHEN new.position IS NOT 1 + coalesce((SELECT max(position) FROM audit_seals), 0) "
        f"OR EXISTS (SELECT 1 FROM audit_seals WHERE seq = new.seq) {refused}"
    )


def _keep_seals_on_postgres() -> None:
    op.execute(
        "CREATE FUNCTION refuse_audit_seals_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_seals_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_seals_change()"
    )
