"""Moments to the microsecond, history that cannot be altered, tallies that stay quick in large transactions."""

import time

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"

# (table, column): other programs write these, each with its own clock and format.
MOMENTS = (("users", "created_at"), ("purchases", "created_at"), ("claims", "created_at"), ("claims", "moved_at"))
FIRST, LAST = "0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"
POSSIBLE = "created_at >= '0001-01-01 00:00:00Z' AND created_at < '10000-01-01 00:00:00Z'"
# SQLite itself accepts any value in any column.
TEXTS = {
    "users": {"id": 24, "username": 100, "mobile": 20},
    "purchases": {"id": 24, "user_id": 24, "upi_id": 100, "claim_type": 40, "qr_name": 80},
    "claims": {"id": 24, "user_id": 24, "purchase_id": 24, "account_no": 40, "ifsc": 20, "address": 300},
}
AMOUNTS = {"users": (), "purchases": ("invest_paise", "daily_income_paise"), "claims": ("amount_paise",)}

APPEND_ONLY = (
    ("audit_log", "the audit log is"),
    ("qr_images", "the picture of a code is"),
    ("claim_transitions", "the history of a claim is"),
    ("payout_references", "a payout reference is"),
    ("client_notes", "a note about a client is"),
)
DISPLAYS = "when a code was on display is never altered"
DISPLAY_FACTS = ("id", "qr_id", "name", "shown_at")

# Keys by which REPLACE would overwrite a row without firing a trigger: the primary key, or any other unique key.
UNIQUE = {
    "audit_log": ("seq = new.seq",),
    "qr_images": ("key = new.key",),
    "qr_codes": ("id = new.id", "image_key = new.image_key"),
    "qr_displays": ("id = new.id", "new.hidden_at IS NULL AND hidden_at IS NULL AND qr_id = new.qr_id"),
    "claim_transitions": (
        "id = new.id",
        "claim_id = new.claim_id AND number = new.number",
        "new.to_status = 'Paid' AND to_status = 'Paid' AND claim_id = new.claim_id AND payout_round = new.payout_round",
    ),
    "payout_references": ("id = new.id", "reference = new.reference"),
    **dict.fromkeys(("client_notes", "users", "purchases", "claims"), ("id = new.id",)),
}
TALLIED: tuple[tuple[str, str, str | None, tuple[str, ...]], ...] = (
    ("claim_tallies", "claims", "status", ("amount_paise",)),
    ("purchase_tallies", "purchases", None, ("invest_paise", "daily_income_paise")),
    ("user_tallies", "users", None, ()),
)
# Up to this many statements of one transaction update the tallies directly; a batch of moves has fewer.
RAISED_AT_ONCE = 100


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rewrite_moments_on_sqlite()
        _keep_moments_on_sqlite()
        _keep_types_on_sqlite()
        _seal_history_on_sqlite()
        _refuse_replacing_on_sqlite()
    else:
        _keep_moments_on_postgres()
        _seal_history_on_postgres()
        _number_the_log_on_postgres()
        for tallies, _table, group, sums in TALLIED:
            _keep_tallies_on_postgres(tallies, group, sums)
    _remember_when_guesses_were_counted()


def _run(sql: str) -> None:
    op.get_bind().exec_driver_sql(sql)


def _stamp(moment: str) -> str:
    """Any time that SQLite understands, in UTC and to the microsecond; NULL for what is no time.

    strftime() rounds to the millisecond, so the fraction is kept apart. It also takes the 30th of February.
    """
    second = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]:[0-9][0-9]"
    behind = f"substr({moment}, 21)"
    zone = f"ltrim({behind}, '0123456789')"
    digits = f"substr({behind}, 1, length({behind}) - length({zone}))"
    form = "'%Y-%m-%dT%H:%M:%S'"
    return (
        f"(CASE WHEN date(substr({moment}, 1, 10), '+0 days') IS NOT substr({moment}, 1, 10) THEN NULL "
        f"WHEN substr({moment}, 12, 2) > '23' THEN NULL "
        f"WHEN {moment} GLOB '{second}.[0-9]*' "
        f"THEN nullif(max('0001', strftime({form}, substr({moment}, 1, 19) || {zone}) || '.' "
        f"|| substr({digits} || '000000', 1, 6) || 'Z'), '0001') "
        f"ELSE nullif(max('0001', strftime({form}, {moment}) || '.000000Z'), '0001') END)"
    )


