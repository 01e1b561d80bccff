"""Rows are streamed at the client's pace, however many there are, and stop when the client no longer wants them."""

import io
import re
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest
from sqlalchemy import select, text, update
from structlog.testing import capture_logs

from countinghouse.admins.tables import sessions
from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.core.db import Chosen
from countinghouse.core.listing.whole import choose_whole
from countinghouse.core.times import now
from countinghouse.exports import routes
from countinghouse.exports.actions import MOST_UNDER_WAY
from countinghouse.exports.tables import exports
from tests.core.connections import in_use
from tests.core.sockets import WAIT_SECONDS, connected, read_to_the_end, served
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.exports.downloads import ask, asked, download, many_claims, path_of, read_csv, state
from tests.servers import started_server
from tests.waiting import eventually

# Thousands of rows with this address exceed what the sockets and buffers between client and server can hold.
LONG_ADDRESS = "अ" * 300
MANY = 7_000


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("thousands of long claims", lambda desk: many_claims(desk, MANY, LONG_ADDRESS))


@contextmanager
def begun(port: int, export: dict[str, Any]) -> Iterator[socket.socket]:
    """A client that reads the response headers and then stops reading."""
    with connected(port, receive_bytes=4096) as client:
        client.sendall(f"GET {path_of(export)} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(100)
        assert head.startswith(b"HTTP/1.1 200 OK")
        assert b"transfer-encoding: chunked" in head
        yield client


def is_incomplete(response: bytes) -> bool:
    """Whether the last chunk is missing. A row, which ends in an id, can end in "0" too, but is never just that."""
    return not response.endswith(b"\r\n0\r\n\r\n")


def outcome(desk: Desk, export: dict[str, Any]) -> str | None:
    (row,) = desk.rows(select(exports.c.outcome).where(exports.c.id == export["_id"]))
    ended: str | None = row.outcome
    return ended


def assert_ended_once(desk: Desk, how: str) -> None:
    (row,) = desk.audit("export.ended")
    assert row.after["outcome"] == how
    assert 0 <= row.after["rows"] < MANY


# Writing a workbook does not depend on the database, so xlsx is tested on one engine only.
@pytest.mark.parametrize(
    ("engine", "form"), [("sqlite", "csv"), ("sqlite", "xlsx"), ("postgresql", "csv")], indirect=["engine"]
)
def test_thousands_of_rows_are_exported_completely_with_constant_memory(desk: Desk, form: str) -> None:
    content = download(desk, "claims", form, sort="amount")
    if form == "csv":
        accounts = [row[6].strip('="') for row in read_csv(content)[1:]]
    else:
        # openpyxl takes ten seconds for this sheet; it reads smaller ones in test_files_hold_what_the_list_shows.py.
        sheet = ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml").decode()
        accounts = re.findall(r'<c r="G[^"]*"[^>]*><is><t [^>]*>(\d+)</t>', sheet)
    assert accounts == [f"{number:018}" for number in range(MANY)]

    with served(desk.client.app) as port, begun(port, asked(desk, "claims", form)) as client:
        tracemalloc.start()
        received = len(_read_and_drop(client))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert received >= len(content) * 0.9
    # Three times as many rows need as much. All of these rows would need more than ten.
    assert peak < 6_000_000


def _read_and_drop(client: socket.socket) -> range:
    """A range as long as the response, whose content is read and dropped: keeping it would use memory."""
    length = 0
    buffer = bytearray(65536)
    while count := client.recv_into(buffer):
        length += count
    return range(length)


def test_the_server_waits_for_a_slow_reader(desk: Desk) -> None:
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export):
        eventually(lambda: _rows_written(desk, export) > 0)
        time.sleep(1.2)
        assert state(desk, export) == "running"
        assert _rows_written(desk, export) < MANY
        # A heartbeat uses a second connection for a moment.
        eventually(lambda: in_use(desk.app_database) == 1)
    eventually(lambda: outcome(desk, export) is not None)


def _rows_written(desk: Desk, export: dict[str, Any]) -> int:
    return int(desk.get(f"/api/exports/{export['_id']}").json()["rowsWritten"])


def test_a_cancelled_export_stops_and_its_download_is_visibly_incomplete(desk: Desk) -> None:
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export) as client:
        assert desk.call("DELETE", f"/api/exports/{export['_id']}").status_code == 204
        assert state(desk, export) == "cancelled"
        eventually(lambda: outcome(desk, export) == "cancelled")
        eventually(lambda: in_use(desk.app_database) == 0)
        # Without the last chunk, the browser knows that the file is incomplete.
        assert is_incomplete(read_to_the_end(client))
    assert_ended_once(desk, "cancelled")


def test_a_client_disconnect_stops_the_export(desk: Desk) -> None:
    export = asked(desk)
    with served(desk.client.app) as port:
        with begun(port, export):
            pass
        eventually(lambda: outcome(desk, export) == "left")
        eventually(lambda: in_use(desk.app_database) == 0)
    assert state(desk, export) == "failed"
    assert_ended_once(desk, "left")


