"""Claims, purchases and QR codes get short numbers, in the order of their creation."""

from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"

NUMBERED = ("claims", "purchases", "qr_codes")
BEFORE_FIRST = 10_000
ONLY_THE_DATABASE = "the database gives the number of a row, and it never changes"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for table in NUMBERED:
        if is_sqlite:
            _number_on_sqlite(table)
        else:
            _number_on_postgres(table)


def _run(sql: str) -> None:
    op.get_bind().exec_driver_sql(sql)


def _number_on_sqlite(table: str) -> None:
    _run(f"ALTER TABLE {table} ADD COLUMN number BIGINT NOT NULL DEFAULT 0")
    _run(f"CREATE TEMP TABLE in_order AS SELECT rowid AS place FROM {table} ORDER BY created_at, id")
    # The rows of a table made by a query are numbered from 1.
    _run(
        f"UPDATE {table} SET number = {BEFORE_FIRST} + in_order.rowid "
        f"FROM in_order WHERE {table}.rowid = in_order.place"
    )
    _run("DROP TABLE in_order")
    _run(f"CREATE UNIQUE INDEX uq_{table}_number ON {table} (number)")
    refused = f"BEGIN SELECT RAISE(ABORT, '{ONLY_THE_DATABASE}'); END"
    _run(f"CREATE TRIGGER {table}_number_is_given BEFORE INSERT ON {table} WHEN new.number <> 0 {refused}")
    _run(
        f"CREATE TRIGGER {table}_number_stays BEFORE UPDATE OF number ON {table} "
        f"WHEN old.number <> 0 AND old.number IS NOT new.number {refused}"
    )
    _run(
        f"CREATE TRIGGER {table}_number_insert AFTER INSERT ON {table} BEGIN UPDATE {table} "
        f"SET number = 1 + (SELECT max({BEFORE_FIRST}, max(number)) FROM {table}) WHERE id = new.id; END"
    )


def _number_on_postgres(table: str) -> None:
    _run(
        f"CREATE TEMP TABLE in_order ON COMMIT DROP AS SELECT id, {BEFORE_FIRST} + row_number() "
        f"OVER (ORDER BY created_at, id) AS number FROM {table}"
    )
    _run("ALTER TABLE in_order ADD PRIMARY KEY (id)")
    _run(
        "CREATE FUNCTION pg_temp.number_in_order(text) RETURNS bigint LANGUAGE plpgsql STABLE AS "
        "$$ BEGIN RETURN (SELECT number FROM pg_temp.in_order WHERE id = $1); END $$"
    )
    _run(f"ALTER TABLE {table} ADD COLUMN number bigint")
    # Writes the table and each index once. An UPDATE would enter every row into every index again, and fire triggers.
    _run("SET LOCAL maintenance_work_mem = '256MB'")
    _run(f"ALTER TABLE {table} ALTER number TYPE bigint USING pg_temp.number_in_order(id)")
    _run("DROP FUNCTION pg_temp.number_in_order(text)")
    _run("DROP TABLE pg_temp.in_order")
    last = op.get_bind().exec_driver_sql(f"SELECT coalesce(max(number), {BEFORE_FIRST}) FROM {table}").scalar_one()
    _run(f"ALTER TABLE {table} ALTER number SET NOT NULL")
    _run(f"ALTER TABLE {table} ALTER number ADD GENERATED ALWAYS AS IDENTITY (START WITH {last + 1})")
    _run(f"CREATE UNIQUE INDEX uq_{table}_number ON {table} (number)")