def _rewrite_moments_on_sqlite() -> None:
    """What is there has milliseconds, or whatever another program wrote. Where the day changes, the tallies follow."""
    for tallies, table, _group, _sums in TALLIED:
        created_at = f"coalesce({_stamp('created_at')}, '{FIRST}')"
        is_another_day = f"substr({created_at}, 1, 10) IS NOT substr(created_at, 1, 10)"
        _run(f"UPDATE {table} SET created_at = {created_at} WHERE {is_another_day}")
        trigger = f"{tallies}_update"
        kept = op.get_bind().exec_driver_sql(f"SELECT sql FROM sqlite_schema WHERE name = '{trigger}'").scalar_one()
        # For all other rows it would only subtract from a day and add to the same day, a million times.
        _run(f"DROP TRIGGER {trigger}")
        moved_at = f", moved_at = {_stamp('moved_at')}" if table == "claims" else ""
        _run(f"UPDATE {table} SET created_at = {created_at}{moved_at}")
        _run(kept)


def _keep_moments_on_sqlite() -> None:
    """As PostgreSQL does, SQLite takes a time in any format it knows and keeps it in one, whose text order is time."""
    for table, column in MOMENTS:
        new = f"new.{column}"
        body = (
            f"WHEN {new} IS NOT {_stamp(new)} BEGIN "
            f"SELECT RAISE(ABORT, '{column} must be a time like 2026-11-15T02:52:36Z') WHERE {_stamp(new)} IS NULL; "
            f"UPDATE {table} SET {column} = {_stamp(new)} WHERE id = new.id; END"
        )
        _run(f"CREATE TRIGGER {table}_{column}_insert AFTER INSERT ON {table} {body}")
        _run(f"CREATE TRIGGER {table}_{column}_update AFTER UPDATE OF {column} ON {table} {body}")


def _keep_types_on_sqlite() -> None:
    for table, texts in TEXTS.items():
        refusals = []
        for column, longest in texts.items():
            is_text = f"typeof(new.{column}) IN ('text', 'null') AND NOT coalesce(instr(new.{column}, char(0)), 0)"
            refusals += [
                f"WHEN NOT ({is_text}) THEN RAISE(ABORT, '{column} must be text without NUL')",
                f"WHEN length(new.{column}) > {longest} THEN "
                f"RAISE(ABORT, '{column} is too long: {longest} characters at most')",
            ]
        refusals += [
            # The constraints of the first migration refuse text and values out of range.
            f"WHEN typeof(new.{column}) = 'real' THEN RAISE(ABORT, '{column} must be whole paise')"
            for column in AMOUNTS[table]
        ]
        body = f"BEGIN SELECT CASE {' '.join(refusals)} END; END"
        columns = ", ".join((*texts, *AMOUNTS[table]))
        _run(f"CREATE TRIGGER {table}_types_insert BEFORE INSERT ON {table} {body}")
        _run(f"CREATE TRIGGER {table}_types_update BEFORE UPDATE OF {columns} ON {table} {body}")


def _seal_history_on_sqlite() -> None:
    for table, called in APPEND_ONLY:
        for change in ("UPDATE", "DELETE"):
            _run(
                f"CREATE TRIGGER IF NOT EXISTS {table}_keeps_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{called} never altered'); END"
            )
    refused = f"BEGIN SELECT RAISE(ABORT, '{DISPLAYS}'); END"
    changed = " OR ".join(f"old.{name} IS NOT new.{name}" for name in DISPLAY_FACTS)
    _run(f"CREATE TRIGGER qr_displays_keeps_delete BEFORE DELETE ON qr_displays {refused}")
    _run(
        "CREATE TRIGGER qr_displays_keeps_update BEFORE UPDATE ON qr_displays "
        f"WHEN {changed} OR old.hidden_at IS NOT NULL OR new.hidden_at IS NULL {refused}"
    )
    # Only the number that SQLite assigns itself: nothing can be inserted in between, and nothing skipped.
    _run(
        "CREATE TRIGGER audit_log_in_order AFTER INSERT ON audit_log WHEN new.seq <> 1 + coalesce("
        "(SELECT seq FROM audit_log WHERE seq <> new.seq ORDER BY seq DESC LIMIT 1), 0) "
        "BEGIN SELECT RAISE(ABORT, 'the audit log is never altered, and numbers its rows itself'); END"
    )


