"""A retry with the same idempotency key gets the lost response and moves nothing."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update

from countinghouse.claims import actions
from countinghouse.claims import move_keys as keys
from countinghouse.claims.tables import claim_transitions, move_keys, payout_references
from countinghouse.core import idempotency
from countinghouse.core.times import iso, now
from tests.desk import Desk
from tests.servers import running_server

RACERS = 16


def moves_made(desk: Desk) -> int:
    return len(desk.rows(select(claim_transitions.c.id)))


def grow_old(desk: Desk, age: timedelta) -> None:
    desk.change(update(move_keys).values(created_at=now() - age))


@pytest.mark.parametrize(
    ("start", "target", "more"),
    [
        ("Pending", "Accepted", {}),
        ("Pending", "Accepted", {"version": 0}),
        ("Accepted", "Paid", {"version": 1, "reference": "N319260012345678"}),
        ("Accepted", "Pending", {}),
        ("On hold", "Pending", {"reason": "All is well."}),
        ("Pending", "Rejected", {"reason": "Not theirs."}),
        ("Paid", "Returned", {"reason": "Account closed."}),
    ],
)
def test_a_retry_gets_the_original_response_and_moves_nothing(
    desk: Desk, start: str, target: str, more: dict[str, Any]
) -> None:
    claim_id = desk.add_claim_moved_to(start)
    first = desk.move(claim_id, target, key="k-1", **more)
    assert first.status_code == 200
    assert first.json() == desk.get(f"/api/claims/{claim_id}").json()
    made, logged = moves_made(desk), len(desk.audit())
    for _ in range(2):
        again = desk.move(claim_id, target, key="k-1", **more)
        assert (again.status_code, again.json()) == (200, first.json())
    assert (moves_made(desk), len(desk.audit())) == (made, logged)


def test_a_retry_gets_the_original_response_even_after_later_moves(desk: Desk) -> None:
    claim_id = desk.add_claim()
    first = desk.move(claim_id, "Accepted", by="asha", key="k-1").json()
    assert desk.move(claim_id, "Paid", by="ravi", key="k-1").status_code == 200
    again = desk.move(claim_id, "Accepted", by="asha", key="k-1")
    assert (again.status_code, again.json()) == (200, first)
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Paid"


def test_a_retry_moves_nothing_even_if_the_same_move_is_possible_again(desk: Desk) -> None:
    """A payment that the bank returned is paid again under a new key. The old key must never pay it."""
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    first = desk.move(claim_id, "Paid", by="asha", key="k-1")
    assert first.status_code == 200
    assert desk.move(claim_id, "Returned", by="asha", reason="Account closed.").status_code == 200
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    made, logged = moves_made(desk), len(desk.audit())
    again = desk.move(claim_id, "Paid", by="asha", key="k-1")
    assert (again.status_code, again.json()) == (200, first.json())
    assert (moves_made(desk), len(desk.audit())) == (made, logged)
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"


def test_the_response_to_a_repeat_without_effect_is_stored_under_its_key_too(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    first = desk.move(claim_id, "Accepted", by="asha", key="k-2")
    assert first.status_code == 200
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    again = desk.move(claim_id, "Accepted", by="asha", key="k-2")
    assert (again.status_code, again.json()) == (200, first.json())
    assert moves_made(desk) == 2


@pytest.mark.parametrize("key", [None, "k-2"])
def test_repeating_ones_own_move_is_marked_as_already_moved(desk: Desk, key: str | None) -> None:
    """Sent from another window under another key: the client must not mistake the response for a second payout."""
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    made = desk.move(claim_id, "Paid", by="asha", key="k-1", version=1)
    assert "Already-Moved-At" not in made.headers
    (paid,) = desk.rows(select(claim_transitions.c.moved_at).where(claim_transitions.c.to_status == "Paid"))
    for _ in range(2):
        again = desk.move(claim_id, "Paid", by="asha", key=key, version=1)
        assert (again.status_code, again.json()) == (200, made.json())
        assert again.headers["Already-Moved-At"] == iso(paid.moved_at)
    # A retry under the original key repeats the request that made the move, so it is not marked.
    assert "Already-Moved-At" not in desk.move(claim_id, "Paid", by="asha", key="k-1", version=1).headers


@pytest.mark.parametrize("change", ["claim", "status", "version", "reason", "reference"])
def test_a_key_reused_for_a_different_move_is_refused(desk: Desk, change: str) -> None:
    claim_id, other_id = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Accepted")
    asked = {"claim": claim_id, "status": "Paid", "version": 1, "reason": "Due.", "reference": "N319260012345678"}
    others = {"claim": other_id, "status": "On hold", "version": 2, "reason": "Late.", "reference": "N999999"}
    assert move_as(desk, asked, "k-1").status_code == 200
    before = moves_made(desk)
    asked[change] = others[change]
    if change == "status":
        del asked["reference"]
    answer = move_as(desk, asked, "k-1")
    assert answer.status_code == 422
    assert answer.json()["code"] == "idempotency_key_reused"
    assert moves_made(desk) == before


def move_as(desk: Desk, asked: dict[str, Any], key: str) -> Any:
    body = dict(asked)
    return desk.move(str(body.pop("claim")), str(body.pop("status")), key=key, **body)


def test_two_admins_can_use_the_same_key(desk: Desk) -> None:
    one, other = desk.add_claim(), desk.add_claim()
    assert desk.move(one, "Accepted", by="asha", key="1").status_code == 200
    assert desk.move(other, "Accepted", by="ravi", key="1").status_code == 200


def test_a_refusal_is_not_stored_under_its_key(desk: Desk) -> None:
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Paid", key="k-1").status_code == 409
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    assert desk.move(claim_id, "Paid", key="k-1").status_code == 200


@pytest.mark.parametrize("key", ["", " ", "a b", "k" * 201, "k\x7f"])
def test_an_invalid_key_is_refused(desk: Desk, key: str) -> None:
    claim_id = desk.add_claim()
    answer = desk.move(claim_id, "Accepted", key=key)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["Idempotency-Key"]
    assert moves_made(desk) == 0


@pytest.mark.parametrize("key", ["k" * 200, "~!@#$%^&*()'\"\\;--"])
def test_a_key_may_contain_any_visible_character(desk: Desk, key: str) -> None:
    claim_id = desk.add_claim()
    assert [desk.move(claim_id, "Accepted", key=key).status_code for _ in range(2)] == [200, 200]
    assert moves_made(desk) == 1


def test_a_key_expires_after_a_day(desk: Desk) -> None:
    claim_id = desk.add_claim()
    first = desk.move(claim_id, "Accepted", by="asha", key="k-1").json()
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    grow_old(desk, timedelta(hours=23, minutes=59))
    assert desk.move(claim_id, "Accepted", by="asha", key="k-1").json() == first
    grow_old(desk, timedelta(hours=24))
    assert desk.move(claim_id, "Accepted", by="asha", key="k-1").status_code == 409


def test_an_expired_key_can_be_used_for_another_move(desk: Desk) -> None:
    one, other = desk.add_claim(), desk.add_claim()
    assert desk.move(one, "Accepted", key="k-1").status_code == 200
    grow_old(desk, timedelta(days=2))
    assert desk.move(other, "Accepted", key="k-1").status_code == 200
    (kept,) = desk.rows(select(move_keys))
    assert kept.claim_id == other


def test_expired_keys_are_deleted_occasionally(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        desk.move(desk.add_claim(), "Accepted", key=f"old-{number}")
    grow_old(desk, timedelta(hours=25))
    monkeypatch.setattr(idempotency, "SWEEPS_ONE_IN", 1)
    desk.move(desk.add_claim(), "Accepted", key="new")
    assert [row.key for row in desk.rows(select(move_keys))] == ["new"]


@pytest.mark.parametrize("with_reference", [False, True])
def test_concurrent_requests_with_one_key_all_succeed_and_move_once(
    desk: Desk, database_url: str, with_reference: bool
) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    body = {"status": "Paid", "version": 1} | ({"reference": "N319260012345678"} if with_reference else {})
    together = Barrier(RACERS, timeout=60)

    def press(server: str) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {desk.tokens['asha']}", "Idempotency-Key": "one-key"}
        with httpx2.Client(base_url=server, headers=headers, timeout=30) as client:
            assert client.get("/api/admin/me").status_code == 200
            together.wait()
            return client.put(f"/api/claims/{claim_id}/status", json=body)

    with (
        running_server(database_url) as first,
        running_server(database_url) as second,
        ThreadPoolExecutor(RACERS) as threads,
    ):
        answers = list(threads.map(press, [first, second] * (RACERS // 2)))

    assert Counter(answer.status_code for answer in answers) == {200: RACERS}
    assert len({answer.text for answer in answers}) == 1
    assert moves_made(desk) == 2
    assert len(desk.audit("claim.moved")) == 2
    assert len(desk.rows(select(payout_references))) == int(with_reference)


def test_one_key_used_for_two_claims_at_once_moves_only_one(desk: Desk, open_desk: Callable[..., Desk]) -> None:
    """Both requests look for the key before either has stored it; the unique constraint refuses the second."""
    desks = [desk, open_desk()]
    claims = [desk.add_claim(), desk.add_claim()]
    together = Barrier(2, timeout=60)

    def press(number: int) -> httpx2.Response:
        together.wait()
        return desks[number].move(claims[number], "Accepted", key="one-key")

    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(press, range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 422]
    assert moves_made(desk) == 1


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("wrong_by", [timedelta(hours=30), timedelta(hours=-30)], ids=str)
def test_a_server_with_a_wrong_clock_neither_forgets_a_key_early_nor_stores_it_as_old(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta
) -> None:
    """Those of other servers are right, and all judge by the clock of the database."""
    monkeypatch.setattr(idempotency, "SWEEPS_ONE_IN", 1)
    first, second = desk.add_claim(), desk.add_claim()
    assert desk.move(first, "Accepted", key="before").status_code == 200
    with monkeypatch.context() as wrong:
        for module in (actions, keys):
            wrong.setattr(module, "now", lambda: now() + wrong_by)
        assert desk.move(second, "Accepted", key="meanwhile").status_code == 200
        refused = [desk.move(desk.add_claim(), "Accepted", key=key).status_code for key in ("before", "meanwhile")]
    refused += [desk.move(desk.add_claim(), "Accepted", key=key).status_code for key in ("before", "meanwhile")]
    assert refused == [422] * 4
