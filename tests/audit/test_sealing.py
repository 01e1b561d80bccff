"""Every row of the audit log is sealed once, in the order in which rows become visible, and none is forgotten."""

import asyncio
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, select, text

from countinghouse.audit.chain import GENESIS
from countinghouse.audit.sealer import Sealer
from countinghouse.audit.sealing import SEALED_TOGETHER, has_unsealed, seal_some
from countinghouse.audit.tables import audit_log, audit_open_gaps
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Busy
from countinghouse.core.migrate import migrate
from countinghouse.core.times import now
from tests.audit.sealed import INSERT, assert_chained, audit, checkpoints_in, seal, seal_and_sign, seals, write
from tests.contract.foreign_rows import foreign_connection
from tests.core.earlier_desks import desk_at
from tests.desk import Desk
from tests.event_loop import run
from tests.servers import started_server
from tests.waiting import eventually

on_postgresql = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


def test_every_row_is_sealed_in_order(desk: Desk) -> None:
    write(desk, 2 * SEALED_TOGETHER + 1)
    count = len(desk.audit())
    assert run(desk.app_database.write(seal_some)) == SEALED_TOGETHER
    assert seal(desk) == count - SEALED_TOGETHER
    assert [one.seq for one in seals(desk)] == [row.seq for row in desk.audit()]
    assert_chained(desk)
    assert seal(desk) == 0


def test_what_waits_for_its_seal_is_visible(desk: Desk) -> None:
    rows = desk.audit()
    shown = desk.get("/api/audit/sealing").json()
    assert (shown["sealed"], shown["unsealed"], shown["head"]) == (0, len(rows), GENESIS)
    assert shown["oldestUnsealedAt"] is not None
    seal(desk)
    shown = desk.get("/api/audit/sealing").json()
    assert (shown["sealed"], shown["unsealed"], shown["oldestUnsealedAt"]) == (len(rows), 0, None)
    assert shown["head"] == seals(desk)[-1].seal


@on_postgresql
def test_looking_for_new_rows_does_not_read_the_log(desk: Desk) -> None:
    write(desk, 2_000)
    seal(desk)
    desk.change(text("ANALYZE audit_log, audit_seals, audit_open_gaps"))

    async def rows_read(transaction: Transaction) -> int:
        read = text("SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'audit_log'")
        before = await transaction.scalar(read)
        assert not await has_unsealed(transaction)
        return int(await transaction.scalar(read) - before)

    assert run(desk.app_database.write(rows_read)) == 0


@on_postgresql
def test_a_row_that_commits_after_a_later_one_is_sealed_later(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal(desk)
    with psycopg.connect(database_url) as first, psycopg.connect(database_url) as second:
        first.execute(INSERT)
        second.execute(INSERT)
        write(desk)
        assert seal(desk) == 1
        assert len(desk.rows(select(audit_open_gaps))) == 1
        write(desk)
        second.commit()
        assert seal(desk) == 2
        first.commit()
        assert desk.get("/api/audit/sealing").json()["unsealed"] == 1
        assert seal(desk) == 1
    assert desk.rows(select(audit_open_gaps)) == []
    assert [one.seq for one in seals(desk)] != [row.seq for row in desk.audit()]
    assert_chained(desk)
    seal_and_sign(desk, tmp_path)
    assert audit(database_url, tmp_path, "verify").returncode == 0


def test_several_sealers_at_once_seal_each_row_once(desk: Desk) -> None:
    write(desk, 200)
    failed: list[BaseException] = []

    def seal_repeatedly() -> None:
        try:
            for _ in range(20):
                write(desk)
                # On a slow machine there may be no place in time; the sealer of a server tries again as well.
                with suppress(Busy):
                    run(desk.app_database.write(seal_some))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=seal_repeatedly) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    seal(desk)
    assert_chained(desk)


def test_rows_from_before_the_upgrade_are_sealed_by_the_server(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_at("0014", blank_url, tmp_path, monkeypatch) as desk:
        row: dict[str, Any] = {"at": now(), "actor": "asha", "verb": "claim.revealed", "subject_id": "x"}
        for _ in range(30):
            desk.change(insert(audit_log).values(row))
        before = desk.audit()
        migrate(desk.database)
        assert desk.audit() == before
        assert seals(desk) == []
        assert seal(desk) == len(before)
        assert desk.rows(select(audit_open_gaps)) == []
        assert_chained(desk)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_row_that_cannot_be_read_is_sealed_too(desk: Desk) -> None:
    """SQLite stores anything in any column."""
    with foreign_connection(desk) as connection:
        connection.execute(
            "INSERT INTO audit_log (at, actor, verb, subject_id, after) VALUES ('no time', x'ff00', 5, 'x', '{no json')"
        )
    assert seal(desk) == len(desk.rows(select(audit_log.c.seq)))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_seals SET seal = 'x'",
        "DELETE FROM audit_seals",
        "INSERT INTO audit_seals (position, seq, seal) SELECT position, seq, seal FROM audit_seals",
    ],
)
def test_seals_cannot_be_altered(desk: Desk, statement: str) -> None:
    seal(desk)
    before = seals(desk)
    with pytest.raises(Exception, match=r"never altered|duplicate key"), foreign_connection(desk) as connection:
        connection.cursor().execute(statement)
    assert seals(desk) == before


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("values", ["position, seq + 1000, 'x'", "position + 1000, seq, 'x'"])
def test_seals_cannot_be_replaced(desk: Desk, values: str) -> None:
    seal(desk)
    before = seals(desk)
    with pytest.raises(Exception, match="never altered"), foreign_connection(desk) as connection:
        connection.execute(f"REPLACE INTO audit_seals (position, seq, seal) SELECT {values} FROM audit_seals")
    assert seals(desk) == before


def test_a_sealer_seals_signs_and_stops(desk: Desk, tmp_path: Path) -> None:
    checkpoints = checkpoints_in(tmp_path)

    async def work() -> None:
        sealer = Sealer(desk.app_database, checkpoints)
        sealer.start()
        while not checkpoints.file.exists():
            await asyncio.sleep(0.01)
        await sealer.stop()

    run(work())
    [(_, signed)] = checkpoints.read()
    assert signed is not None
    assert (signed.count, signed.seal) == (len(desk.audit()), seals(desk)[-1].seal)


def test_a_server_seals_while_it_runs(desk: Desk, database_url: str, tmp_path: Path) -> None:
    with started_server(database_url, COUNTINGHOUSE_DATA_DIR=str(tmp_path)) as server:
        write(desk)
        eventually(lambda: len(seals(desk)) == len(desk.audit()))
        eventually(lambda: "audit_checkpoint" in server.said())
        write(desk)
    # The last checkpoint is made when the server stops.
    *_, (_, signed) = checkpoints_in(tmp_path).read()
    assert signed is not None
    assert signed.count == len(desk.audit())
    assert audit(database_url, tmp_path, "verify").returncode == 0
