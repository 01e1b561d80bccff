"""Whole lists, streamed."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Client
from sqlalchemy import Connection, QueuePool, Select, insert, literal, select, text

from countinghouse.core.database import STREAMS, Database
from countinghouse.core.errors import Busy
from countinghouse.core.http.answers import install_error_answers
from countinghouse.core.http.lists import ROWS_A_CHUNK, stream_list
from countinghouse.core.ids import new_id
from countinghouse.core.lanes import current_caller
from countinghouse.core.listing.whole import Rows
from countinghouse.users.tables import users
from tests.core.refusals import assert_refused
from tests.core.sockets import connected, served, wait_until
from tests.databases import Template
from tests.desk import NEWEST, Desk
from tests.servers import started_server

PADDING = "x" * 1000


def _numbers(last: int) -> Select[Any]:
    first = select(literal(1).label("number")).cte("numbers", recursive=True)
    numbers = first.union_all(select(first.c.number + 1).where(first.c.number < last))
    return select(numbers.c.number)


def _streaming(statement: Select[Any]) -> Callable[[Connection], Rows]:
    return lambda connection: Rows(connection, statement, {})


def _as_json(rows: Sequence[tuple[Any, ...]]) -> bytes:
    return json.dumps([{"number": number, "padding": PADDING} for (number,) in rows]).encode()


@pytest.fixture
def app(database: Database) -> Iterator[FastAPI]:
    app = FastAPI()
    install_error_answers(app)

    @app.get("/numbers")
    async def list_numbers(last: int) -> Any:
        return await stream_list(database, _streaming(_numbers(last)), _as_json)

    @app.get("/broken")
    async def list_broken() -> Any:
        # SQLite has no table of that name; PostgreSQL loses the connection in the middle of the query.
        failing = "nothing FROM nowhere" if database.is_sqlite else "pg_terminate_backend(pg_backend_pid())"
        broken: Select[Any] = select(text(failing))
        return await stream_list(database, _streaming(broken), _as_json)

    return app  # type: ignore[return-value]


def _in_use(database: Database) -> int:
    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    return pool.checkedout()


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
    wait_until(lambda: _in_use(desk.database) == 0)


def test_a_failing_query_returns_an_error_and_not_a_partial_list(app: FastAPI, database: Database) -> None:
    assert_refused(TestClient(app).get("/broken"), 503, "database_unavailable")
    wait_until(lambda: _in_use(database) == 0)


def test_a_client_that_disconnects_midway_releases_the_database_connection(app: FastAPI, database: Database) -> None:
    with served(app) as port:
        with connected(port, receive_bytes=4096) as client:
            client.sendall(b"GET /numbers?last=100000 HTTP/1.1\r\nHost: desk\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200 OK")
            assert _in_use(database) == 1
        wait_until(lambda: _in_use(database) == 0)


def test_a_client_that_disconnects_before_the_answer_releases_the_database_connection(
    app: FastAPI, database: Database
) -> None:
    with served(app) as port:
        for _ in range(20):
            with connected(port) as client:
                client.sendall(b"GET /numbers?last=2000 HTTP/1.1\r\nHost: desk\r\n\r\n")
        wait_until(lambda: _in_use(database) == 0)
        assert TestClient(app).get("/numbers?last=2").json()[1]["number"] == 2


def test_a_list_is_one_snapshot_while_others_write(desk: Desk) -> None:
    rows = [
        {"id": new_id(), "created_at": NEWEST, "username": "before", "mobile": "1"} for _ in range(ROWS_A_CHUNK * 2)
    ]
    with desk.database.writing() as connection:
        connection.execute(insert(users), rows)
    with desk.database.reading() as connection:
        chunks = connection.execution_options(stream_results=True).execute(select(users)).partitions(ROWS_A_CHUNK)
        seen = len(next(chunks))
        desk.add_user(username="after")
        seen += sum(len(chunk) for chunk in chunks)
    assert seen == len(rows)


def _hold_places(desk: Desk, callers: int) -> list[Hashable]:
    async def enter(caller: int) -> Hashable:
        current_caller.set(caller)
        return await desk.database.streams.enter()

    async def enter_all() -> list[Hashable]:
        return [await asyncio.create_task(enter(number % callers)) for number in range(STREAMS)]

    return asyncio.run(enter_all())


def test_only_a_few_whole_lists_are_read_at_once_and_pages_are_not_delayed(desk: Desk) -> None:
    places = _hold_places(desk, callers=2)
    answer = desk.get("/api/users")
    assert_refused(answer, 503, "busy")
    assert int(answer.headers["retry-after"]) > 0
    assert desk.get("/api/users?limit=5").status_code == 200
    for place in places:
        desk.database.streams.leave(place)
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
