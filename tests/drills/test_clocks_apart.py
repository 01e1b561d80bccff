"""The short form of a drill: `make drill` tries minutes and hours, forward and back, at either server."""

import pytest

from drills.clocks_apart import set_apart

TWENTY_MINUTES = 20 * 60


# On SQLite, which numbers rows when they are committed, only the long form.
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_clocks_of_two_servers_that_differ_by_minutes_leave_no_row_without_a_seal(database_url: str) -> None:
    result = set_apart(database_url, claims_a_jump=2, jumps=[(0, TWENTY_MINUTES), (1, -TWENTY_MINUTES)])
    assert result.faults == []
    assert (result.jumps, result.moves, result.imported) == (2, 16, 2)
