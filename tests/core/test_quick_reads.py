"""Quick reads outlive a restart of the database, and long ones do not stand in their way."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from http.client import HTTPResponse

import psycopg
import pytest
from httpx2 import Client

from tests.contract.rows import CLAIMS, LISTS, fill
from tests.core.refusals import assert_refused
from tests.databases import Template
from tests.desk import Desk
from tests.exports.downloads import many_claims
from tests.servers import started_server

PAGES = (*(f"{path}?limit=5" for path in LISTS), f"{CLAIMS}?limit=5&q=ananya", f"{CLAIMS}?limit=5&q=a")


def cut_connections(server_url: str, database_url: str) -> int:
    """As a restart of the server would."""
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(server_url, autocommit=True) as operator:
        cut = operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND application_name = 'countinghouse'",
            (name,),
        ).fetchall()
    return len(cut)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_page_is_read_over_a_new_connection_when_the_old_one_was_cut(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    fill(desk, 30)
    for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices", "/api/admin/me"):
        before = desk.get(page).json()
        desk.get(page)
        assert cut_connections(postgres_url, database_url) > 0
        answer = desk.get(page)
        assert answer.status_code == 200, (page, answer.text)
        assert answer.json() == before


def open_several(desk: Desk) -> None:
    """Reads that wait for each other have a connection each, and leave them for those who come after."""
    together = threading.Barrier(4)

    async def read() -> None:
        await asyncio.gather(*(desk.database.quick.read(lambda _look: together.wait(30)) for _ in range(4)))

    asyncio.run(read())


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_every_connection_that_was_cut_is_left_alone(desk: Desk, database_url: str, postgres_url: str) -> None:
    fill(desk, 30)
    open_several(desk)
    assert cut_connections(postgres_url, database_url) >= 4
    for _ in range(6):
        assert desk.get(PAGES[0]).status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_move_is_made_over_a_new_connection_when_the_old_ones_were_cut(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    """A move is never tried twice, so the cut has to be seen before it begins."""
    claim_id = desk.add_claim()
    open_several(desk)
    assert cut_connections(postgres_url, database_url) >= 4
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_pages_are_refused_in_the_one_shape_while_postgresql_is_away_and_come_back(
    desk: Desk, database_url: str, postgres_url: str
) -> None:
    fill(desk, 30)
    assert desk.get(PAGES[0]).status_code == 200
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        cut_connections(postgres_url, database_url)
        for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices"):
            sentence = assert_refused(desk.get(page), 503, "database_unavailable")
            assert name not in sentence
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    for page in PAGES:
        assert desk.get(page).status_code == 200


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_pages_are_refused_in_the_one_shape_while_the_sqlite_file_is_away_and_come_back(desk: Desk) -> None:
    fill(desk, 30)
    file = desk.database.file
    assert file is not None
    desk.database.close()
    file.rename(file.with_suffix(".away"))
    file.mkdir()
    for page in (*PAGES, "/api/claims/totals", "/api/purchases/choices"):
        assert_refused(desk.get(page), 503, "database_unavailable")
    file.rmdir()
    file.with_suffix(".away").rename(file)
    for page in PAGES:
        assert desk.get(page).status_code == 200


def test_refused_pages_use_no_connection_up(desk: Desk) -> None:
    fill(desk, 10)
    for _ in range(20):
        assert desk.get(f"{CLAIMS}?limit=5&sort=amount&cursor=WyJhbW91bnQiLCJ4IiwieCJd").status_code == 422
        assert desk.get(f"{CLAIMS}?limit=5&q=a").status_code == 200


# Together more than all buffers hold on their way to a reader.
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
        # The list has begun and cannot go on; everything else can.
        for page in (f"{CLAIMS}?limit=5", f"{CLAIMS}?limit=5&q=ananya", "/api/claims/totals", "/api/users?limit=50"):
            assert client.get(page, headers=token).status_code == 200
        assert client.get(f"{CLAIMS}?limit=1", headers=token).headers["x-total-count"] == str(MANY)
        assert len(json.loads(whole.read())) == MANY


def test_several_desks_share_one_database(open_desk: Callable[..., Desk]) -> None:
    here, there = open_desk(), open_desk()
    fill(here, 30)
    claim_id = here.get(f"{CLAIMS}?limit=1&status=Pending").json()[0]["_id"]
    assert there.move(claim_id, "Accepted").status_code == 200
    assert here.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"
    pending = here.get(f"{CLAIMS}?limit=1&status=Pending").headers["x-total-count"]
    assert pending == there.get(f"{CLAIMS}?limit=1&status=Pending").headers["x-total-count"]
