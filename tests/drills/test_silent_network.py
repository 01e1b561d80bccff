"""Ten silences of each kind are a drill (`make drill`); this is its short form."""

import pytest

from drills.silent_network import go_silent

pytestmark = pytest.mark.deadlines


def test_a_silent_network_ends_in_503_and_then_in_normal_service() -> None:
    outcome = go_silent(silences=1, forgets=0, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert any(noted.status == 503 for noted in outcome.notes)


def test_connections_that_the_network_forgot_are_replaced() -> None:
    outcome = go_silent(silences=0, forgets=1, is_long=False)
    assert outcome.faults == [], str(outcome)
