"""The short form of a drill (`make drill` runs two thousand races), with the control case that it must catch."""

from drills.naive_server import be_naive
from drills.pairs import two_servers
from drills.races import race
from tests.engines import on_one_engine


def test_every_race_between_two_servers_has_one_winner(database_url: str) -> None:
    with two_servers(database_url) as servers:
        result = race(database_url, servers, races=30)
    assert result.races == 30
    assert result.faults == ()


@on_one_engine
def test_a_move_that_checks_before_it_writes_is_caught(database_url: str) -> None:
    with two_servers(database_url, be_naive) as servers:
        result = race(database_url, servers, races=30)
    assert any("winners" in fault for fault in result.faults)
    assert any("moves in its history" in fault for fault in result.faults)