def _refuse_replacing_on_sqlite() -> None:
    """REPLACE deletes rows and fires no trigger for it. Refused after the insert, so that ON CONFLICT still works."""
    _run("CREATE TABLE rows_in_the_way (is_one INTEGER)")
    for table, keys in UNIQUE.items():
        # Also by SQLite's rowid, which is -1 before an insert that does not name it.
        own = () if table == "audit_log" else ("rowid = new.rowid",)
        found = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in (*keys, *own))
        _run(
            f"CREATE TRIGGER {table}_looks_first BEFORE INSERT ON {table} BEGIN DELETE FROM rows_in_the_way; "
            f"INSERT INTO rows_in_the_way SELECT 1 WHERE {found}; END"
        )
        refused = f"BEGIN SELECT RAISE(ABORT, 'a row of {table} is never altered by replacing it'); END"
        _run(
            f"CREATE TRIGGER {table}_is_not_replaced AFTER INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM rows_in_the_way) {refused}"
        )
        if keys[0] == "id = new.id":
            _run(
                f"CREATE TRIGGER {table}_id_is_not_replaced BEFORE UPDATE OF id ON {table} WHEN old.id IS NOT new.id "
                f"AND EXISTS (SELECT 1 FROM {table} WHERE id = new.id) {refused}"
            )


def _keep_moments_on_postgres() -> None:
    """Refused where the day for the tallies is computed: a constraint or a trigger of its own would slow every move."""
    for _tallies, table, _group, _sums in TALLIED:
        op.execute(
            f"UPDATE {table} SET created_at = least(greatest(created_at, '{FIRST}'), '{LAST}') WHERE NOT ({POSSIBLE})"
        )
    op.execute(
        "CREATE FUNCTION refuse_created_at() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
        "'created_at must be a time between the years 1 and 9999' USING ERRCODE = 'check_violation'; END $$"
    )


