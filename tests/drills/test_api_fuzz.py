"""The short form of a drill: `make drill` makes fifty thousand calls."""

from drills.api_fuzz import fuzz_api

CASES = 1_500


def test_no_fuzzed_call_gets_a_server_error_or_an_answer_that_is_not_described(database_url: str, engine: str) -> None:
    # Boundary values once, where the database is stricter; requests drawn at random on both.
    is_systematic = engine == "postgresql"
    found = fuzz_api(database_url, cases_of_each=3, is_systematic=is_systematic)
    assert found.faults == [], "\n".join(found.faults)
    assert found.accepted >= 60
    if is_systematic:
        assert found.cases >= CASES
