"""A hundred admins try to pay one claim at once, on two servers with one database: exactly one succeeds."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import httpx2
from sqlalchemy import insert, select

from countinghouse.admins.tables import admins, sessions
from countinghouse.claims.tables import claim_transitions
from countinghouse.core.ids import new_id
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import now
from tests.desk import Desk
from tests.servers import running_server

# More than the server has threads, to expose a transaction that waits for a thread while it holds the lock.
RACERS = 100


def add_racers(desk: Desk) -> list[str]:
    """Insert the sessions directly: hashing a hundred passwords would take half a minute, and none is needed here."""
    names = [f"racer{number}" for number in range(RACERS)]
    at = now()
    for name in names:
        admin = {"id": new_id(), "username": name, "username_key": name, "password_hash": "none", "created_at": at}
        desk.change(insert(admins).values(admin))
        session = {"token_hash": hash_secret(name), "admin_id": admin["id"], "created_at": at, "last_seen_at": at}
        desk.change(insert(sessions).values(session | {"expires_at": at + timedelta(hours=1)}))
    return names


def test_of_a_hundred_concurrent_moves_exactly_one_succeeds(desk: Desk, database_url: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    racers = add_racers(desk)
    audit_before = len(desk.audit("claim.moved"))
    together = Barrier(RACERS, timeout=60)

    def press(server: str, racer: str) -> httpx2.Response:
        with httpx2.Client(base_url=server, headers={"Authorization": f"Bearer {racer}"}, timeout=30) as client:
            # Wait before connecting, too: the server closes a connection that stays idle for long after a request.
            together.wait()
            assert client.get("/api/admin/me").status_code == 200
            together.wait()
            return client.put(f"/api/claims/{claim_id}/status", json={"status": "Paid"})

    with (
        running_server(database_url) as first,
        running_server(database_url) as second,
        ThreadPoolExecutor(RACERS) as threads,
    ):
        answers = list(threads.map(press, [first, second] * (RACERS // 2), racers))

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: RACERS - 1}
    (winner,) = [racer for racer, answer in zip(racers, answers, strict=True) if answer.status_code == 200]
    losers = [answer.json() for answer in answers if answer.status_code == 409]
    assert {loser["fields"]["by"] for loser in losers} == {winner}
    moves = desk.rows(select(claim_transitions).where(claim_transitions.c.to_status == "Paid"))
    assert [move.moved_by for move in moves] == [winner]
    assert len(desk.audit("claim.moved")) == audit_before + 1
