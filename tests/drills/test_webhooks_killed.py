"""The short form of a drill: `make drill` kills more often."""

from drills.webhooks_killed import kill_while_sending
from tests.databases import Template


def test_kill_9_of_a_sender_loses_no_event_and_keeps_the_order(database_url: str, template: Template) -> None:
    found = kill_while_sending(database_url, template.tokens["asha"], kills=2)
    assert found.faults == []
    assert found.kills == 2
    assert found.requests > found.events
