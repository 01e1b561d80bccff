"""Hundreds of moves under a jumping clock are a drill (`make drill`); this is its short form."""

from drills.clock_jumps import jump


def test_a_clock_that_jumps_by_hours_and_days_keeps_nobody_out_and_loses_and_doubles_no_move(database_url: str) -> None:
    result = jump(database_url, claims_a_jump=2)
    assert result.refused == []
    assert result.faults == []
    assert result.jumps == result.logins == 11
    assert result.moves == 44
