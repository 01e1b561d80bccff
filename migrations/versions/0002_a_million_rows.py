"""What keeps the lists instant at a million rows: an index for each order, one for searching, and running totals."""

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"

# (name, table, columns): a sorted list walks its index, so that the last page costs as much as the first one.
ORDERS = (
    ("ix_claims_status", "claims", ("status", "created_at", "id")),
    ("ix_claims_amount", "claims", ("amount_paise", "id")),
    ("ix_claims_account", "claims", ("account_no", "id")),
    ("ix_claims_ifsc", "claims", ("ifsc", "id")),
    ("ix_claims_address", "claims", ("address", "id")),
    ("ix_claims_user", "claims", ("user_id", "id")),
    ("ix_claims_purchase", "claims", ("purchase_id", "id")),
    ("ix_purchases_user", "purchases", ("user_id", "id")),
    ("ix_purchases_invest", "purchases", ("invest_paise", "id")),
    ("ix_purchases_daily_income", "purchases", ("daily_income_paise", "id")),
    ("ix_purchases_upi_id", "purchases", ("upi_id", "id")),
    ("ix_purchases_claim_type", "purchases", ("claim_type", "created_at", "id")),
    ("ix_purchases_qr_name", "purchases", ("qr_name", "created_at", "id")),
    ("ix_users_username", "users", ("username", "id")),
    ("ix_users_mobile", "users", ("mobile", "id")),
)

# The new indexes begin with the same column.
REPLACED = (
    ("ix_claims_user_id", "claims"),
    ("ix_claims_purchase_id", "claims"),
    ("ix_purchases_user_id", "purchases"),
)

SEARCHED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("claims", ("account_no", "ifsc")),
    ("purchases", ("upi_id",)),
    ("users", ("username", "mobile")),
)

# (tallies, table, grouped by, summed): maintained by triggers, so that writes that bypass our code keep them right too.
TALLIED: tuple[tuple[str, str, str | None, tuple[str, ...]], ...] = (
    ("claim_tallies", "claims", "status", ("amount_paise",)),
    ("purchase_tallies", "purchases", None, ("invest_paise", "daily_income_paise")),
    ("user_tallies", "users", None, ()),
)


def upgrade() -> None:
    for name, table, columns in ORDERS:
        op.create_index(name, table, list(columns))
    for name, table in REPLACED:
        op.drop_index(name, table)
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if not is_sqlite:
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for table, searched in SEARCHED:
        if is_sqlite:
            _search_on_sqlite(table, searched)
        else:
            trigrams = ", ".join(f"{column} gin_trgm_ops" for column in searched)
            op.execute(f"CREATE INDEX ix_{table}_search ON {table} USING gin ({trigrams})")
    for tallies, table, group, sums in TALLIED:
        _make_tallies(tallies, group, sums)
        _count_present_rows(tallies, table, group, sums, is_sqlite)
        if is_sqlite:
            _keep_tallies_on_sqlite(tallies, table, group, sums)
        else:
            _keep_tallies_on_postgres(tallies, table, group, sums)


def _search_on_sqlite(table: str, columns: tuple[str, ...]) -> None:
    """Its rows carry the id, because SQLite may renumber a table's own rows. A line break keeps columns apart."""
    search = f"{table}_search"
    op.execute(f"CREATE VIRTUAL TABLE {search} USING fts5(id UNINDEXED, words, detail = 'none', tokenize = 'trigram')")

    def words(row: str) -> str:
        return " || char(10) || ".join(f"{row}{column}" for column in columns)

    op.execute(f"INSERT INTO {search} (id, words) SELECT id, {words('')} FROM {table}")
    forget = f"DELETE FROM {search} WHERE id = old.id"
    note = f"INSERT INTO {search} (id, words) VALUES (new.id, {words('new.')})"
    changed = ", ".join(("id", *columns))
    op.execute(f"CREATE TRIGGER {search}_insert AFTER INSERT ON {table} BEGIN {note}; END")
    op.execute(f"CREATE TRIGGER {search}_update AFTER UPDATE OF {changed} ON {table} BEGIN {forget}; {note}; END")
    op.execute(f"CREATE TRIGGER {search}_delete AFTER DELETE ON {table} BEGIN {forget}; END")


def _make_tallies(tallies: str, group: str | None, sums: tuple[str, ...]) -> None:
    """One row for all time, with an empty day, and one for each day of UTC."""
    keys = ["day", *([group] if group else [])]
    op.create_table(
        tallies,
        *(sa.Column(key, sa.String(20), nullable=False) for key in keys),
        sa.Column("entries", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in sums),
        sa.PrimaryKeyConstraint(*keys, name=f"pk_{tallies}"),
    )


