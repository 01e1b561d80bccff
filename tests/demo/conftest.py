from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from countinghouse.core.database import Database
from countinghouse.core.migrate import migrate
from countinghouse.demo.actions import Sizes, fill_demo
from tests.databases import postgres_copy

UNTIL = datetime(2026, 11, 15, 9, 41, 7, 250_000, tzinfo=UTC)


@pytest.fixture(scope="session")
def filled(engine: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Database]:
    """Shared by all tests of an engine: look, and undo what you change."""
    with ExitStack() as stack:
        if engine == "sqlite":
            url = f"sqlite:///{tmp_path_factory.mktemp('demo')}/filled.db"
        else:
            url = stack.enter_context(postgres_copy(None, request.getfixturevalue("postgres_url")))
        database = Database(url)
        stack.callback(database.close)
        migrate(database)
        fill_demo(database, Sizes(), 7, lambda _noun, _done, _total: None, UNTIL)
        yield database
