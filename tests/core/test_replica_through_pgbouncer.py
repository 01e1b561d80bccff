"""Replicas behind a real pgBouncer, where each transaction may reach another server than the one before."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from countinghouse.core.db import Cost, Database, Plan, Reader, Statement
from countinghouse.core.db import replica as replica_module
from countinghouse.settings import Settings
from drills.own_postgres import DURABLE
from tests.batches.batches import add_claims
from tests.core.replica_pair import Pair, desk_with, ids_in_list, reasons_not_used, running_pair, wait_for_replica
from tests.desk import Desk
from tests.event_loop import run
from tests.pgbouncer import PgBouncer, running_pgbouncer, running_pooler, through
from tests.postgres_server import running_cluster, running_replica
from tests.waiting import eventually

OPEN_TRANSACTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
)
# An ordinary page, one with settings for its plan, and a whole list.
PATHS = (
    "/api/claims/all?limit=20&status=Accepted",
    "/api/claims/all?limit=20&status=Accepted&q=HDFC0001234",
    "/api/claims/all?status=Accepted",
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with running_pair(tmp_path_factory.mktemp("unused")) as made:
        yield made


@pytest.fixture
def url(pair: Pair) -> Iterator[str]:
    with pair.database() as made:
        yield made


@pytest.fixture
def primary(pair: Pair) -> Iterator[PgBouncer]:
    with running_pooler(pair.primary_url, pool_size=3) as pgbouncer:
        yield pgbouncer


def same_database(url: str, server_url: str) -> str:
    return f"{server_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"


def ask(url: str, query: str) -> str:
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
        (found,) = connection.execute(query.encode()).fetchone() or (None,)
        return str(found)


def is_used(desk: Desk) -> bool:
    assert desk.app_database.replica is not None
    return desk.app_database.replica.is_in_use


def test_lists_come_from_the_replica_and_have_every_change(
    pair: Pair, url: str, primary: PgBouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    with (
        running_pgbouncer(pair.replica_url, pool_size=3) as replica,
        desk_with(pair, through(primary.port, url), through(replica, url), url, is_pooled=True) as desk,
    ):
        for claim_id in add_claims(desk, 10):
            assert desk.move(claim_id, "Accepted").status_code == 200
            for path in PATHS:
                assert claim_id in ids_in_list(desk, path)
        assert is_used(desk)
        assert pair.ask_replica(url, OPEN_TRANSACTIONS) == 0


def test_a_statement_that_fails_on_the_replica_leaves_no_transaction_open(
    pair: Pair, url: str, primary: PgBouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    setting = text("SELECT current_setting('enable_sort'), pg_is_in_recovery()")
    planned, ordinary = Statement(setting, Plan.IN_ORDER), Statement(setting)

    async def read_both(reader: Reader) -> list[Any]:
        return [*await reader.all(planned), *await reader.all(ordinary)]

    with running_pgbouncer(pair.replica_url, pool_size=1) as replica:
        urls = through(primary.port, url), through(replica, url)
        settings = Settings(database_url=urls[0], replica_url=urls[1], transaction_pooling=True, _env_file=None)
        database = Database.from_settings(settings)
        try:
            for _ in range(3):
                with pytest.raises(psycopg.errors.DivisionByZero):
                    run(database.read_list(lambda reader: reader.all(Statement(text("SELECT 1 / 0"))), Cost.SHORT))
                assert pair.ask_replica(url, OPEN_TRANSACTIONS) == 0
                assert run(database.read_list(read_both, Cost.SHORT)) == [("off", True), ("on", True)]
        finally:
            database.close()


def test_a_list_is_read_on_the_very_replica_that_was_checked(
    pair: Pair, url: str, primary: PgBouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `server_round_robin`, two replicas take turns with each transaction. One of them replays nothing."""
    wait_for_replica(monkeypatch)
    monkeypatch.setattr(replica_module, "CATCH_UP_SECONDS", 0.2)
    monkeypatch.setattr(replica_module, "BEHIND_SECONDS", 0.0)
    with ExitStack() as opened:
        _behind, behind_url = opened.enter_context(
            running_replica(pair.primary_url, DURABLE, "127.0.0.2", urlsplit(pair.replica_url).port)
        )
        replicas = opened.enter_context(
            running_pooler(pair.replica_url, pool_size=2, hosts="127.0.0.1,127.0.0.2", more="server_round_robin = 1\n")
        )
        replica_url = through(replicas.port, url)
        desk = opened.enter_context(desk_with(pair, through(primary.port, url), replica_url, url, is_pooled=True))
        ids = add_claims(desk, 8)
        with ExitStack() as two:
            for _ in range(2):
                # Open transactions, so that pgBouncer connects to both.
                two.enter_context(psycopg.connect(replica_url, prepare_threshold=None)).execute("SELECT 1")
        ask(behind_url, "SELECT pg_wal_replay_pause()")
        with capture_logs() as logged:
            for claim_id in ids:
                assert desk.move(claim_id, "Accepted").status_code == 200
                for path in PATHS:
                    assert claim_id in ids_in_list(desk, path), path
        reasons = [line["reason"] for line in logged if line["event"] == "replica_not_used"]
        assert set(reasons) == {"it is behind"}
        assert len(reasons) < len(ids) * len(PATHS)


