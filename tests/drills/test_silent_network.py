"""Ten silences of each kind are a drill (`make drill`); this is its short form."""

import pytest

from drills.silent_network import go_silent

# It measures deadlines of seconds, which a busy machine misses without any fault of the desk's.
pytestmark = pytest.mark.alone


def test_a_silent_network_ends_in_503_within_ten_seconds_and_then_in_normal_service() -> None:
    outcome = go_silent(silences=1, forgets=0)
    assert outcome.faults == [], str(outcome)
    assert any(noted.status == 503 for noted in outcome.notes)


def test_connections_that_the_network_forgot_are_replaced() -> None:
    outcome = go_silent(silences=0, forgets=1)
    assert outcome.faults == [], str(outcome)
