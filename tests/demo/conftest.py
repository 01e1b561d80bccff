from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import cast

import pytest

from countinghouse.core.database import Database
from countinghouse.core.migrate import migrate
from countinghouse.demo.actions import Sizes, fill_demo
from tests.databases import Place

UNTIL = datetime(2026, 11, 15, 9, 41, 7, 250_000, tzinfo=UTC)


@contextmanager
def _filled(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        migrate(database)
        fill_demo(database, Sizes(), 7, lambda _noun, _done, _total: None, UNTIL)
        yield database
    finally:
        database.close()


@pytest.fixture(scope="session")
def filled_on_sqlite(sqlite_place: Place) -> Iterator[Database]:
    with _filled(sqlite_place.blank()) as database:
        yield database


@pytest.fixture(scope="session")
def filled_on_postgresql(postgresql_place: Place) -> Iterator[Database]:
    with _filled(postgresql_place.blank()) as database:
        yield database


@pytest.fixture
def filled(engine: str, request: pytest.FixtureRequest) -> Database:
    """Shared by all tests of an engine: look, and undo what you change."""
    return cast(Database, request.getfixturevalue(f"filled_on_{engine}"))
