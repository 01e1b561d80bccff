"""The first desk: users, purchases, claims, QR codes, admins with their sessions, and the audit log."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0001"
down_revision: str | None = None


def upgrade() -> None:
    _make_admins()
    _make_audit_log()
    _make_desk()
    _make_qr()


def _make_admins() -> None:
    op.create_table(
        "admins",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("username", sa.String(100), nullable=False),
        sa.Column("username_key", sa.String(200), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("disabled_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_admins"),
        sa.UniqueConstraint("username_key", name="uq_admins_username_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("last_seen_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("ended_at", Moment),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_sessions_admin_id"),
    )
    op.create_index("ix_sessions_admin_id", "sessions", ["admin_id"])
    op.create_table(
        "known_devices",
        sa.Column("mark_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("mark_hash", name="pk_known_devices"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_known_devices_admin_id"),
    )
    op.create_index("ix_known_devices_admin_id", "known_devices", ["admin_id"])
    op.create_table(
        "login_buckets",
        sa.Column("key", sa.String(250), nullable=False),
        sa.Column("drained_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_login_buckets"),
    )


def _make_audit_log() -> None:
    op.create_table(
        "audit_log",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("address", sa.String(45)),
        sa.Column("verb", sa.String(40), nullable=False),
        sa.Column("subject_id", sa.String(64), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True)),
        sa.Column("after", sa.JSON(none_as_null=True)),
        sa.PrimaryKeyConstraint("seq", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_subject_id", "audit_log", ["subject_id"])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_log_keeps_{change.lower()} BEFORE {change} ON audit_log "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is never altered'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the audit log is never altered'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_log_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()"
        )


def _make_desk() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("username", sa.String(100), nullable=False),
        sa.Column("mobile", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_index("ix_users_newest", "users", ["created_at", "id"])
    op.create_table(
        "purchases",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("invest_paise", sa.BigInteger, nullable=False),
        sa.Column("daily_income_paise", sa.BigInteger, nullable=False),
        sa.Column("upi_id", sa.String(100), nullable=False),
        sa.Column("claim_type", sa.String(40), nullable=False),
        sa.Column("qr_name", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_purchases"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_purchases_user_id"),
        sa.CheckConstraint("invest_paise BETWEEN 0 AND 999999999999999", name=op.f("ck_purchases_invest_is_exact")),
        sa.CheckConstraint(
            "daily_income_paise BETWEEN 0 AND 999999999999999", name=op.f("ck_purchases_daily_income_is_exact")
        ),
    )
    op.create_index("ix_purchases_newest", "purchases", ["created_at", "id"])
    op.create_index("ix_purchases_user_id", "purchases", ["user_id"])
    op.create_table(
        "claims",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("purchase_id", sa.String(24), nullable=False),
        sa.Column("amount_paise", sa.BigInteger, nullable=False),
        sa.Column("account_no", sa.String(40), nullable=False),
        sa.Column("ifsc", sa.String(20), nullable=False),
        sa.Column("address", sa.String(300), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_claims"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_claims_user_id"),
        sa.ForeignKeyConstraint(["purchase_id"], ["purchases.id"], name="fk_claims_purchase_id"),
        sa.CheckConstraint("amount_paise BETWEEN 0 AND 999999999999999", name=op.f("ck_claims_amount_is_exact")),
        sa.CheckConstraint("status IN ('Pending', 'Accepted', 'Paid')", name=op.f("ck_claims_status_is_known")),
    )
    op.create_index("ix_claims_newest", "claims", ["created_at", "id"])
    op.create_index("ix_claims_user_id", "claims", ["user_id"])
    op.create_index("ix_claims_purchase_id", "claims", ["purchase_id"])
    op.create_table(
        "claim_transitions",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("claim_id", sa.String(24), nullable=False),
        sa.Column("from_status", sa.String(20), nullable=False),
        sa.Column("to_status", sa.String(20), nullable=False),
        sa.Column("moved_by", sa.String(200), nullable=False),
        sa.Column("moved_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_claim_transitions"),
        sa.ForeignKeyConstraint(["claim_id"], ["claims.id"], name="fk_claim_transitions_claim_id"),
        sa.UniqueConstraint("claim_id", "to_status", name="uq_claim_transitions_claim_to"),
    )


def _make_qr() -> None:
    op.create_table(
        "qr_images",
        sa.Column("key", sa.String(43), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_qr_images"),
    )
    op.create_table(
        "qr_codes",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("upi_id", sa.String(320), nullable=False),
        sa.Column("image_key", sa.String(43), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("deleted_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_qr_codes"),
        sa.ForeignKeyConstraint(["image_key"], ["qr_images.key"], name="fk_qr_codes_image_key"),
        sa.UniqueConstraint("image_key", name="uq_qr_codes_image_key"),
        sa.CheckConstraint("status IN ('display', 'hide')", name=op.f("ck_qr_codes_status_is_known")),
        sa.CheckConstraint("deleted_at IS NULL OR status = 'hide'", name=op.f("ck_qr_codes_deleted_is_hidden")),
    )
    op.create_index("ix_qr_codes_newest", "qr_codes", ["created_at", "id"])