def test_the_end_of_the_session_stops_its_export(desk: Desk) -> None:
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export) as client:
        desk.change(update(sessions).values(ended_at=now()))
        eventually(lambda: outcome(desk, export) == "signed_out")
        assert is_incomplete(read_to_the_end(client))
    assert_ended_once(desk, "signed_out")


def test_a_second_factor_that_is_required_meanwhile_stops_an_export_without_one(desk: Desk) -> None:
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export) as client:
        assert desk.call("PUT", "/api/policy", by="ravi", json={"secondFactorRequired": True}).status_code == 200
        eventually(lambda: outcome(desk, export) == "signed_out")
        assert is_incomplete(read_to_the_end(client))
    assert_ended_once(desk, "signed_out")


def read_instead(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    async def choose(*_: Any) -> Chosen:
        return Chosen(text(sql), {})

    monkeypatch.setattr(routes, "choose_whole", choose)


def test_a_failing_query_breaks_off_the_download(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    read_instead(monkeypatch, "SELECT nothing FROM nowhere")
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export) as client:
        assert is_incomplete(read_to_the_end(client))
    eventually(lambda: outcome(desk, export) == "failed")
    eventually(lambda: in_use(desk.app_database) == 0)
    assert_ended_once(desk, "failed")


@contextmanager
def outage(database_url: str, postgres_url: str) -> Iterator[None]:
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        operator.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield
        finally:
            operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_an_export_broken_off_by_a_database_outage_does_not_block_the_next(
    desk: Desk, database_url: str, request: pytest.FixtureRequest
) -> None:
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export) as client, ThreadPoolExecutor(1) as reader:
        with capture_logs() as logged, outage(database_url, request.getfixturevalue("postgres_url")):
            download = reader.submit(read_to_the_end, client)
            # Until the server has noticed that it cannot record the end of the export.
            eventually(lambda: download.done() or "export_end_missed" in [entry["event"] for entry in logged])
        assert is_incomplete(download.result(WAIT_SECONDS))
    assert_ended_once(desk, "failed")
    for _ in range(MOST_UNDER_WAY):
        assert ask(desk).status_code == 201


# Takes a minute unless it is stopped.
LONG = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000000) SELECT max(i)"
    " FROM n",
    "postgresql": "SELECT pg_sleep(50)",
}


def test_cancelling_also_stops_a_statement_that_has_returned_no_row_yet(
    desk: Desk, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_instead(monkeypatch, LONG[engine])
    export = asked(desk)
    with served(desk.client.app) as port, begun(port, export):
        eventually(lambda: in_use(desk.app_database) == 1)
        time.sleep(0.3)
        desk.call("DELETE", f"/api/exports/{export['_id']}")
        eventually(lambda: outcome(desk, export) == "cancelled")
        # The outcome can be read a moment before the connection that stored it is back in the pool.
        eventually(lambda: in_use(desk.app_database) == 0)


def test_a_download_starts_before_the_first_row_is_found(
    desk: Desk, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_instead(monkeypatch, LONG[engine])
    export = asked(desk)
    with served(desk.client.app) as port:
        with connected(port) as client:
            client.sendall(f"GET {path_of(export)} HTTP/1.1\r\nHost: desk\r\n\r\n".encode())
            received = b""
            while b"\xef\xbb\xbfClaim No." not in received:
                received += client.recv(1000)
            assert state(desk, export) == "running"
        eventually(lambda: outcome(desk, export) == "left")


def test_a_server_stops_an_export_that_another_instance_cancels(desk: Desk, database_url: str, engine: str) -> None:
    """The instance that receives the cancel request is not the one that streams."""
    export = asked(desk)
    with started_server(database_url) as server, begun(server.port, export) as client:
        eventually(lambda: _rows_written(desk, export) > 0)
        assert desk.call("DELETE", f"/api/exports/{export['_id']}").status_code == 204
        eventually(lambda: outcome(desk, export) == "cancelled")
        assert is_incomplete(read_to_the_end(client))
        if engine == "postgresql":
            with psycopg.connect(database_url, autocommit=True) as watcher:
                busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'"
                # The one busy connection is the one that runs this query.
                eventually(lambda: watcher.execute(busy).fetchone() == (1,))
        assert "Traceback" not in server.said()
    assert_ended_once(desk, "cancelled")


def test_the_rows_are_one_consistent_snapshot(desk: Desk) -> None:
    query = ClaimQuery()

    async def count_while_another_is_added() -> int:
        async with desk.app_database.stream(lambda reader: choose_whole(reader, CLAIMS, query)) as stream:
            seen = len(await stream.fetch_named(500))
            desk.add_claim()
            while rows := await stream.fetch_named(500):
                seen += len(rows)
        return seen

    assert run(count_while_another_is_added()) == MANY
