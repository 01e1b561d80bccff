"""A request whose body takes long: whoever has lost the right meanwhile gets nothing done."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from sqlalchemy import func, select

from countinghouse.admins.actions import change_role
from countinghouse.admins.permissions import Role
from countinghouse.audit.actions import COMMAND
from countinghouse.claims.tables import claims
from countinghouse.core.http import checked_route
from countinghouse.core.http.checked_route import SLOW_SECONDS
from countinghouse.purchases.tables import purchase_proofs
from countinghouse.users.tables import users
from tests.core.sockets import connected, read_answer
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.intake.pushing import a_purchase, a_user, add_key, push, pushed
from tests.pictures import without_a_code
from tests.servers import Server, started_server


@pytest.fixture
def server(desk: Desk) -> Iterator[Server]:
    with started_server(desk.settings.database) as server:
        yield server


def ask_slowly(server: Server, request: str, token: str, body: bytes, meanwhile: Callable[[], object]) -> bytes:
    """Sends all but the last byte, waits, and sends that byte once `meanwhile` has happened."""
    head = f"{request} HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer {token}\r\nIdempotency-Key: slow\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with connected(server.port) as client:
        client.sendall(head.encode() + body[:-1])
        time.sleep(SLOW_SECONDS + 0.2)
        meanwhile()
        client.sendall(body[-1:])
        return read_answer(client)


def revoke_the_key(desk: Desk) -> None:
    (key,) = desk.get("/api/keys").json()
    assert desk.call("POST", f"/api/keys/{key['_id']}/revoke").status_code == 200


@on_one_engine
def test_an_admin_who_lost_the_role_pays_nothing(desk: Desk, server: Server) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    demote = partial(change_role, actor=COMMAND, username="asha", role=Role.VIEWER)
    request, body = f"PUT /api/claims/{claim_id}/status", b'{"status": "Paid"}'
    answer = ask_slowly(server, request, desk.tokens["asha"], body, lambda: run(desk.database.write(demote)))
    assert answer.startswith(b"HTTP/1.1 401 "), answer
    assert desk.rows(select(claims.c.status)) == [("Accepted",)]


@on_one_engine
def test_a_revoked_key_stores_nothing(desk: Desk, server: Server) -> None:
    key, body = add_key(desk), json.dumps(a_user()).encode()
    answer = ask_slowly(server, "POST /api/intake/users", key, body, lambda: revoke_the_key(desk))
    assert answer.startswith(b"HTTP/1.1 401 "), answer
    assert b"was revoked" in answer
    assert desk.rows(select(func.count()).select_from(users)) == [(0,)]


@on_one_engine
def test_a_revoked_key_proves_nothing(desk: Desk, server: Server) -> None:
    key = add_key(desk)
    pushed(desk, key, "users", a_user())
    pushed(desk, key, "purchases", a_purchase())
    answer = ask_slowly(
        server, "PUT /api/intake/purchases/p-1/proof", key, without_a_code(), lambda: revoke_the_key(desk)
    )
    assert answer.startswith(b"HTTP/1.1 401 "), answer
    assert desk.rows(select(func.count()).select_from(purchase_proofs)) == [(0,)]


@on_one_engine
def test_a_slow_call_of_a_key_is_counted_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_route, "SLOW_SECONDS", 0)
    key, quota = add_key(desk), desk.settings.key_calls_per_minute
    assert f";r={quota - 1};" in push(desk, key, "users", a_user()).headers["RateLimit"]