def test_a_replica_of_another_timeline_is_never_read_after_pgbouncer_leads_to_it(
    pair: Pair, url: str, primary: PgBouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    with ExitStack() as opened:
        replica = opened.enter_context(running_pooler(pair.replica_url, pool_size=3))
        replica_url = through(replica.port, url)
        desk = opened.enter_context(desk_with(pair, through(primary.port, url), replica_url, url, is_pooled=True))
        ids = add_claims(desk, 3)
        assert ids_in_list(desk) == ids
        assert is_used(desk)
        _other, other_url = opened.enter_context(running_replica(pair.primary_url, DURABLE))
        assert ask(other_url, "SELECT pg_promote()") == "True"
        with psycopg.connect(same_database(url, other_url), autocommit=True) as connection:
            connection.execute("UPDATE claims SET status = 'Rejected'")
        write_log(other_url)
        _diverged, diverged_url = opened.enter_context(running_replica(other_url, DURABLE))
        rejected = "SELECT count(*) FROM claims WHERE status = 'Rejected'"
        eventually(lambda: ask(same_database(url, diverged_url), rejected) == "3")
        replica.lead_to(diverged_url)
        eventually(lambda: ask(replica_url, rejected) == "3")
        with capture_logs() as logged:
            assert ids_in_list(desk, "/api/claims/all?limit=20&status=Pending") == ids
        assert [line["reason"] for line in logged] == ["it is on timeline 2 of the log, the primary on 1"]
        eventually(lambda: is_used(desk))
        # For each list, and said once.
        assert reasons_not_used(desk, monkeypatch) == []


def test_the_replica_of_the_former_primary_is_never_read_after_pgbouncer_leads_to_another_cluster(
    pair: Pair, url: str, primary: PgBouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    monkeypatch.setattr(replica_module, "AWAY_SECONDS", 0.0)
    with ExitStack() as opened:
        replica = opened.enter_context(running_pooler(pair.replica_url, pool_size=3))
        primary_url, replica_url = (through(one.port, url) for one in (primary, replica))
        desk = opened.enter_context(desk_with(pair, primary_url, replica_url, url, is_pooled=True))
        ids = add_claims(desk, 3)
        assert ids_in_list(desk) == ids
        assert is_used(desk)
        _other, other_url = opened.enter_context(running_cluster(DURABLE))
        other_url = copied_database(pair, url, other_url)
        identifier = "SELECT system_identifier FROM pg_control_system()"
        primary.lead_to(other_url)
        eventually(lambda: ask(primary_url, identifier) == ask(other_url, identifier))
        with capture_logs() as logged:
            for claim_id in ids:
                assert desk.move(claim_id, "Accepted").status_code == 200
                for path in PATHS:
                    assert claim_id in ids_in_list(desk, path)
        reasons = {line["reason"] for line in logged if line["event"] == "replica_not_used"}
        assert reasons == {"it leads to another cluster than COUNTINGHOUSE_DATABASE_URL"}


def copied_database(pair: Pair, url: str, other_url: str) -> str:
    """In another cluster, which then has the same password, and less log than the first one. Returns its new URL."""
    programs, parts = pair.replica.programs, urlsplit(url)
    dumped = subprocess.run([f"{programs}/pg_dump", f"--dbname={url}"], check=True, capture_output=True).stdout
    with psycopg.connect(other_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{parts.path[1:]}"'.encode())
        connection.execute(f"ALTER ROLE {parts.username} PASSWORD '{parts.password}'".encode())
    other = parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{urlsplit(other_url).port}").geturl()
    command = [f"{programs}/psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={other}"]
    subprocess.run(command, input=dumped, check=True, stdout=subprocess.DEVNULL)
    write_log(pair.primary_url)
    return other


def write_log(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(4):
            connection.execute("CREATE TABLE filler AS SELECT 1; DROP TABLE filler")
            connection.execute("SELECT pg_switch_wal()")
