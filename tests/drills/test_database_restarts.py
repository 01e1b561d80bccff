"""A hundred restarts, kills and freezes are a drill (`make drill`); this is its short form."""

import pytest

from drills.database_restarts import FAST, FROZEN, TERMINATED, disturb

pytestmark = pytest.mark.deadlines


def test_a_database_that_is_restarted_cut_off_and_frozen_ends_in_503_and_then_in_normal_service() -> None:
    outcome = disturb((FAST, TERMINATED, FROZEN), times=3, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert outcome.ledger.acknowledged
