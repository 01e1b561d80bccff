"""SQLite searches by pieces of four letters: of three digits there are so few that each stands in thousands of rows."""

from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"

SEARCHED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("claims", ("account_no", "ifsc")),
    ("purchases", ("upi_id",)),
    ("users", ("username", "mobile")),
    ("payout_references", ("reference",)),
)
# Far longer than any searched column may be.
LONGEST = 1000


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    op.execute("CREATE TABLE letter_places (place INTEGER PRIMARY KEY)")
    op.execute(
        "INSERT INTO letter_places WITH RECURSIVE every (place) AS "
        f"(SELECT 1 UNION ALL SELECT place + 1 FROM every WHERE place < {LONGEST}) SELECT place FROM every"
    )
    for table, columns in SEARCHED:
        _cut_to_pieces(table, columns)


def _cut_to_pieces(table: str, columns: tuple[str, ...]) -> None:
    """Beside the table of words, under the same row numbers; it keeps no text of its own."""
    search, pieces = f"{table}_search", f"{table}_pieces"
    op.execute(
        f"CREATE VIRTUAL TABLE {pieces} USING fts5(pieces, content = '', columnsize = 0, detail = 'none', "
        "tokenize = 'ascii')"
    )
    op.execute(f"INSERT INTO {pieces} (rowid, pieces) SELECT rowid, {_pieces_of('words')} FROM {search}")
    words = " || char(10) || ".join(f"new.{column}" for column in columns)
    note = (
        f"INSERT INTO {search} (id, words) VALUES (new.id, {words}); "
        f"INSERT INTO {pieces} (rowid, pieces) VALUES (last_insert_rowid(), {_pieces_of(words)});"
    )
    forget = (
        f"INSERT INTO {pieces} ({pieces}, rowid, pieces) "
        f"SELECT 'delete', rowid, {_pieces_of('words')} FROM {search} WHERE id = old.id; "
        f"DELETE FROM {search} WHERE id = old.id;"
    )
    op.execute(f"DROP TRIGGER {search}_insert")
    op.execute(f"CREATE TRIGGER {search}_insert AFTER INSERT ON {table} BEGIN {note} END")
    if table == "payout_references":
        # These rows are never altered.
        return
    op.execute(f"DROP TRIGGER {search}_update")
    op.execute(f"DROP TRIGGER {search}_delete")
    changed = ", ".join(("id", *columns))
    op.execute(f"CREATE TRIGGER {search}_update AFTER UPDATE OF {changed} ON {table} BEGIN {forget} {note} END")
    op.execute(f"CREATE TRIGGER {search}_delete AFTER DELETE ON {table} BEGIN {forget} END")


def _pieces_of(words: str) -> str:
    """Each four letters in a row, spelt as a word of digits: no letter may end it or mean something else."""
    piece = f"hex(lower(substr({words}, place, 4)))"
    return f"coalesce((SELECT group_concat({piece}, ' ') FROM letter_places WHERE place <= length({words}) - 3), '')"
