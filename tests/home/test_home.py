"""Home counts what is in the lists: each number is that of the list it links to."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from countinghouse.claims.tables import claims
from countinghouse.core.migrate import migrate
from countinghouse.core.times import iso, now
from countinghouse.home.tables import day_changes, desk_zone
from countinghouse.home.zone import follow_zone, offsets_of
from countinghouse.purchases.tables import purchases
from tests.contract.rows import fill
from tests.core.earlier_desks import desk_at
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.home.recount import assert_days_are_true, fold_all, tallied

HOME = "/api/home"
INDIA = ZoneInfo("Asia/Kolkata")


def home(desk: Desk, days: int = 30) -> Any:
    answer = desk.get(f"{HOME}?days={days}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def start_of(day: str, zone: ZoneInfo = INDIA, more: int = 0) -> str:
    return iso(datetime.fromisoformat(day).replace(tzinfo=zone) + timedelta(days=more))


def listed(desk: Desk, path: str, **asked: str) -> dict[str, Any]:
    totals = desk.get(f"{path}/totals", params=asked).json()
    return {"count": totals["count"], "amount": totals.get("amount", totals.get("invest"))}


def busy(desk: Desk) -> None:
    """Claims of the last weeks at every status, two admins, purchases to two codes."""
    at = now()
    for place, status in enumerate(("Pending", "Accepted", "On hold", "Paid", "Paid", "Rejected", "Returned")):
        claim_id = desk.add_claim_moved_to(status, by=("asha", "ravi")[place % 2])
        moment = at - timedelta(days=place * 3, hours=place)
        desk.change(update(claims).where(claims.c.id == claim_id).values(created_at=moment, amount_paise=100 + place))
    rows = desk.rows(select(purchases.c.id).order_by(purchases.c.id))
    for place, row in enumerate(rows):
        changed = {"created_at": at - timedelta(days=place * 2), "qr_name": f"Desk {place % 2}"}
        desk.change(update(purchases).where(purchases.c.id == row.id).values(changed))


@pytest.mark.parametrize("is_folded", [False, True])
def test_every_number_is_that_of_its_list(desk: Desk, is_folded: bool) -> None:
    busy(desk)
    if is_folded:
        fold_all(desk)
    shown = home(desk)
    assert shown["today"] == now().astimezone(INDIA).date().isoformat()
    assert [day["day"] for day in shown["days"]][-1] == shown["today"]
    assert len(shown["days"]) == 30
    for day in shown["days"]:
        period = {"from": start_of(day["day"]), "to": start_of(day["day"], more=1)}
        reached = {"reachedFrom": period["from"], "reachedTo": period["to"]}
        assert day["requested"] == listed(desk, "/api/claims", **period)
        assert day["accepted"] == listed(desk, "/api/claims", reached="Accepted", **reached)
        assert day["paid"] == listed(desk, "/api/claims", reached="Paid", **reached)
        assert day["moneyIn"] == listed(desk, "/api/purchases", **period)
    for queue in shown["queues"]:
        assert queue["total"] == listed(desk, "/api/claims", status=queue["status"])
        for age in queue["ages"]:
            asked = {"status": queue["status"]}
            asked |= {"from": start_of(age["firstDay"])} if age["firstDay"] else {}
            asked |= {"to": start_of(age["lastDay"], more=1)} if age["lastDay"] else {}
            assert {"count": age["count"], "amount": age["amount"]} == listed(desk, "/api/claims", **asked)
    for code in shown["codes"]:
        begin = start_of(shown["days"][0]["day"])
        assert code["total"] == listed(desk, "/api/purchases", qrName=code["name"], **{"from": begin})
        assert sum(code["days"]) == code["total"]["amount"]
    assert {person["name"] for person in shown["people"]} == {"asha", "ravi"}
    for person in shown["people"]:
        for name, status in (("accepted", "Accepted"), ("paid", "Paid"), ("held", "On hold"), ("rejected", "Rejected")):
            assert person[name] == listed(desk, "/api/claims", reached=status, reachedBy=person["name"])


def test_the_time_to_payment_is_the_median_and_the_90th_percentile(desk: Desk) -> None:
    at = now()
    for minutes in (1, 2, 7, 30, 90, 91, 200, 1500, 3000, 9000):
        claim_id = desk.add_claim_moved_to("Paid")
        desk.change(update(claims).where(claims.c.id == claim_id).values(created_at=at - timedelta(minutes=minutes)))
    shown = home(desk)
    # 90 minutes are within two hours, and 3,000 minutes within three days.
    assert (shown["medianMinutes"], shown["p90Minutes"]) == (120, 3 * 1440)
    assert (shown["days"][-1]["medianMinutes"], shown["days"][0]["medianMinutes"]) == (120, None)


@on_one_engine
def test_an_empty_desk_has_zeros_and_the_period_is_limited(desk: Desk) -> None:
    shown = home(desk, 90)
    assert len(shown["days"]) == 90
    assert (shown["codes"], shown["people"], shown["medianMinutes"]) == ([], [], None)
    assert [queue["oldestDay"] for queue in shown["queues"]] == [None] * 3
    for days in ("0", "91", "x"):
        assert desk.get(f"{HOME}?days={days}").status_code == 422


def test_a_running_server_folds_the_changes(desk: Desk) -> None:
    busy(desk)
    before = tallied(desk)
    assert desk.rows(select(day_changes.c.id).limit(1))
    fold_all(desk)
    assert desk.rows(select(day_changes.c.id).limit(1)) == []
    assert tallied(desk) == before


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kathmandu", "UTC"])
def test_days_follow_the_time_zone_of_the_settings(desk: Desk, zone: str) -> None:
    fill(desk, 60)
    # On both sides of the change to winter time, and within the hour that comes twice.
    for moment in ("2026-11-01T03:59:59.999999", "2026-11-01T04:00:00", "2026-11-01T05:30:00", "2026-11-02T04:59:59"):
        desk.add_claim(created_at=datetime.fromisoformat(moment).replace(tzinfo=UTC))
    assert follow_zone(desk.database, zone) is True
    assert follow_zone(desk.database, zone) is False
    assert_days_are_true(desk, zone)
    assert home(desk)["timeZone"] == zone
    # What comes later counts on the days of that zone too.
    busy(desk)
    assert_days_are_true(desk, zone)
    assert follow_zone(desk.database, "Asia/Kolkata") is True
    assert_days_are_true(desk)


def test_a_zone_with_summer_time_has_an_offset_for_each_change() -> None:
    offsets = offsets_of(ZoneInfo("Europe/Berlin"))
    assert len(offsets) == 201
    assert (datetime(2026, 3, 29, 1, tzinfo=UTC), 7200) in offsets
    assert (datetime(2026, 10, 25, 1, tzinfo=UTC), 3600) in offsets
    assert [seconds for _, seconds in offsets_of(INDIA)] == [19800]


@pytest.fixture
def earlier(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk_at("0016", blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 60)
        yield desk


def test_rows_from_before_are_counted_by_the_migration(earlier: Desk) -> None:
    migrate(earlier.database)
    assert earlier.rows(select(day_changes.c.id)) == []
    assert [row.zone for row in earlier.rows(select(desk_zone))] == ["Asia/Kolkata"]
    assert_days_are_true(earlier)
    earlier.add_claim_moved_to("Paid")
    assert_days_are_true(earlier)
