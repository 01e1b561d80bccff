"""Queues of waiting claims and claims paid today: counts, sums and the oldest claim."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.claims.tables import claims
from countinghouse.core.times import iso, now
from tests.desk import Desk, days_before

QUEUES = ["Pending", "Accepted", "On hold", "Paid today"]


def queues(desk: Desk, **params: str) -> dict[str, Any]:
    answer = desk.get("/api/claims/queues", params=params)
    assert answer.status_code == 200, answer.text
    assert [queue["queue"] for queue in answer.json()] == QUEUES
    return {queue["queue"]: (queue["count"], queue["amount"], queue["oldestAt"]) for queue in answer.json()}


def test_without_claims_the_queues_are_empty(desk: Desk) -> None:
    assert queues(desk) == dict.fromkeys(QUEUES, (0, 0, None))
    statuses = [queue["status"] for queue in desk.get("/api/claims/queues").json()]
    assert statuses == ["Pending", "Accepted", "On hold", "Paid"]


def test_each_queue_has_a_count_a_sum_and_its_oldest_claim(desk: Desk) -> None:
    for status, days, paise in (
        ("Pending", 3, 1_050),
        ("Pending", 9, 2_000),
        ("Accepted", 5, 7),
        ("On hold", 40, 100),
        ("Rejected", 50, 9_999),
        ("Returned", 60, 9_999),
    ):
        desk.add_claim(status=status, created_at=days_before(days), amount_paise=paise)
    assert queues(desk) == {
        "Pending": (2, 30.5, iso(days_before(9))),
        "Accepted": (1, 0.07, iso(days_before(5))),
        "On hold": (1, 1, iso(days_before(40))),
        "Paid today": (0, 0, None),
    }


def test_a_move_takes_a_claim_to_another_queue(desk: Desk) -> None:
    claim_id = desk.add_claim(amount_paise=500)
    for target, queue in (("Accepted", "Accepted"), ("Paid", "Paid today")):
        desk.move(claim_id, target)
        found = queues(desk)
        assert {name: found[name][0] for name in QUEUES} == {name: int(name == queue) for name in QUEUES}
        assert found[queue][1] == 5


def test_paid_today_starts_at_the_given_moment(desk: Desk) -> None:
    began = now() - timedelta(hours=3)
    for before in (timedelta(), timedelta(milliseconds=1), timedelta(days=2)):
        claim_id = desk.add_claim_moved_to("Paid")
        desk.change(update(claims).where(claims.c.id == claim_id).values(moved_at=began - before))
    desk.add_claim_moved_to("Returned")
    desk.add_claim(status="Paid")
    assert queues(desk, since=iso(began))["Paid today"][0] == 1
    assert queues(desk, since=iso(began - timedelta(milliseconds=1)))["Paid today"][0] == 2
    assert queues(desk, since=iso(began - timedelta(days=9)))["Paid today"][0] == 3


@pytest.mark.parametrize("since", ["yesterday", "2026-11-15", "2026-11-15T00:00:00"])
def test_a_since_parameter_without_time_and_offset_is_refused(desk: Desk, since: str) -> None:
    assert desk.get("/api/claims/queues", params={"since": since}).status_code == 422


def test_the_list_can_be_filtered_by_when_claims_were_moved(desk: Desk) -> None:
    began = now()
    moments: dict[str, timedelta | None] = {}
    for number, (status, after) in enumerate(
        [("Paid", 0), ("Paid", 1), ("Accepted", 1), ("Paid", 5), ("Pending", None), ("On hold", -3)]
    ):
        moved = None if after is None else timedelta(hours=after)
        claim_id = desk.add_claim(
            status=status, created_at=days_before(number), moved_at=None if moved is None else began + moved
        )
        moments[claim_id] = moved

    def found(**asked: str) -> list[str]:
        page = desk.get("/api/claims/all", params={**asked, "limit": "50"})
        assert page.status_code == 200, page.text
        whole = desk.get("/api/claims/all", params=asked).json()
        assert page.json() == whole
        assert page.headers["x-total-count"] == str(len(whole))
        assert desk.get("/api/claims/totals", params=asked).json()["count"] == len(whole)
        return [row["_id"] for row in whole]

    def within(first: float, last: float) -> list[str]:
        lowest, highest = timedelta(hours=first), timedelta(hours=last)
        return [claim_id for claim_id, moved in moments.items() if moved is not None and lowest <= moved < highest]

    def at(hours: float) -> str:
        return iso(began + timedelta(hours=hours))

    assert found(movedFrom=at(0)) == within(0, 99)
    assert found(movedTo=at(1)) == within(-99, 1)
    assert found(movedFrom=at(1), movedTo=at(5)) == within(1, 5)
    assert found(movedFrom=at(9)) == []
    assert len(found(movedFrom=at(0), status="Paid")) == 3
    assert len(found(movedFrom=at(1), status="Paid", q="ananya")) == 2
    assert len(found(movedFrom=at(-9), minAmount="1")) == 5
    assert desk.get("/api/claims/all", params={"movedFrom": "x"}).status_code == 422


def test_the_list_can_be_filtered_by_status(desk: Desk) -> None:
    statuses = ("Pending", "Accepted", "Paid", "On hold", "Rejected", "Returned")
    every = {desk.add_claim(status=status): status for status in statuses}
    for claim_id, status in every.items():
        rows = desk.get("/api/claims/all", params={"status": status, "limit": "9"}).json()
        assert [row["_id"] for row in rows] == [claim_id]
    totals = desk.get("/api/claims/totals").json()["byStatus"]
    assert [(total["status"], total["count"]) for total in totals] == [(status, 1) for status in statuses]
