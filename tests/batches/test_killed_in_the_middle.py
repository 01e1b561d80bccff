"""The long version of this test, with ten thousand claims, is a drill."""

from drills.batches_killed import kill_in_the_middle
from tests.databases import Template


def test_a_batch_continues_after_kill_9_and_moves_nothing_twice(database_url: str, template: Template) -> None:
    killed = kill_in_the_middle(database_url, template.tokens["asha"], rows=400, slowed_by_milliseconds=2)
    assert all(0 < done < 400 for done in killed.done_at_kills)
