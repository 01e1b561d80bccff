"""What the drills count as a fault: with a judge that accepts everything, every drill would pass."""

import pytest
from sqlalchemy import update

from countinghouse.claims.tables import claims
from drills.clients import Noted
from drills.ledger import Ledger
from drills.trouble import BESIDE_OTHER_WORK, PROMISED, Trouble, judge
from tests.desk import Desk
from tests.engines import on_one_engine

FREEZE = Trouble("frozen", began=100.0, over=108.0)


def noted(status: int | None, *, began: float = 101.0, seconds: float = 1.0, may_retry: bool = True) -> Noted:
    return Noted("GET /readyz", began, began + seconds, status, may_retry, "" if status else "no answer")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (noted(None), "no answer"),
        (noted(500), "answered 500"),
        (noted(401), "answered 401"),
        (noted(429), "answered 429"),
        (noted(503, may_retry=False), "503 without Retry-After"),
        (noted(503, seconds=10.1), "503 after more than 10 s"),
        (noted(200, seconds=10.1), "200 after more than 10 s"),
        (noted(503, began=113.1), "503 while the database was well"),
        (noted(503, began=98.0), "503 while the database was well"),
    ],
)
def test_a_wrong_answer_is_a_fault(wrong: Noted, sentence: str) -> None:
    (fault,) = judge([noted(200), wrong, wrong], [FREEZE], PROMISED)
    assert fault.startswith(f"GET /readyz: {sentence}, 2 times")


def test_successes_conflicts_and_timely_refusals_are_not_faults() -> None:
    fine = [
        noted(200),
        noted(204),
        noted(409),
        noted(422),
        noted(503),
        noted(503, began=112.9),
        noted(503, seconds=9.9),
    ]
    assert judge(fine, [FREEZE], PROMISED) == []


def test_the_short_form_has_a_longer_deadline() -> None:
    assert judge([noted(503, seconds=14.9)], [FREEZE], BESIDE_OTHER_WORK) == []
    (fault,) = judge([noted(503, seconds=15.1)], [FREEZE], BESIDE_OTHER_WORK)
    assert "503 after more than 15 s" in fault


@on_one_engine
def test_lost_or_incomplete_moves_are_faults(desk: Desk, database_url: str) -> None:
    moved, skipped = desk.add_claim_moved_to("Accepted"), desk.add_claim()
    ledger = Ledger({(moved, "Accepted")})
    assert ledger.find_faults(database_url) == []
    ledger.acknowledged.add((skipped, "Accepted"))
    desk.change(update(claims).where(claims.c.id == moved).values(version=7))
    assert ledger.find_faults(database_url) == [
        f"lost: ('{skipped}', 'Accepted') was acknowledged",
        f"not whole: {moved} has 1 moves, 1 audit rows and version 7",
    ]
