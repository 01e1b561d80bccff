"""Pages survive a restart of the database, and whole lists do not block them."""

import asyncio
import json
import socket
from collections.abc import Callable
from http.client import HTTPResponse

import psycopg
import pytest
from httpx2 import Client

from countinghouse.core.db import Reader
from tests.contract.rows import CLAIMS, LISTS, fill
from tests.core.refusals import assert_refused
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.exports.downloads import many_claims
from tests.servers import started_server

PAGES = (*(f"{path}?limit=5" for path in LISTS), f"{CLAIMS}?limit=5&q=ananya", f"{CLAIMS}?limit=5&q=a")


def terminate_connections(server_url: str, database_url: str) -> int:
    """Terminates the desk's connections, as a restart of PostgreSQL would; returns their number."""
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(server_url, autocommit=True) as operator:
        terminated = operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND application_name = 'countinghouse'",
            (name,),
        ).fetchall()
    return len(terminated)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_page_is_read_over_a_new_connection_when_the_old_one_was_terminated(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    fill(desk, 30)
    for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices", "/api/admin/me"):
        before = desk.get(page).json()
        desk.get(page)
        assert terminate_connections(postgres_url, database_url) > 0
        answer = desk.get(page)
        assert answer.status_code == 200, (page, answer.text)
        assert answer.json() == before


def open_several(desk: Desk) -> None:
    """Four reads that wait for each other need a connection each, and leave these open for later reads."""

    async def read() -> None:
        together = asyncio.Barrier(4)

        async def wait(_reader: Reader) -> None:
            await together.wait()

        await asyncio.gather(*(desk.app_database.read(wait) for _ in range(4)))

    run(read())


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_terminated_connections_are_never_reused(desk: Desk, database_url: str, postgres_url: str) -> None:
    fill(desk, 30)
    open_several(desk)
    assert terminate_connections(postgres_url, database_url) >= 4
    for _ in range(6):
        assert desk.get(PAGES[0]).status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_move_is_made_over_a_new_connection_when_the_old_ones_were_terminated(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    """A move is never retried, so a terminated connection must be noticed before the move begins."""
    claim_id = desk.add_claim()
    open_several(desk)
    assert terminate_connections(postgres_url, database_url) >= 4
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_pages_fail_with_503_while_postgresql_is_unavailable_and_then_recover(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    fill(desk, 30)
    assert desk.get(PAGES[0]).status_code == 200
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        terminate_connections(postgres_url, database_url)
        for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices"):
            sentence = assert_refused(desk.get(page), 503, "database_unavailable")
            assert name not in sentence
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    for page in PAGES:
        assert desk.get(page).status_code == 200


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_pages_fail_with_503_while_the_sqlite_file_is_missing_and_then_recover(desk: Desk) -> None:
    fill(desk, 30)
    file = desk.database.file
    assert file is not None
    desk.app_database.close()
    desk.database.close()
    file.rename(file.with_suffix(".away"))
    file.mkdir()
    for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices"):
        assert_refused(desk.get(page), 503, "database_unavailable")
    file.rmdir()
    file.with_suffix(".away").rename(file)
    for page in PAGES:
        assert desk.get(page).status_code == 200


def test_refused_pages_do_not_leak_connections(desk: Desk) -> None:
    fill(desk, 10)
    for _ in range(20):
        assert desk.get(f"{CLAIMS}?limit=5&sort=amount&cursor=WyJhbW91bnQiLCJ4IiwieCJd").status_code == 422
        assert desk.get(f"{CLAIMS}?limit=5&q=a").status_code == 200


# Together more than all the buffers between the server and a client hold.
MANY = 8_000
LONG_ADDRESS = "अ" * 300


def test_pages_answer_while_a_whole_list_waits_for_a_slow_reader(
    desk: Desk, database_url: str, template: Template
) -> None:
    many_claims(desk, MANY, LONG_ADDRESS)
    token = {"Authorization": f"Bearer {template.tokens['asha']}"}
    with (
        started_server(database_url) as server,
        socket.socket() as slow,
        Client(base_url=server.url, timeout=30) as client,
    ):
        slow.settimeout(30)
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(f"GET {CLAIMS} HTTP/1.1\r\nHost: x\r\nAuthorization: {token['Authorization']}\r\n\r\n".encode())
        whole = HTTPResponse(slow)
        whole.begin()
        assert whole.status == 200
        # The list has begun and is blocked; all other requests still work.
        for page in (f"{CLAIMS}?limit=5", f"{CLAIMS}?limit=5&q=ananya", "/api/claims/totals", "/api/users?limit=50"):
            assert client.get(page, headers=token).status_code == 200
        assert client.get(f"{CLAIMS}?limit=1", headers=token).headers["x-total-count"] == str(MANY)
        assert len(json.loads(whole.read())) == MANY


def test_several_desks_can_share_one_database(open_desk: Callable[..., Desk]) -> None:
    here, there = open_desk(), open_desk()
    fill(here, 30)
    claim_id = here.get(f"{CLAIMS}?limit=1&status=Pending").json()[0]["_id"]
    assert there.move(claim_id, "Accepted").status_code == 200
    assert here.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"
    pending = here.get(f"{CLAIMS}?limit=1&status=Pending").headers["x-total-count"]
    assert pending == there.get(f"{CLAIMS}?limit=1&status=Pending").headers["x-total-count"]
