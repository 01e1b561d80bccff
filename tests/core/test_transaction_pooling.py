"""The desk behind a real pgBouncer in transaction mode, where each transaction may run on another connection."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.migrate import migrate, read_revision
from countinghouse.settings import Settings
from tests.batches.batches import add_claims, moves, plan, run_to_end, seen
from tests.cli.command import countinghouse
from tests.core.sockets import served
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run, start
from tests.exports.downloads import HEADERS, download, read_csv
from tests.live.screens import screen
from tests.partitions.history import TABLES, parts_of
from tests.pgbouncer import running_pgbouncer, through

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

SETTINGS = ("lock_timeout", "statement_timeout", "TimeZone", "jit")


@pytest.fixture(scope="module")
def pgbouncer(postgres_url: str) -> Iterator[int]:
    with running_pgbouncer(postgres_url, pool_size=3) as port:
        yield port


@pytest.fixture
def pooled_desk(pgbouncer: int, database_url: str, template: Template) -> Iterator[Desk]:
    settings = Settings(database_url=through(pgbouncer, database_url), transaction_pooling=True, _env_file=None)
    desk = Desk(settings, template.tokens, direct_url=database_url)
    yield desk
    desk.close()


@pytest.fixture
def pooled(pgbouncer: int, database_url: str) -> Iterator[Database]:
    settings = Settings(database_url=through(pgbouncer, database_url), transaction_pooling=True, _env_file=None)
    database = Database.from_settings(settings)
    yield database
    database.close()


def test_moves_lists_totals_and_searches_of_many_admins_at_once(pooled_desk: Desk) -> None:
    ids = add_claims(pooled_desk, 40)

    def work(claim_id: str) -> list[int]:
        paths = ("/api/claims/all?limit=20", "/api/claims/all?limit=5&q=Kochi", "/api/claims/totals", "/api/claims/all")
        answers = [pooled_desk.move(claim_id, "Accepted"), *map(pooled_desk.get, paths)]
        answers.append(pooled_desk.move(claim_id, "Paid", by="ravi"))
        return [answer.status_code for answer in answers]

    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(work, ids)) == [[200] * 6] * 40
    assert len(moves(pooled_desk)) == 80


def test_an_export_a_batch_and_the_live_stream(pooled_desk: Desk) -> None:
    ids = add_claims(pooled_desk, 1_200)
    with served(pooled_desk.client.app) as port, screen(port, pooled_desk.tokens["ravi"]) as opened:
        sheet = plan(pooled_desk, status="Accepted", claims=seen(pooled_desk, ids[:150]))
        assert run_to_end(pooled_desk, sheet)["outcome"]["done"] == 150
        opened.wait_for_change_of(ids[0])
    rows = read_csv(download(pooled_desk))[1:]
    assert sorted(row[HEADERS["claims"].index("ID")] for row in rows) == ids
    assert sum("Accepted" in row for row in rows) == 150


def test_every_transaction_has_its_settings_and_leaves_none_behind(
    pooled: Database, pgbouncer: int, database_url: str
) -> None:
    async def read_settings(reader: Reader) -> list[str]:
        return [await reader.scalar(Statement(text(f"SELECT current_setting('{name}')"))) for name in SETTINGS]

    with psycopg.connect(database_url) as direct:
        unset = [direct.execute(f"SHOW {name}").fetchone() for name in SETTINGS]
    wanted = ["5s", "0", "UTC", "off"]
    for _ in range(3):
        assert run(pooled.read(read_settings)) == wanted
        assert run(pooled.read(read_settings, snapshot=True)) == wanted
        assert run(pooled.change(read_settings)) == wanted
        assert run(pooled.write(read_settings)) == wanted
        assert run(pooled.write(read_settings, silence_seconds=60.0))[1] == "1min"
    with psycopg.connect(through(pgbouncer, database_url), autocommit=True, prepare_threshold=None) as other:
        for _ in range(20):
            assert [other.execute(f"SHOW {name}").fetchone() for name in SETTINGS] == unset
            assert other.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)


def test_times_are_utc_whatever_the_server_is_set_to(pooled: Database, database_url: str) -> None:
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(database_url, autocommit=True) as direct:
        direct.execute(f"ALTER DATABASE \"{name}\" SET timezone = 'Asia/Kolkata'".encode())
    moment = Statement(text("SELECT TIMESTAMPTZ '2026-11-15 02:52:36+00', CAST(now() AS text)"))
    for _ in range(4):
        ((at, shown),) = run(pooled.read(lambda reader: reader.all(moment)))
        assert at.isoformat() == "2026-11-15T02:52:36+00:00"
        assert shown.endswith("+00")


def test_a_bulk_insert_outside_a_transaction_prepares_nothing(pooled: Database) -> None:
    insert = text("INSERT INTO users (id, created_at, username, mobile) VALUES (:id, now(), :name, '0980575609')")
    rows = [{"id": f"{number:024}", "name": f"User {number}"} for number in range(30)]
    assert run(pooled.change(lambda change: change.execute(insert, rows))) == 30
    count = Statement(text("SELECT count(*) FROM pg_prepared_statements"))
    for task in [start(pooled.read(lambda reader: reader.scalar(count))) for _ in range(8)]:
        assert task.result(30) == 0


def test_no_advisory_lock_outlives_its_transaction(pooled: Database, database_url: str) -> None:
    async def lock(transaction: Transaction) -> bool:
        return bool(await transaction.scalar(text("SELECT pg_try_advisory_xact_lock(4711)")))

    assert [run(pooled.write(lock)) for _ in range(6)] == [True] * 6
    with psycopg.connect(database_url) as direct:
        assert direct.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)


def test_a_database_is_migrated_through_pgbouncer(pgbouncer: int, blank_url: str) -> None:
    settings = Settings(database_url=through(pgbouncer, blank_url), transaction_pooling=True, _env_file=None)
    database = Database.from_settings(settings)
    try:
        migrate(database)
        migrate(database)
        assert run(database.read(read_revision))
    finally:
        database.close()


def test_tables_become_partitions_while_admins_work_through_pgbouncer(
    pooled_desk: Desk, pgbouncer: int, database_url: str
) -> None:
    pooled_desk.add_claim_moved_to("Paid")
    ids = add_claims(pooled_desk, 40)
    url = through(pgbouncer, database_url)
    with ThreadPoolExecutor(5) as threads:
        ended = threads.submit(countinghouse, url, "partition", "--rows", "1", COUNTINGHOUSE_TRANSACTION_POOLING="on")
        moved = list(threads.map(lambda claim_id: pooled_desk.move(claim_id, "Accepted").status_code, ids))
        assert (ended.result().returncode, ended.result().stderr) == (0, "")
    assert moved == [200] * 40
    assert all(len(parts_of(pooled_desk, table)) > 3 for table in TABLES)
    assert pooled_desk.move(ids[0], "Paid", by="ravi").status_code == 200
    assert len(moves(pooled_desk)) == 43
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as other:
        assert other.execute("SHOW lock_timeout").fetchone() == ("0",)


def test_backups_are_refused_with_what_to_do(pgbouncer: int, database_url: str, tmp_path: Path) -> None:
    url = through(pgbouncer, database_url)
    refused = countinghouse(url, "backup", str(tmp_path / "copy"), COUNTINGHOUSE_TRANSACTION_POOLING="on")
    assert refused.returncode == 1
    assert "COUNTINGHOUSE_TRANSACTION_POOLING to off" in " ".join(refused.stderr.split())
    assert not (tmp_path / "copy").exists()


def test_without_the_setting_pgbouncer_refuses_the_desk(pgbouncer: int, database_url: str) -> None:
    """Nothing runs half right: pgBouncer refuses the options of an ordinary connection."""
    database = Database(Settings(database_url=through(pgbouncer, database_url), _env_file=None).database)
    try:
        with pytest.raises(psycopg.OperationalError, match="startup parameter"):
            run(database.read(lambda reader: reader.scalar(Statement(text("SELECT 1")))))
    finally:
        database.close()
