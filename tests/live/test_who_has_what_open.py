"""Which claims other admins have open, on any server, for as long as their tabs keep reporting it."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.live.actions import MOST_TABS
from countinghouse.live.tables import open_claims
from countinghouse.live.tail import OPEN_SECONDS
from tests.core.refusals import assert_refused
from tests.core.sockets import served
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.live.screens import screen
from tests.servers import running_server
from tests.waiting import eventually

TAB, OTHER_TAB = "0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"


def say(desk: Desk, claim_id: Any, *, tab: Any = TAB, by: str = "ravi") -> Response:
    return desk.call("PUT", "/api/live/open", by=by, json={"tab": tab, "claimId": claim_id})


def opened(desk: Desk, claim_id: str, *, tab: str = TAB, by: str = "ravi") -> None:
    assert say(desk, claim_id, tab=tab, by=by).status_code == 204


def test_screens_are_notified_when_another_admin_opens_and_closes_a_claim(desk: Desk, database_url: str) -> None:
    claim_id = desk.add_claim()
    with running_server(database_url) as url, screen(int(url.rsplit(":", 1)[1]), desk.tokens["asha"]) as asha:
        assert asha.named("hello")[0]["openClaims"] == []
        opened(desk, claim_id)
        (row,) = desk.rows(select(open_claims))
        ((opened_by,),) = asha.wait_for("open")
        assert opened_by == {"claimId": claim_id, "by": "ravi", "since": opened_by["since"]}
        opened(desk, claim_id)
        (renewed,) = desk.rows(select(open_claims))
        assert renewed.opened_at == row.opened_at
        assert renewed.seen_at > row.seen_at
        assert say(desk, None).status_code == 204
        assert asha.wait_for("open", 2) == [[opened_by], []]
        assert desk.audit("claim.opened") == []


def test_a_new_screen_gets_the_open_claims_on_connect(desk: Desk) -> None:
    claim_id = desk.add_claim()
    opened(desk, claim_id)
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as asha:
        assert [opened_by["claimId"] for opened_by in asha.named("hello")[0]["openClaims"]] == [claim_id]


def test_ones_own_tabs_are_not_listed_and_two_tabs_of_another_admin_only_once(desk: Desk) -> None:
    claim_id, next_id = desk.add_claim(), desk.add_claim()
    opened(desk, claim_id, tab=TAB, by="ravi")
    opened(desk, claim_id, tab=OTHER_TAB, by="ravi")
    with (
        served(desk.client.app) as port,
        screen(port, desk.tokens["asha"]) as asha,
        screen(port, desk.tokens["ravi"]) as ravi,
    ):
        assert len(asha.named("hello")[0]["openClaims"]) == 1
        assert ravi.named("hello")[0]["openClaims"] == []
        opened(desk, next_id, tab=TAB, by="ravi")
        assert {opened_by["claimId"] for opened_by in asha.wait_for("open")[0]} == {claim_id, next_id}
        opened(desk, next_id, tab="a-tab-of-ashas-own", by="asha")
        assert [opened_by["by"] for opened_by in ravi.wait_for("open")[0]] == ["asha"]
        assert len(ravi.named("open")) == len(asha.named("open")) == 1


def test_a_silent_tab_expires_and_its_row_is_deleted(desk: Desk) -> None:
    opened(desk, desk.add_claim())
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as asha:
        assert len(asha.named("hello")[0]["openClaims"]) == 1
        desk.change(update(open_claims).values(seen_at=now() - timedelta(seconds=26)))
        assert asha.wait_for("open") == [[]]
    opened(desk, desk.add_claim(), tab=OTHER_TAB)
    assert [row.tab for row in desk.rows(select(open_claims))] == [OTHER_TAB]


def test_an_expired_tab_that_reports_again_gets_a_new_opening_time(desk: Desk) -> None:
    opened(desk, claim_id := desk.add_claim())
    long_ago = now() - timedelta(hours=1)
    desk.change(update(open_claims).values(opened_at=long_ago, seen_at=long_ago))
    opened(desk, claim_id)
    (row,) = desk.rows(select(open_claims))
    assert row.opened_at > long_ago


def test_the_next_admin_in_a_tab_replaces_its_row_but_cannot_close_the_previous_admins(desk: Desk) -> None:
    opened(desk, desk.add_claim(), by="ravi")
    assert say(desk, None, by="asha").status_code == 204
    assert len(desk.rows(select(open_claims))) == 1
    opened(desk, mine := desk.add_claim(), by="asha")
    assert [row.claim_id for row in desk.rows(select(open_claims))] == [mine]


def test_a_claim_that_does_not_exist_is_refused(desk: Desk) -> None:
    assert_refused(say(desk, new_id()), 404, "claim_not_found")
    assert desk.rows(select(open_claims)) == []


def test_an_admin_with_very_many_tabs_is_shown_with_the_last_ones(desk: Desk) -> None:
    claim_id = desk.add_claim()
    tabs = [f"tab-number-{number:08}" for number in range(MOST_TABS + 5)]
    for tab in tabs:
        opened(desk, claim_id, tab=tab)
    opened(desk, claim_id, tab=OTHER_TAB, by="asha")
    rows = desk.rows(select(open_claims.c.tab))
    assert {row.tab for row in rows} == {*tabs[-MOST_TABS:], OTHER_TAB}


def test_a_tab_that_says_many_things_at_once_is_never_failed(desk: Desk) -> None:
    claim_ids = [desk.add_claim() for _ in range(4)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda turn: say(desk, [*claim_ids, None][turn % 5]), range(300)))
    assert {answer.status_code for answer in answers} == {204}
    opened(desk, claim_ids[0])
    assert [row.claim_id for row in desk.rows(select(open_claims))] == [claim_ids[0]]


@on_one_engine
def test_screens_hear_of_a_flood_of_openings_once_a_second(desk: Desk) -> None:
    """One admin who opens and closes claims as fast as possible."""
    pair = [desk.add_claim(), desk.add_claim()]
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as asha:
        began = time.monotonic()
        for turn in range(60):
            opened(desk, pair[turn % 2])
            time.sleep(0.05)
        seconds = time.monotonic() - began
        opened(desk, last := desk.add_claim())
        eventually(lambda: [one["claimId"] for one in asha.named("open")[-1]] == [last])
        assert 2 <= len(asha.named("open")) <= seconds / OPEN_SECONDS + 3


@on_one_engine
@pytest.mark.parametrize(
    ("tab", "claim_id", "field"),
    [
        ("short", None, "tab"),
        ("x" * 41, None, "tab"),
        ("<script>alert(1)</script>", None, "tab"),
        (7, None, "tab"),
        (TAB, "not an id", "claimId"),
        (TAB, "0" * 23, "claimId"),
        (TAB, 12, "claimId"),
    ],
)
def test_invalid_ids_are_refused(desk: Desk, tab: Any, claim_id: Any, field: str) -> None:
    answer = say(desk, claim_id, tab=tab)
    assert_refused(answer, 422, "invalid_input")
    assert list(answer.json()["fields"]) == [field]
    assert desk.rows(select(open_claims)) == []
