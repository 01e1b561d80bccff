"""A client that reads a long list slowly does not make the write-ahead log of SQLite grow."""

import shutil
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from countinghouse.core.db import spool
from tests.core.connections import in_use
from tests.core.refusals import assert_refused
from tests.core.sockets import connected, read_to_the_end, served
from tests.databases import Template
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.exports.downloads import asked, many_claims, path_of
from tests.waiting import eventually

pytestmark = on_one_engine

MANY = 7_000
# Longer than what the sockets and buffers between client and server can hold.
LONG_ADDRESS = "अ" * 300
WRITTEN_MEGABYTES = 40
# SQLite copies the log into the database after 4 MB and then begins it again, unless somebody still reads what was.
MOST_MEGABYTES = 16


class Disk(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("thousands of long claims", lambda desk: many_claims(desk, MANY, LONG_ADDRESS))


@contextmanager
def stopped(desk: Desk, path: str) -> Iterator[socket.socket]:
    """A client that has read the beginning of the answer, and no more."""
    with served(desk.client.app) as port, connected(port, receive_bytes=4096) as client:
        ask(client, desk, path)
        received = b""
        while len(received) < 2_000:
            received += client.recv(1000)
        assert received.startswith(b"HTTP/1.1 200 OK")
        yield client


def ask(client: socket.socket, desk: Desk, path: str) -> None:
    sent = f"Host: desk\r\nAuthorization: Bearer {desk.tokens['asha']}\r\nConnection: close"
    client.sendall(f"GET {path} HTTP/1.1\r\n{sent}\r\n\r\n".encode())


def file_of(desk: Desk) -> Path:
    assert desk.database.file is not None
    return desk.database.file


def log_megabytes(desk: Desk) -> float:
    return Path(f"{file_of(desk)}-wal").stat().st_size / 1e6


def write(desk: Desk, megabytes: int) -> None:
    """As many changes as hours of work."""
    with closing(sqlite3.connect(file_of(desk), isolation_level=None)) as other:
        other.execute("PRAGMA synchronous = OFF")
        for _ in range(megabytes):
            other.execute("CREATE TABLE filler AS SELECT zeroblob(1000000)")
            other.execute("DROP TABLE filler")


@pytest.mark.parametrize("what", ["list", "export"])
def test_changes_beside_a_reader_who_has_stopped_do_not_pile_up(desk: Desk, what: str) -> None:
    path = "/api/claims/all" if what == "list" else path_of(asked(desk))
    with stopped(desk, path) as client:
        # The snapshot has ended as soon as all of its rows are in the spool.
        eventually(lambda: not is_snapshot_open(desk))
        write(desk, WRITTEN_MEGABYTES)
        assert log_megabytes(desk) <= MOST_MEGABYTES
        # What the client reads later is still what it asked for, to the last row.
        assert read_to_the_end(client).endswith(b"\r\n0\r\n\r\n")
    eventually(lambda: in_use(desk.app_database) == 0)


def is_snapshot_open(desk: Desk) -> bool:
    """Whether somebody reads what is older than the newest change: only then can the log not begin again."""
    with closing(sqlite3.connect(file_of(desk), isolation_level=None)) as other:
        other.execute("CREATE TABLE filler (x)")
        other.execute("DROP TABLE filler")
        other.execute("PRAGMA busy_timeout = 0")
        busy, _, _ = other.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
    return bool(busy)


def test_the_log_shrinks_again_after_somebody_read_for_long(desk: Desk) -> None:
    # The server has the database open: the log would be deleted when the last connection is closed.
    claims = [desk.add_claim() for _ in range(3)]
    assert desk.get("/api/users").status_code == 200
    with closing(sqlite3.connect(file_of(desk), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM claims").fetchone()
        write(desk, WRITTEN_MEGABYTES)
        assert log_megabytes(desk) > MOST_MEGABYTES
        reader.execute("ROLLBACK")
    # The first change copies the log into the database, the second begins it again.
    for claim_id in claims:
        assert desk.move(claim_id, "Accepted").status_code == 200
    assert log_megabytes(desk) <= MOST_MEGABYTES


def test_a_long_list_that_the_disk_has_no_space_for_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Disk(10**12, 10**12 - 10**6, 10**6))
    answer = desk.get("/api/claims/all")
    assert_refused(answer, 503, "disk_almost_full")
    assert "free some space" in answer.json()["message"].lower()
    export = asked(desk)
    refused = desk.get(path_of(export), by=None)
    assert_refused(refused, 503, "disk_almost_full")
    assert desk.get("/api/claims/all?limit=100").status_code == 200
    monkeypatch.undo()
    # The link was not used up.
    assert len(desk.get(path_of(export), by=None).content) > 1_000_000
    eventually(lambda: in_use(desk.app_database) == 0)


def test_a_disk_that_fills_up_meanwhile_breaks_off_the_list(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([Disk(10**12, 0, 10**12)])
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: next(looks, Disk(10**12, 10**12, 0)))
    with served(desk.client.app) as port, connected(port) as client:
        ask(client, desk, "/api/claims/all")
        assert not read_to_the_end(client).endswith(b"\r\n0\r\n\r\n")
    eventually(lambda: in_use(desk.app_database) == 0)


def test_the_first_rows_are_sent_before_the_last_are_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    add = spool.Spool._add

    def slowly(self: spool.Spool, rows: list[Any]) -> None:
        time.sleep(0.2)
        add(self, rows)

    monkeypatch.setattr(spool.Spool, "_add", slowly)
    with served(desk.client.app) as port, connected(port) as client:
        ask(client, desk, "/api/claims/all")
        received = b""
        while b'"_id"' not in received:
            received += client.recv(1000)
        assert in_use(desk.app_database) == 1
        assert is_snapshot_open(desk)
        assert read_to_the_end(client).endswith(b"\r\n0\r\n\r\n")
