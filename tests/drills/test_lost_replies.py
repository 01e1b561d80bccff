"""The short form of a drill (`make drill` makes ten thousand moves), with the control case that it must catch."""

from drills.lost_replies import lose_replies
from drills.pairs import two_servers


def test_a_retry_with_its_idempotency_key_gets_the_original_success(database_url: str) -> None:
    with two_servers(database_url) as servers:
        result = lose_replies(database_url, servers, moves=100)
    assert result.moves == 100
    assert result.fates["answer lost"] > 0
    assert result.fates["answer cut"] > 0
    assert result.misled == []
    assert result.faults == []


def test_without_keys_some_clients_get_409_for_their_own_success(database_url: str) -> None:
    with two_servers(database_url) as servers:
        result = lose_replies(database_url, servers, moves=100, with_keys=False)
    assert result.faults == []
    assert any("409" in reply for reply in result.misled)