def _day(row: str, is_sqlite: bool) -> str:
    if is_sqlite:
        return f"substr({row}created_at, 1, 10)"
    return f"to_char({row}created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"


def _columns(group: str | None, sums: tuple[str, ...]) -> str:
    return ", ".join(("day", *([group] if group else []), "entries", *sums))


def _count_present_rows(tallies: str, table: str, group: str | None, sums: tuple[str, ...], is_sqlite: bool) -> None:
    for day in ("''", _day("", is_sqlite)):
        keys = ", ".join((day, *([group] if group else [])))
        counted = ", ".join(("count(*)", *(f"coalesce(sum({name}), 0)" for name in sums)))
        groups = [key for key in (day, group) if key and key != "''"]
        grouping = f"GROUP BY {', '.join(groups)}" if groups else "HAVING count(*) > 0"
        op.execute(f"INSERT INTO {tallies} ({_columns(group, sums)}) SELECT {keys}, {counted} FROM {table} {grouping}")


def _keep_tallies_on_sqlite(tallies: str, table: str, group: str | None, sums: tuple[str, ...]) -> None:
    def count(row: str, sign: str) -> str:
        steps = []
        for day in ("''", _day(row, is_sqlite=True)):
            keys = ", ".join((day, *([f"{row}{group}"] if group else [])))
            amounts = ", ".join((f"{sign}1", *(f"{sign}{row}{name}" for name in sums)))
            raised = ", ".join(f"{name} = {name} + excluded.{name}" for name in ("entries", *sums))
            conflict = ", ".join(("day", *([group] if group else [])))
            steps.append(
                f"INSERT INTO {tallies} ({_columns(group, sums)}) VALUES ({keys}, {amounts}) "
                f"ON CONFLICT ({conflict}) DO UPDATE SET {raised};"
            )
        return " ".join(steps)

    changed = ", ".join(("created_at", *([group] if group else []), *sums))
    op.execute(f"CREATE TRIGGER {tallies}_insert AFTER INSERT ON {table} BEGIN {count('new.', '+')} END")
    op.execute(
        f"CREATE TRIGGER {tallies}_update AFTER UPDATE OF {changed} ON {table} "
        f"BEGIN {count('old.', '-')} {count('new.', '+')} END"
    )
    op.execute(f"CREATE TRIGGER {tallies}_delete AFTER DELETE ON {table} BEGIN {count('old.', '-')} END")


def _keep_tallies_on_postgres(tallies: str, table: str, group: str | None, sums: tuple[str, ...]) -> None:
    """Once a statement and in one order of rows, so that writers wait for each other but never in a circle."""
    keys = ("day", *([group] if group else []))
    conflict = ", ".join(keys)
    raised = ", ".join(f"{name} = {tallies}.{name} + excluded.{name}" for name in ("entries", *sums))
    counted = ", ".join(("sum(sign)", *(f"sum(sign * {name})" for name in sums)))
    changed = " OR ".join(f"sum(sign * {name}) <> 0" for name in ("1", *sums))
    picked = ", ".join(("created_at", *([group] if group else []), *sums))
    sources = {
        "insert": f"SELECT 1 AS sign, {picked} FROM new_rows",
        "update": f"SELECT -1 AS sign, {picked} FROM old_rows UNION ALL SELECT 1, {picked} FROM new_rows",
        "delete": f"SELECT -1 AS sign, {picked} FROM old_rows",
    }
    tables = {
        "insert": "REFERENCING NEW TABLE AS new_rows",
        "update": "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
        "delete": "REFERENCING OLD TABLE AS old_rows",
    }
    grouped = f", {group}" if group else ""
    for change, source in sources.items():
        op.execute(
            f"CREATE FUNCTION {tallies}_{change}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"INSERT INTO {tallies} ({_columns(group, sums)}) "
            f"SELECT day{grouped}, {counted} FROM ({source}) AS changes, "
            f"LATERAL (VALUES (''), ({_day('', is_sqlite=False)})) AS days (day) "
            f"GROUP BY {conflict} HAVING {changed} ORDER BY {conflict} "
            f"ON CONFLICT ({conflict}) DO UPDATE SET {raised}; RETURN NULL; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {tallies}_{change} AFTER {change.upper()} ON {table} {tables[change]} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {tallies}_{change}()"
        )
