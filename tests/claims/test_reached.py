"""Claims by when they last came to a status, and who moved them there: list, totals and export agree."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert

from countinghouse.claims.tables import claim_transitions
from countinghouse.core.ids import new_id
from countinghouse.core.times import iso
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.exports.downloads import download, read_csv

LIST = "/api/claims/all"
DAY = datetime(2026, 11, 10, tzinfo=UTC)


def moved(desk: Desk, *moves: tuple[str, str, int]) -> str:
    """Each move: the status, who, and how many days after DAY."""
    claim_id = desk.add_claim(moves[-1][0], version=len(moves))
    rows = [
        {
            "id": new_id(),
            "claim_id": claim_id,
            "from_status": "Pending",
            "to_status": status,
            "moved_by": by,
            "moved_at": DAY + timedelta(days=days),
            "number": place,
            "payout_round": place,
        }
        for place, (status, by, days) in enumerate(moves, 1)
    ]
    desk.change(insert(claim_transitions).values(rows))
    return claim_id


def found(desk: Desk, **asked: str) -> set[str]:
    listed = {row["_id"] for row in desk.get(LIST, params=asked).json()}
    assert {row["_id"] for row in desk.get(LIST, params={**asked, "limit": "50"}).json()} == listed
    totals = desk.get("/api/claims/totals", params=asked).json()
    assert (totals["count"], totals["amount"]) == (len(listed), 1937.5 * len(listed))
    assert len(read_csv(download(desk, "claims", **asked))) - 1 == len(listed)
    return listed


def test_each_claim_is_found_at_its_last_arrival(desk: Desk) -> None:
    once = moved(desk, ("Accepted", "asha", 0), ("Paid", "ravi", 1))
    again = moved(desk, ("Accepted", "asha", 0), ("Pending", "asha", 0), ("Accepted", "ravi", 2))
    desk.add_claim()
    assert found(desk, reached="Accepted") == {once, again}
    assert found(desk, reached="Paid") == {once}
    assert found(desk, reached="Rejected") == set()
    first = {"reachedFrom": iso(DAY), "reachedTo": iso(DAY + timedelta(days=1))}
    assert found(desk, reached="Accepted", **first) == {once}
    assert found(desk, reached="Accepted", reachedFrom=first["reachedTo"]) == {again}
    assert found(desk, reached="Accepted", reachedBy="ravi") == {again}
    assert found(desk, reached="Accepted", reachedBy="asha") == {once}
    assert found(desk, reached="Accepted", reachedBy="ravi", **first) == set()
    assert found(desk, reached="Accepted", status="Paid", q="Ananya") == {once}


@on_one_engine
@pytest.mark.parametrize("name", ["reachedFrom", "reachedTo", "reachedBy"])
def test_the_dates_and_the_admin_need_the_status(desk: Desk, name: str) -> None:
    refused = desk.get(LIST, params={name: "2026-11-10T00:00:00Z"})
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [name])
    assert desk.get(LIST, params={"reached": "Nowhere"}).status_code == 422


@on_one_engine
def test_claims_found_so_can_be_moved_together(desk: Desk) -> None:
    claim_id = moved(desk, ("Accepted", "asha", 0))
    planned = desk.call(
        "POST", "/api/batches", json={"status": "Paid", "query": {"reached": "Accepted", "reachedBy": "asha"}}
    )
    assert planned.status_code == 201, planned.text
    assert claim_id in planned.text or planned.json()["count"] == 1