def _seal_history_on_postgres() -> None:
    for table, called in (*APPEND_ONLY[2:], ("qr_displays", DISPLAYS.removesuffix(" never altered"))):
        name = f"refuse_{table}_change"
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{called} never altered'; END $$"
        )
        changes = "DELETE OR TRUNCATE" if table == "qr_displays" else "UPDATE OR DELETE OR TRUNCATE"
        op.execute(
            f"CREATE TRIGGER {table}_keeps BEFORE {changes} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )
    changed = " OR ".join(f"old.{name} IS DISTINCT FROM new.{name}" for name in DISPLAY_FACTS)
    op.execute(
        "CREATE TRIGGER qr_displays_keeps_facts BEFORE UPDATE ON qr_displays FOR EACH ROW "
        f"WHEN ({changed} OR old.hidden_at IS NOT NULL OR new.hidden_at IS NULL) "
        "EXECUTE FUNCTION refuse_qr_displays_change()"
    )


def _number_the_log_on_postgres() -> None:
    """By the database alone; the numbers go on where they were."""
    connection = op.get_bind()
    sequence = connection.execute(sa.text("SELECT pg_get_serial_sequence('audit_log', 'seq')")).scalar_one()
    last, is_called = connection.execute(sa.text(f"SELECT last_value, is_called FROM {sequence}")).one()
    op.execute(f"ALTER TABLE audit_log ALTER COLUMN seq DROP DEFAULT; DROP SEQUENCE {sequence}")
    op.execute("ALTER TABLE audit_log ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY")
    following = sa.text("SELECT setval(pg_get_serial_sequence('audit_log', 'seq'), :last, :is_called)")
    connection.execute(following, {"last": last, "is_called": is_called})
    # OVERRIDING SYSTEM VALUE does not advance the sequence.
    op.execute(
        "CREATE TRIGGER audit_log_in_order BEFORE INSERT ON audit_log FOR EACH ROW "
        "WHEN (new.seq IS DISTINCT FROM lastval()) EXECUTE FUNCTION refuse_audit_change()"
    )


def _keep_tallies_on_postgres(tallies: str, group: str | None, sums: tuple[str, ...]) -> None:
    """A transaction of many statements collects its changes and counts them at its end.

    PostgreSQL walks through every version of a row at its next change: n statements would cost n * n.
    """
    keys = ", ".join(("day", *([group] if group else [])))
    columns = ", ".join((keys, "entries", *sums))
    changes, fold = f"{tallies}_unfolded", f"{tallies}_fold"
    raised = ", ".join(f"{name} = {tallies}.{name} + excluded.{name}" for name in ("entries", *sums))
    on_conflict = f"ON CONFLICT ({keys}) DO UPDATE SET {raised}"
    # They never contain committed rows, so nothing has to survive a crash.
    op.execute(f"CREATE UNLOGGED TABLE {changes} AS SELECT {columns} FROM {tallies} WITH NO DATA")
    op.execute(f"CREATE UNLOGGED TABLE {fold} (is_due boolean NOT NULL)")
    counter = f"'countinghouse.{tallies}'"
    folded = ", ".join(f"sum({name})" for name in ("entries", *sums))
    op.execute(
        f"CREATE FUNCTION {fold}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"PERFORM set_config({counter}, '0', true); DELETE FROM {fold}; "
        f"WITH gone AS (DELETE FROM {changes} RETURNING {columns}) INSERT INTO {tallies} ({columns}) "
        f"SELECT {keys}, {folded} FROM gone GROUP BY {keys} ORDER BY {keys} {on_conflict}; RETURN NULL; END $$"
    )
    op.execute(
        f"CREATE CONSTRAINT TRIGGER {fold}_at_the_end AFTER INSERT ON {fold} DEFERRABLE INITIALLY DEFERRED "
        f"FOR EACH ROW EXECUTE FUNCTION {fold}()"
    )
    counted = ", ".join(("sum(sign)", *(f"sum(sign * {name})" for name in sums)))
    is_changed = " OR ".join(f"sum(sign * {name}) <> 0" for name in ("1", *sums))
    picked = ", ".join(("created_at", *([group] if group else []), *sums))
    sources = {
        "insert": f"SELECT 1 AS sign, {picked} FROM new_rows",
        "update": f"SELECT -1 AS sign, {picked} FROM old_rows UNION ALL SELECT 1, {picked} FROM new_rows",
        "delete": f"SELECT -1 AS sign, {picked} FROM old_rows",
    }
    # A move is a whole transaction and need not be counted. Many statements sent as one are noticed a little later.
    is_one_of_many = f"now() <> statement_timestamp() OR pg_stat_get_xact_tuples_updated('{tallies}'::regclass) > 5000"
    day = f"CASE WHEN {POSSIBLE} THEN to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE refuse_created_at() END"
    for change, source in sources.items():
        summed = (
            f"({columns}) SELECT {keys}, {counted} FROM ({source}) AS changes, "
            f"LATERAL (VALUES (''), ({day})) AS days (day) "
            f"GROUP BY {keys} HAVING {is_changed} ORDER BY {keys}"
        )
        op.execute(
            f"CREATE OR REPLACE FUNCTION {tallies}_{change}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"DECLARE before integer := coalesce(nullif(current_setting({counter}, true), ''), '0'); "
            f"after text; BEGIN IF before > 0 OR {is_one_of_many} THEN "
            f"after := set_config({counter}, (before + 1)::text, true); END IF; "
            f"IF before < {RAISED_AT_ONCE} THEN INSERT INTO {tallies} {summed} {on_conflict}; "
            f"ELSE INSERT INTO {changes} {summed}; "
            # Last, because with constraints set to immediate it is folded at once.
            f"IF before = {RAISED_AT_ONCE} THEN INSERT INTO {fold} VALUES (true); END IF; END IF; "
            "RETURN NULL; END $$"
        )


def _remember_when_guesses_were_counted() -> None:
    at = int(time.time() * 1000)
    # No bucket is fuller than this; one that seems so was counted by a clock that was ahead.
    fullest = at + 2 * 3600 * 1000
    op.add_column("login_buckets", sa.Column("counted_at_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(
        f"UPDATE login_buckets SET counted_at_ms = {at}, "
        f"drained_at_ms = CASE WHEN drained_at_ms > {fullest} THEN {fullest} ELSE drained_at_ms END"
    )
