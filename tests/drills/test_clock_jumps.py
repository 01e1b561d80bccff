"""The short form of a drill: `make drill` makes hundreds of moves while the clock jumps."""

from drills.clock_jumps import jump


def test_a_clock_that_jumps_by_hours_and_days_locks_nobody_out_and_loses_or_repeats_no_move(database_url: str) -> None:
    result = jump(database_url, claims_a_jump=2)
    assert result.refused == []
    assert result.faults == []
    assert result.jumps == result.logins == 11
    assert result.moves == 44
