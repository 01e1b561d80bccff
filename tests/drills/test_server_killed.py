"""The short form of a drill: `make drill` kills the server two hundred times."""

from drills.server_killed import kill_during_moves
from tests.databases import Template


def test_kill_9_during_single_moves_loses_and_repeats_none(database_url: str, template: Template) -> None:
    found = kill_during_moves(database_url, template.tokens["asha"], kills=5)
    assert found.faults == []
    assert found.kills == 5
    assert found.cut_off
