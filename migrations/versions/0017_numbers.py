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
    _run(f"ALTER TABLE {table} ADD COLUMN number bigint")
    # No tally and no search index changes by it.
    _run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    # Every row gets a new place. Entering a million of them into each index takes twice as long as building it again.
    indexes = _drop_indexes_on_postgres(table)
    _run(
        f"UPDATE {table} SET number = {BEFORE_FIRST} + ranked.place FROM ("
        f"SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM {table}"
        f") AS ranked WHERE {table}.id = ranked.id"
    )
    for definition in indexes:
        _run(definition)
    _run(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    last = op.get_bind().exec_driver_sql(f"SELECT coalesce(max(number), {BEFORE_FIRST}) FROM {table}").scalar_one()
    _run(f"ALTER TABLE {table} ALTER number SET NOT NULL")
    _run(f"ALTER TABLE {table} ALTER number ADD GENERATED ALWAYS AS IDENTITY (START WITH {last + 1})")
    _run(f"CREATE UNIQUE INDEX uq_{table}_number ON {table} (number)")


def _drop_indexes_on_postgres(table: str) -> list[str]:
    """All but those of constraints. Returns the statements that create them again."""
    found = op.get_bind().exec_driver_sql(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
        f"WHERE indrelid = '{table}'::regclass AND NOT indisunique ORDER BY 1"
    )
    indexes = [(str(name), str(definition)) for name, definition in found]
    for name, _ in indexes:
        _run(f"DROP INDEX {name}")
    _run("SET LOCAL maintenance_work_mem = '256MB'")
    return [definition for _, definition in indexes]
