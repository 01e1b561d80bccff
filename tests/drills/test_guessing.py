"""The short form of a drill: `make drill` adds addresses and a third shape of the attack, on both engines."""

from drills.guessing import guess_for_a_day, patiently, steadily
from tests.engines import on_one_engine

ADDRESSES = 600


@on_one_engine
def test_a_day_of_guesses_from_hundreds_of_addresses_reaches_the_hash_a_hundred_times(database_url: str) -> None:
    day = guess_for_a_day(database_url, steadily, addresses=ADDRESSES)
    assert day.faults == []
    assert (day.guesses, day.logins >= 23) == (ADDRESSES, True)


def test_guesses_made_as_soon_as_they_are_allowed_reach_it_no_more_often(database_url: str) -> None:
    day = guess_for_a_day(database_url, patiently)
    assert day.faults == []
    assert (day.reached > 90, day.logins) == (True, 24)
