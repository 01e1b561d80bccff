"""Whole lists, streamed."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Client
from sqlalchemy import Select, insert, literal, select, text

from countinghouse.core.db import Chosen, Reader
from countinghouse.core.db.database import STREAMS
from countinghouse.core.errors import Busy
from countinghouse.core.http.answers import install_error_answers
from countinghouse.core.http.pages import ROWS_A_CHUNK, stream_list
from countinghouse.core.ids import new_id
from countinghouse.core.lanes import current_caller
from countinghouse.users.tables import users
from tests.core.connections import in_use
from tests.core.refusals import assert_refused
from tests.core.sockets import connected, served, wait_until
from tests.databases import Template
from tests.desk import NEWEST, Desk
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.servers import started_server

PADDING = "x" * 1000


def _numbers(last: int) -> Select[Any]:
    first = select(literal(1).label("number")).cte("numbers", recursive=True)
    numbers = first.union_all(select(first.c.number + 1).where(first.c.number < last))
    return select(numbers.c.number)


def _choosing(statement: Select[Any]) -> Callable[[Reader], Coroutine[Any, Any, Chosen]]:
    async def choose(_reader: Reader) -> Chosen:
        return Chosen(statement, {})

    return choose


def _as_json(rows: Sequence[tuple[Any, ...]]) -> bytes:
    return json.dumps([{"number": number, "padding": PADDING} for (number,) in rows]).encode()


@pytest.fixture
def app(database: DirectDatabase) -> Iterator[FastAPI]:
    app = FastAPI()
    install_error_answers(app)

    @app.get("/numbers")
    async def list_numbers(last: int) -> Any:
        return await stream_list(database, _choosing(_numbers(last)), _as_json)

    @app.get("/broken")
    async def list_broken() -> Any:
        # SQLite has no table of that name; PostgreSQL loses the connection in the middle of the query.
        failing = "nothing FROM nowhere" if database.is_sqlite else "pg_terminate_backend(pg_backend_pid())"
        broken: Select[Any] = select(text(failing))
        return await stream_list(database, _choosing(broken), _as_json)

    return app  # type: ignore[return-value]


def test_an_empty_list_is_an_empty_array(desk: Desk) -> None:
    answer = desk.get("/api/users")
    assert answer.content == b"[]"
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("count", [1, ROWS_A_CHUNK, ROWS_A_CHUNK + 1, 2_400])
def test_rows_across_chunks_make_one_array(desk: Desk, count: int) -> None:
    rows = [
        {"id": new_id(), "created_at": NEWEST, "username": f"user {number}", "mobile": "0980575609"}
        for number in range(count)
    ]
    desk.change(insert(users).values(rows) if count == 1 else insert(users).values(rows[:1]))
    if count > 1:
        with desk.database.writing() as connection:
            connection.execute(insert(users), rows[1:])
    listed = desk.get("/api/users").json()
    assert sorted(user["_id"] for user in listed) == sorted(str(row["id"]) for row in rows)
    wait_until(lambda: in_use(desk.app_database) == 0)


def test_a_failing_query_returns_an_error_and_not_a_partial_list(app: FastAPI, database: DirectDatabase) -> None:
    assert_refused(TestClient(app).get("/broken"), 503, "database_unavailable")
    wait_until(lambda: in_use(database) == 0)


def test_a_client_that_disconnects_midway_releases_the_database_connection(
    app: FastAPI, database: DirectDatabase
) -> None:
    with served(app) as port:
        with connected(port, receive_bytes=4096) as client:
            client.sendall(b"GET /numbers?last=100000 HTTP/1.1\r\nHost: desk\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200 OK")
            assert in_use(database) == 1
        wait_until(lambda: in_use(database) == 0)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_client_that_disconnects_midway_does_not_cost_the_other_connections(
    app: FastAPI, database: DirectDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    async def read_side_by_side() -> None:
        await asyncio.gather(*(database.read(lambda reader: reader.scalar(text("SELECT pg_sleep(0.2)"))) for _ in "ab"))

    run(read_side_by_side())
    idle = database._engine._idle
    assert len(idle) == 2
    with served(app) as port:
        with connected(port, receive_bytes=4096) as client:
            client.sendall(b"GET /numbers?last=100000 HTTP/1.1\r\nHost: desk\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200 OK")
            assert len(idle) == 1
        wait_until(lambda: in_use(database) == 0)
        assert len(idle) == 1
    assert "Exception" not in caplog.text


def test_a_client_that_disconnects_before_the_answer_releases_the_database_connection(
    app: FastAPI, database: DirectDatabase
) -> None:
    with served(app) as port:
        for _ in range(20):
            with connected(port) as client:
                client.sendall(b"GET /numbers?last=2000 HTTP/1.1\r\nHost: desk\r\n\r\n")

        def is_answered() -> bool:
            answer = TestClient(app).get("/numbers?last=2")
            return answer.status_code == 200 and answer.json()[1]["number"] == 2

        # Not asserted at once: some of the abandoned requests may still be on their way, or wait in the lane.
        wait_until(is_answered)
        wait_until(lambda: in_use(database) == 0)


def test_a_list_is_one_snapshot_while_others_write(desk: Desk) -> None:
    rows = [
        {"id": new_id(), "created_at": NEWEST, "username": "before", "mobile": "1"} for _ in range(ROWS_A_CHUNK * 2)
    ]
    with desk.database.writing() as connection:
        connection.execute(insert(users), rows)

    async def count_while_another_is_added() -> int:
        async with desk.app_database.stream(_choosing(select(users))) as stream:
            seen = len(await stream.fetch(ROWS_A_CHUNK))
            desk.add_user(username="after")
            while chunk := await stream.fetch(ROWS_A_CHUNK):
                seen += len(chunk)
        return seen

    assert run(count_while_another_is_added()) == len(rows)


def _hold_places(desk: Desk, callers: int) -> list[Hashable]:
    async def enter(caller: int) -> Hashable:
        current_caller.set(caller)
        return await desk.app_database.streams.enter()

    async def enter_all() -> list[Hashable]:
        return [await asyncio.create_task(enter(number % callers)) for number in range(STREAMS)]

    return run(enter_all())


def test_only_a_few_whole_lists_are_read_at_once_and_pages_are_not_delayed(desk: Desk) -> None:
    places = _hold_places(desk, callers=2)
    answer = desk.get("/api/users")
    assert_refused(answer, 503, "busy")
    assert int(answer.headers["retry-after"]) > 0
    assert desk.get("/api/users?limit=5").status_code == 200
    for place in places:
        desk.app_database.streams.leave(place)
    assert desk.get("/api/users").status_code == 200


def test_one_caller_cannot_take_every_place_for_whole_lists(desk: Desk) -> None:
    with pytest.raises(Busy):
        _hold_places(desk, callers=1)
    assert desk.get("/api/users").status_code == 200


def test_clients_that_disconnect_at_once_free_their_places(database_url: str, template: Template) -> None:
    headers = f"Host: x\r\nAuthorization: Bearer {template.tokens['asha']}"
    with started_server(database_url) as server, Client(base_url=server.url, timeout=30) as client:
        for _ in range(4 * STREAMS):
            with socket.create_connection(("127.0.0.1", server.port)) as leaving:
                leaving.sendall(f"GET /api/users HTTP/1.1\r\n{headers}\r\n\r\n".encode())
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        asha = {"Authorization": f"Bearer {template.tokens['asha']}"}
        # The requests of disconnected clients may still be queued for a moment.
        wait_until(lambda: client.get("/api/users", headers=asha).status_code == 200)
