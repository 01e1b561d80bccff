"""The figures beside the list: the oldest claim of each status, what was paid today and this week, and their lists."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from countinghouse.claims import figures as module
from countinghouse.core import desk_zone
from countinghouse.core.times import iso, now
from tests.desk import Desk, days_before

# A Wednesday in India, still Tuesday in UTC and in New York.
WEDNESDAY = datetime(2026, 11, 17, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _wednesday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_zone, "now", lambda: WEDNESDAY)


def figures(desk: Desk) -> dict[str, Any]:
    answer = desk.get("/api/claims/totals")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["figures"]
    return found


def paid_at(desk: Desk, *moments: datetime, paise: int = 500) -> None:
    for moment in moments:
        desk.add_claim(status="Paid", moved_at=moment, amount_paise=paise)


def paid(since: str, count: int, amount: float | None = None) -> dict[str, Any]:
    return {"since": since, "count": count, "amount": 5 * count if amount is None else amount, "isExact": True}


def test_without_claims_there_is_no_oldest_and_nothing_was_paid(desk: Desk) -> None:
    assert figures(desk) == {"oldest": [], "paidToday": paid("2026-11-18", 0), "paidThisWeek": paid("2026-11-16", 0)}


def test_the_oldest_claim_of_each_status_that_waits(desk: Desk) -> None:
    for status, days in (
        ("Pending", 3),
        ("Pending", 9),
        ("Accepted", 5),
        ("Returned", 60),
        ("Rejected", 50),
        ("Paid", 70),
    ):
        desk.add_claim(status=status, created_at=days_before(days))
    assert figures(desk)["oldest"] == [
        {"status": "Pending", "createdAt": iso(days_before(9))},
        {"status": "Accepted", "createdAt": iso(days_before(5))},
        {"status": "Returned", "createdAt": iso(days_before(60))},
    ]


def test_today_and_the_week_begin_at_midnight_of_the_desk(desk: Desk) -> None:
    midnight = datetime(2026, 11, 17, 18, 30, tzinfo=UTC)
    monday = midnight - timedelta(days=2)
    tick = timedelta(milliseconds=1)
    paid_at(desk, midnight, midnight - tick, monday, monday - tick)
    desk.add_claim(status="Returned", moved_at=midnight)
    found = figures(desk)
    assert found["paidToday"] == paid("2026-11-18", 1)
    assert found["paidThisWeek"] == paid("2026-11-16", 3)
    desk_zone.use_zone("America/New_York")
    found = figures(desk)
    assert found["paidToday"] == paid("2026-11-17", 2)
    assert found["paidThisWeek"] == paid("2026-11-16", 2)


def test_the_list_that_a_figure_leads_to_adds_up_to_it(desk: Desk) -> None:
    for days in range(9):
        paid_at(desk, WEDNESDAY - timedelta(days=days), paise=100 + days)
    for figure, count in (("paidToday", 1), ("paidThisWeek", 3)):
        found = figures(desk)[figure]
        asked = {"status": "Paid", "movedFrom": found["since"]}
        rows = desk.get("/api/claims/all", params=asked).json()
        assert len(rows) == found["count"] == count
        assert round(sum(row["amount"] for row in rows), 2) == found["amount"]
        totals = desk.get("/api/claims/totals", params=asked).json()
        assert (totals["count"], totals["amount"]) == (found["count"], found["amount"])


def test_a_payment_raises_the_figures(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    desk.add_claim_moved_to("Paid")
    found = figures(desk)
    assert [found[name]["count"] for name in ("paidToday", "paidThisWeek")] == [1, 1]


def test_many_payments_are_counted_up_to_a_limit_and_today_first(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COUNTED", 3)
    monkeypatch.setattr(module, "_FIGURES", module.select_figures(3))
    paid_at(desk, *(WEDNESDAY - timedelta(days=1, seconds=each) for each in range(3)), WEDNESDAY)
    found = figures(desk)
    assert found["paidToday"] == paid("2026-11-18", 1)
    assert found["paidThisWeek"] == {"since": "2026-11-16", "count": 3, "amount": None, "isExact": False}


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
