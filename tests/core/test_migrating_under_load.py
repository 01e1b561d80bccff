"""An upgrade while requests of an older server hold locks: they are not in each other's way."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from countinghouse.core.migrate import migrate, newest_revision, read_revision
from tests.core.earlier_desks import desk_at
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.waiting import PATIENCE_SECONDS, eventually

WAITS_FOR_CLAIMS = "SELECT count(*) FROM pg_locks WHERE relation = 'claims'::regclass AND NOT granted"

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def desk_url(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of a database of an earlier release, which has the newest migration when the test ends."""
    with desk_at("0013", blank_url, tmp_path, monkeypatch) as desk:
        yield blank_url
        assert run(desk.database.read(read_revision)) == newest_revision()


@contextmanager
def migrating(desk_url: str, request: psycopg.Connection) -> Iterator[Future[None]]:
    """Begins when the upgrade waits for the claims, which `request` has locked."""
    database = DirectDatabase(desk_url)
    with ThreadPoolExecutor(1) as pool, psycopg.connect(desk_url, autocommit=True) as observer:
        upgrade = pool.submit(migrate, database)
        try:
            eventually(lambda: observer.execute(WAITS_FOR_CLAIMS).fetchone() == (1,))
            yield upgrade
        finally:
            request.rollback()
        upgrade.result(PATIENCE_SECONDS)
    database.close()


def test_a_request_that_holds_one_table_gets_the_others(desk_url: str) -> None:
    with psycopg.connect(desk_url) as request:
        # So that PostgreSQL would end the upgrade, and not this.
        request.execute("SET deadlock_timeout = '60s'")
        request.execute("LOCK TABLE claims IN ROW EXCLUSIVE MODE")
        with migrating(desk_url, request) as upgrade:
            for table in ("admins", "audit_log", "claim_tallies", "sessions", "users"):
                request.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE")
            assert not upgrade.done()


def test_other_requests_go_on_while_the_upgrade_waits_for_an_export(desk_url: str) -> None:
    with psycopg.connect(desk_url) as export, psycopg.connect(desk_url, autocommit=True) as other:
        other.execute("SET lock_timeout = '5s'")
        export.execute("SELECT count(*) FROM claims")
        with migrating(desk_url, export) as upgrade:
            for _ in range(5):
                other.execute("SELECT count(*) FROM claims")
            assert not upgrade.done()
