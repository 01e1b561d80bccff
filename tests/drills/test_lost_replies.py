"""Ten thousand moves are a drill (`make drill`); this is its short form, with the control that it must catch."""

from drills.lost_replies import lose_replies
from drills.pairs import two_servers


def test_a_retry_under_its_key_gets_its_own_success_back(database_url: str) -> None:
    with two_servers(database_url) as servers:
        result = lose_replies(database_url, servers, moves=100)
    assert result.moves == 100
    assert result.fates["answer lost"] > 0
    assert result.fates["answer cut"] > 0
    assert result.misled == []
    assert result.faults == []


def test_without_keys_some_are_told_that_their_own_success_failed(database_url: str) -> None:
    with two_servers(database_url) as servers:
        result = lose_replies(database_url, servers, moves=100, with_keys=False)
    assert result.faults == []
    assert any("409" in told for told in result.misled)
