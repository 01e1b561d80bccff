from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import cast

import pytest

from countinghouse.core.migrate import migrate
from countinghouse.demo import qr_codes
from countinghouse.demo.actions import Sizes, fill_demo
from countinghouse.qr.picture_client import Examined, PictureWorker
from tests.databases import Place
from tests.direct_database import DirectDatabase
from tests.event_loop import run

UNTIL = datetime(2026, 11, 15, 9, 41, 7, 250_000, tzinfo=UTC)


@cache
def _drawn_once(upi_id: str, draw: Callable[[PictureWorker, str], Examined]) -> Examined:
    with PictureWorker(seconds=60) as worker:
        return draw(worker, upi_id)


@pytest.fixture(scope="session", autouse=True)
def codes_are_drawn_once() -> Iterator[None]:
    """Cache the four QR codes, the same in every demo: rendering them takes longer than filling a small demo."""
    with pytest.MonkeyPatch.context() as patch:
        draw = qr_codes.draw
        patch.setattr(qr_codes, "draw", lambda _worker, upi_id: _drawn_once(upi_id, draw))
        yield


@contextmanager
def _filled(url: str) -> Iterator[DirectDatabase]:
    database = DirectDatabase(url)
    try:
        migrate(database)
        run(fill_demo(database, Sizes(), 7, lambda _noun, _done, _total: None, UNTIL))
        yield database
    finally:
        database.close()


@pytest.fixture(scope="session")
def filled_on_sqlite(sqlite_place: Place) -> Iterator[DirectDatabase]:
    with _filled(sqlite_place.blank()) as database:
        yield database


@pytest.fixture(scope="session")
def filled_on_postgresql(postgresql_place: Place) -> Iterator[DirectDatabase]:
    with _filled(postgresql_place.blank()) as database:
        yield database


@pytest.fixture
def filled(engine: str, request: pytest.FixtureRequest) -> DirectDatabase:
    """Shared by all tests of an engine: a test that changes it must undo the change."""
    return cast(DirectDatabase, request.getfixturevalue(f"filled_on_{engine}"))
