"""The short form of a drill: `make drill` restarts, kills and freezes the database a hundred times."""

import pytest

from drills.database_restarts import FAST, FROZEN, TERMINATED, disturb

pytestmark = pytest.mark.deadlines


def test_a_database_that_restarts_disconnects_or_freezes_causes_503_and_then_recovers() -> None:
    outcome = disturb((FAST, TERMINATED, FROZEN), times=3, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert outcome.ledger.acknowledged
