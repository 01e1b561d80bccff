"""Checks the running totals and the search tables against a recount of the rows."""

import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

from sqlalchemy import Column, Table, select, text

from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.times import iso
from countinghouse.purchases.tables import purchase_tallies, purchases
from countinghouse.users.tables import user_tallies, users
from tests.direct_database import DirectDatabase

# (rows, tallies, grouped by, summed)
TALLIED: tuple[tuple[Table, Table, str | None, tuple[str, ...]], ...] = (
    (claims, claim_tallies, "status", ("amount_paise",)),
    (purchases, purchase_tallies, None, ("invest_paise", "daily_income_paise")),
    (users, user_tallies, None, ()),
)
SEARCHED: tuple[tuple[Table, tuple[Column[Any], ...]], ...] = (
    (claims, (claims.c.account_no, claims.c.ifsc)),
    (purchases, (purchases.c.upi_id,)),
    (users, (users.c.username, users.c.mobile)),
)


def assert_tallies_are_true(database: DirectDatabase) -> None:
    with database.reading() as connection:
        for rows, tallies, group, sums in TALLIED:
            recount: Counter[tuple[str, ...]] = Counter()
            # Not all columns: an earlier release lacks some.
            counted = [rows.c.created_at, *(rows.c[name] for name in (*([group] if group else ()), *sums))]
            for row in connection.execute(select(*counted)).mappings():
                part = (row[group],) if group else ()
                for day in ("", iso(row["created_at"])[:10]):
                    recount[(day, *part, "entries")] += 1
                    for name in sums:
                        recount[(day, *part, name)] += row[name]
            kept: Counter[tuple[str, ...]] = Counter()
            for tally in connection.execute(select(tallies)).mappings():
                part = (tally["day"], *((tally[group],) if group else ()))
                for name in ("entries", *sums):
                    kept[(*part, name)] = tally[name]
            # The tally of a day may remain after its last row is deleted, as long as it is zero.
            assert {key: value for key, value in kept.items() if value} == {
                key: value for key, value in recount.items() if value
            }, tallies.name


def assert_searches_are_true(database: DirectDatabase) -> None:
    """SQLite keeps the searchable words in a separate table; PostgreSQL needs only its index."""
    if not database.is_sqlite:
        return
    with database.reading() as connection:
        for rows, columns in SEARCHED:
            expected = sorted((row[0], "\n".join(row[1:])) for row in connection.execute(select(rows.c.id, *columns)))
            kept = connection.execute(text(f"SELECT id, words FROM {rows.name}_search"))
            assert sorted((row[0], row[1]) for row in kept) == expected
        for rows, _ in SEARCHED:
            connection.execute(text(f"SELECT count(*) FROM {rows.name}_search WHERE {rows.name}_search MATCH 'abc'"))
    assert_pieces_are_true(database)


def assert_pieces_are_true(database: DirectDatabase) -> None:
    """Compares the number of rows that contain each piece of four letters: SQLite's own index against a recount."""
    assert database.file is not None
    with closing(sqlite3.connect(database.file)) as connection:
        for rows, _ in SEARCHED:
            expected: Counter[str] = Counter()
            for (words,) in connection.execute(f"SELECT words FROM {rows.name}_search"):
                pieces = {words[place : place + 4] for place in range(len(words) - 3)}
                expected.update({piece.encode().lower().hex() for piece in pieces})
            connection.execute(f"CREATE VIRTUAL TABLE temp.kept USING fts5vocab(main, {rows.name}_pieces, row)")
            assert dict(connection.execute("SELECT term, doc FROM kept")) == expected
            connection.execute("DROP TABLE temp.kept")
