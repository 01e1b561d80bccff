"""The short form of a drill: `make drill` makes fifty thousand calls, on both engines."""

import pytest

from drills.api_fuzz import fuzz_api

CASES = 1_500


# The stricter engine: PostgreSQL refuses NULs and numbers that SQLite stores. The rest of each answer is the same.
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_no_fuzzed_call_gets_a_server_error_or_an_answer_that_is_not_described(database_url: str) -> None:
    found = fuzz_api(database_url, cases_of_each=1, is_short=True)
    assert found.faults == [], "\n".join(found.faults)
    assert found.accepted >= 60
    assert found.cases >= CASES
