"""The short form of a drill: with `make drill` the network goes silent ten times in each way."""

import pytest

from drills.silent_network import go_silent

pytestmark = pytest.mark.deadlines


def test_a_silent_network_causes_503_and_then_recovers() -> None:
    outcome = go_silent(silences=1, forgets=0, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert any(noted.status == 503 for noted in outcome.notes)


def test_connections_silently_dropped_by_the_network_are_replaced() -> None:
    outcome = go_silent(silences=0, forgets=1, is_long=False)
    assert outcome.faults == [], str(outcome)
