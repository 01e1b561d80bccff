"""Counts and sums per day of the desk's time zone, for Home: what was requested, moved, paid and bought.

Triggers append each change to `day_changes`, and a running server folds those into `day_tallies`. Appending makes no
writer wait for another, and costs the same in a transaction of any length.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0022"
down_revision: str | None = "0021"

KEYS, SUMS = (("kind", 20), ("day", 20), ("name", 200)), ("entries", "amount_paise")
INTO = "INSERT INTO day_changes (day, kind, name, entries, amount_paise)"
FIRST = "0001-01-01T00:00:00.000000Z"
# India, which has no daylight saving time. `serve` counts everything again if the setting names another zone.
ZONE, SECONDS = "Asia/Kolkata", 19800
OFFSET = "(SELECT seconds FROM desk_zone WHERE since_at <= {0} ORDER BY since_at DESC LIMIT 1)"
LATER = (
    "EXISTS (SELECT 1 FROM claim_transitions later WHERE later.claim_id = moved.claim_id "
    "AND later.to_status = moved.to_status AND later.number > moved.number)"
)
# What a change of a claim or a purchase counts as: (table, kind, name, amount).
COUNTED = (("claims", "requested", "status", "amount_paise"), ("purchases", "bought", "qr_name", "invest_paise"))


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if is_sqlite:
        # 128 MB for this connection: each move looks up its claim, and a million claims do not fit into the default.
        _run("PRAGMA cache_size = -131072")
    _create_tables(is_sqlite)
    _create_counts(is_sqlite)
    # The newest arrivals of claims at a status, also for the list that Home links to.
    op.create_index("ix_claim_transitions_arrived", "claim_transitions", ["to_status", "moved_at", "claim_id"])
    _run("INSERT INTO day_tallies (kind, day, name, entries, amount_paise) SELECT * FROM day_counts")
    if is_sqlite:
        _follow_rows_on_sqlite()
        _follow_moves_on_sqlite()
    else:
        _follow_rows_on_postgres()
        _follow_moves_on_postgres()


def _run(sql: str) -> None:
    op.get_bind().exec_driver_sql(sql)


def _create_tables(is_sqlite: bool) -> None:
    op.create_table(
        "desk_zone",
        sa.Column("since_at", sa.String(24) if is_sqlite else sa.DateTime(timezone=True), primary_key=True),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(100), nullable=False),
    )
    _run(f"INSERT INTO desk_zone (since_at, seconds, zone) VALUES ('{FIRST}', {SECONDS}, '{ZONE}')")
    op.create_table(
        "day_tallies",
        *(sa.Column(name, sa.String(size), primary_key=True) for name, size in KEYS),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in SUMS),
    )
    op.create_table(
        "day_changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Identity(always=True), primary_key=True),
        *(sa.Column(name, sa.String(size), nullable=False) for name, size in KEYS),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in SUMS),
        sqlite_autoincrement=True,
    )


def _day(moment: str, is_sqlite: bool) -> str:
    """Empty for what is no moment: such a row is refused or corrected by other triggers, and then uncounted."""
    offset = OFFSET.format(moment)
    if is_sqlite:
        # Whole seconds: date() rounds, and the last millisecond of a day is not the next day.
        return f"coalesce(date(substr({moment}, 1, 19), {offset} || ' seconds'), '')"
    return f"coalesce(to_char({moment} AT TIME ZONE 'UTC' + make_interval(secs => {offset}), 'YYYY-MM-DD'), '')"


def _waited(since: str, until: str, is_sqlite: bool) -> str:
    """The upper end, in minutes, of the step that a waiting time falls into: 5 minutes, an hour or a day wide."""
    if is_sqlite:
        seconds = [f"coalesce(strftime('%s', substr({moment}, 1, 19)), 0)" for moment in (until, since)]
        minutes = f"(max(0, {seconds[0]} - {seconds[1]}) / 60)"
        text = "TEXT"
    else:
        minutes = f"(greatest(0, extract(epoch FROM {until} - {since}))::bigint / 60)"
        text = "text"
    steps = f"CASE WHEN {minutes} < 60 THEN ({minutes} / 5 + 1) * 5 WHEN {minutes} < 1440"
    return f"CAST({steps} THEN ({minutes} / 60 + 1) * 60 ELSE ({minutes} / 1440 + 1) * 1440 END AS {text})"


def _create_counts(is_sqlite: bool) -> None:
    """A recount of everything: it fills the tallies now, and again when the time zone of the desk changes."""
    # Each kind by itself: one sort of all rows together would take as long as everything else.
    parts = [
        f"SELECT '{kind}' AS kind, {_day('created_at', is_sqlite)} AS day, {name} AS name, count(*) AS entries, "
        f"CAST(sum({amount}) AS bigint) AS amount_paise FROM {table} GROUP BY 2, 3"
        for table, kind, name, amount in COUNTED
    ]
    waited = _waited("claims.created_at", "moved.moved_at", is_sqlite)
    # Both figures of a move in one pass.
    arrived = (
        f"SELECT moved.to_status AS kind, {_day('moved.moved_at', is_sqlite)} AS day, moved.moved_by AS name, "
        f"CASE moved.to_status WHEN 'Paid' THEN {waited} END AS waited, count(*) AS entries, "
        "sum(claims.amount_paise) AS amount_paise FROM claim_transitions moved "
        f"JOIN claims ON claims.id = moved.claim_id WHERE NOT {LATER} GROUP BY 1, 2, 3, 4"
    )
    entries = "CAST(sum(entries) AS bigint)"
    parts.append(
        f"SELECT kind, day, name, {entries}, CAST(sum(amount_paise) AS bigint) FROM arrived GROUP BY kind, day, name"
    )
    parts.append(f"SELECT 'waited', day, waited, {entries}, 0 FROM arrived WHERE kind = 'Paid' GROUP BY day, waited")
    _run(f"CREATE VIEW day_counts AS WITH arrived AS MATERIALIZED ({arrived}) {' UNION ALL '.join(parts)}")


def _follow_rows_on_sqlite() -> None:
    for table, kind, name, amount in COUNTED:

        def count(row: str, sign: str, kind: str = kind, name: str = name, amount: str = amount) -> str:
            day = _day(f"{row}.created_at", is_sqlite=True)
            return f"{INTO} VALUES ({day}, '{kind}', {row}.{name}, {sign}1, {sign}{row}.{amount});"

        columns = ("created_at", name, amount)
        is_changed = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
        for change, steps in (
            ("INSERT", count("new", "+")),
            (f"UPDATE OF {', '.join(columns)}", count("old", "-") + count("new", "+")),
            ("DELETE", count("old", "-")),
        ):
            word = change.split()[0]
            when = f"WHEN {is_changed} " if word == "UPDATE" else ""
            _run(f"CREATE TRIGGER {table}_by_day_{word.lower()} AFTER {change} ON {table} {when}BEGIN {steps} END")


def _follow_moves_on_sqlite() -> None:
    """Each claim counts at its last arrival at a status: the one before is subtracted, the new one is added."""
    of_claim = "FROM claim_transitions WHERE claim_id = new.claim_id AND to_status = new.to_status"
    newest = "ORDER BY number DESC LIMIT 1"
    last = (
        f"(SELECT * FROM (SELECT 1 AS sign, moved_at, moved_by {of_claim} {newest}) UNION ALL "
        f"SELECT * FROM (SELECT -1, moved_at, moved_by {of_claim} AND id <> new.id {newest})) AS moved, claims "
        "WHERE claims.id = new.claim_id"
    )
    day, waited = _day("moved.moved_at", is_sqlite=True), _waited("claims.created_at", "moved.moved_at", is_sqlite=True)
    _run(
        "CREATE TRIGGER claim_transitions_by_day_insert AFTER INSERT ON claim_transitions BEGIN "
        f"{INTO} SELECT {day}, new.to_status, moved.moved_by, moved.sign, moved.sign * claims.amount_paise "
        f"FROM {last}; "
        f"{INTO} SELECT {day}, 'waited', {waited}, moved.sign, 0 FROM {last} AND new.to_status = 'Paid'; END"
    )
    arrived = f"FROM claim_transitions moved WHERE moved.claim_id = new.id AND NOT {LATER}"
    _run(
        "CREATE TRIGGER claims_moves_by_day_update AFTER UPDATE OF amount_paise ON claims "
        "WHEN old.amount_paise IS NOT new.amount_paise BEGIN "
        f"{INTO} SELECT {day}, moved.to_status, moved.moved_by, 0, new.amount_paise - old.amount_paise {arrived}; END"
    )
    steps = " ".join(
        f"{INTO} SELECT {day}, 'waited', {_waited(f'{row}.created_at', 'moved.moved_at', is_sqlite=True)}, {sign}1, 0 "
        f"{arrived} AND moved.to_status = 'Paid';"
        for row, sign in (("old", "-"), ("new", "+"))
    )
    _run(
        "CREATE TRIGGER claims_waited_by_day_update AFTER UPDATE OF created_at ON claims "
        f"WHEN old.created_at IS NOT new.created_at BEGIN {steps} END"
    )


REFERENCING = {
    "insert": "REFERENCING NEW TABLE AS new_rows",
    "update": "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
    "delete": "REFERENCING OLD TABLE AS old_rows",
}


def _trigger_on_postgres(table: str, change: str, body: str) -> None:
    name = f"{table}_by_day_{change}"
    _run(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
    _run(
        f"CREATE TRIGGER {name} AFTER {change.upper()} ON {table} {REFERENCING[change]} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
    )


def _follow_rows_on_postgres() -> None:
    for table, kind, name, amount in COUNTED:
        picked = f"created_at, {name} AS name, {amount} AS amount"
        old, new = (
            f"SELECT {sign} AS sign, {picked} FROM {rows}" for sign, rows in ((-1, "old_rows"), (1, "new_rows"))
        )
        for change, source in (("insert", new), ("update", f"{old} UNION ALL {new}"), ("delete", old)):
            counted = (
                f"{INTO} SELECT {_day('created_at', is_sqlite=False)}, '{kind}', name, sum(sign), sum(sign * amount) "
                f"FROM ({source}) AS changes GROUP BY 1, name HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0;"
            )
            more, declared = (
                (CORRECTIONS, "DECLARE it record; ") if (table, change) == ("claims", "update") else ("", "")
            )
            _trigger_on_postgres(table, change, f"{declared}BEGIN {counted} {more} RETURN NULL; END")


_ARRIVED = f"FROM claim_transitions moved WHERE moved.claim_id = it.id AND NOT {LATER}"
_MOVED_DAY = _day("moved.moved_at", is_sqlite=False)
# Seldom: another program corrects the amount or the date of a claim that was moved already.
CORRECTIONS = (
    "FOR it IN SELECT new_rows.id, new_rows.amount_paise - old_rows.amount_paise AS more, "
    "old_rows.created_at AS was, new_rows.created_at AS became FROM old_rows JOIN new_rows USING (id) "
    "WHERE old_rows.amount_paise <> new_rows.amount_paise OR old_rows.created_at <> new_rows.created_at LOOP "
    f"{INTO} SELECT {_MOVED_DAY}, moved.to_status, moved.moved_by, 0, it.more {_ARRIVED} AND it.more <> 0; "
    + " ".join(
        f"{INTO} SELECT {_MOVED_DAY}, 'waited', {_waited(f'it.{row}', 'moved.moved_at', is_sqlite=False)}, {sign}, 0 "
        f"{_ARRIVED} AND moved.to_status = 'Paid' AND it.was <> it.became;"
        for row, sign in (("was", -1), ("became", 1))
    )
    + " END LOOP;"
)


def _follow_moves_on_postgres() -> None:
    """As on SQLite. Claim by claim, so that each costs index lookups and never a scan of all claims."""
    of_claim = "FROM claim_transitions WHERE claim_id = it.claim_id AND to_status = it.to_status"
    newest = "ORDER BY number DESC LIMIT 1"
    last = (
        f"((SELECT 1 AS sign, moved_at, moved_by {of_claim} {newest}) UNION ALL "
        f"(SELECT -1, moved_at, moved_by {of_claim} AND id <> ALL (it.ids) {newest})) AS moved, claims "
        "WHERE claims.id = it.claim_id"
    )
    waited = _waited("claims.created_at", "moved.moved_at", is_sqlite=False)
    _trigger_on_postgres(
        "claim_transitions",
        "insert",
        "DECLARE it record; BEGIN FOR it IN SELECT claim_id, to_status, array_agg(id) AS ids FROM new_rows "
        "GROUP BY claim_id, to_status LOOP "
        f"{INTO} SELECT {_MOVED_DAY}, it.to_status, moved.moved_by, moved.sign, moved.sign * claims.amount_paise "
        f"FROM {last}; "
        f"IF it.to_status = 'Paid' THEN {INTO} SELECT {_MOVED_DAY}, 'waited', {waited}, moved.sign, 0 FROM {last}; "
        "END IF; END LOOP; RETURN NULL; END",
    )
