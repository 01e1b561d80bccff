"""Days in the filters of lists are days in the desk's time zone, wherever the client is. The last day is included."""

from datetime import UTC, datetime

import pytest

from countinghouse.core.desk_zone import use_zone
from tests.desk import Desk

FIRST = datetime(2026, 11, 9, 18, 30, tzinfo=UTC)
LISTS = ("/api/claims/all", "/api/purchases/all", "/api/users")


def count(desk: Desk, path: str, **asked: str) -> int:
    """The whole list, a page and the totals agree."""
    whole = desk.get(path, params=asked)
    assert whole.status_code == 200, whole.text
    page = desk.get(path, params={**asked, "limit": "50"})
    totals = desk.get(path.removesuffix("/all") + "/totals", params=asked).json()
    assert len(whole.json()) == len(page.json()) == totals["count"] == int(page.headers["x-total-count"])
    return len(whole.json())


@pytest.mark.parametrize("path", LISTS)
def test_a_day_is_that_of_the_desk(desk: Desk, path: str) -> None:
    for hour, minute in ((18, 29), (18, 30)):
        for day in (9, 10):
            moment = datetime(2026, 11, day, hour, minute, 59, tzinfo=UTC)
            desk.add_user(created_at=moment)
            desk.add_purchase(created_at=moment)
            desk.add_claim(created_at=moment)
    everything = count(desk, path)
    # In India, 10 November is from 18:30 of the day before to 18:30 in UTC.
    within = count(desk, path, **{"from": "2026-11-10T00:00:00+05:30", "to": "2026-11-11T00:00:00+05:30"})
    assert 0 < within < everything
    assert count(desk, path, **{"from": "2026-11-10", "to": "2026-11-10"}) == within
    before, after = count(desk, path, to="2026-11-09"), count(desk, path, **{"from": "2026-11-11"})
    assert before + within + after == everything
    assert count(desk, path, **{"from": "2026-11-11", "to": "2026-11-10"}) == 0


def test_the_day_depends_on_the_setting(desk: Desk) -> None:
    desk.add_claim(created_at=FIRST, moved_at=FIRST, status="Paid")
    assert count(desk, "/api/claims/all", **{"from": "2026-11-10", "to": "2026-11-10"}) == 1
    assert count(desk, "/api/claims/all", movedFrom="2026-11-10", movedTo="2026-11-10") == 1
    use_zone("America/New_York")
    # Written otherwise than above: the parsed query of a page is kept.
    assert count(desk, "/api/claims/all", to="2026-11-09", **{"from": "2026-11-09"}) == 1
    assert count(desk, "/api/claims/all", movedTo="2026-11-09", movedFrom="2026-11-09") == 1


def test_a_day_that_the_clocks_skip_begins_where_they_go_on(desk: Desk) -> None:
    # At midnight of 2018-11-04 in São Paulo the clocks went to one o'clock: 03:00 in UTC.
    use_zone("America/Sao_Paulo")
    desk.add_claim(created_at=datetime(2018, 11, 4, 2, 59, 59, tzinfo=UTC))
    desk.add_claim(created_at=datetime(2018, 11, 4, 3, tzinfo=UTC))
    assert count(desk, "/api/claims/all", to="2018-11-03") == 1
    assert count(desk, "/api/claims/all", **{"from": "2018-11-04"}) == 1


@pytest.mark.parametrize("day", ["2026-02-30", "2026-13-01", "1899-12-31", "9000-01-01", "9999-12-31", "2026-1-1"])
@pytest.mark.parametrize("name", ["from", "to", "movedFrom", "movedTo"])
def test_a_day_that_does_not_exist_is_refused(desk: Desk, name: str, day: str) -> None:
    for path in ("/api/claims/all", "/api/claims/totals"):
        answer = desk.get(path, params={name: day})
        assert answer.status_code == 422, answer.text
        assert list(answer.json()["fields"]) == [name]


@pytest.mark.parametrize("day", ["1900-01-01", "8999-12-31"])
def test_the_first_and_the_last_possible_day_are_accepted(desk: Desk, day: str) -> None:
    desk.add_claim()
    for name in ("from", "to"):
        assert desk.get("/api/claims/all", params={name: day}).status_code == 200
