"""The short form of a drill (`make drill` runs fifty pushers of ten thousand rows)."""

from drills.pushers import push_together
from tests.databases import Template


def test_rows_pushed_together_over_a_lossy_line_are_stored_once(database_url: str, template: Template) -> None:
    result = push_together(database_url, template.tokens["asha"], pushers=12, rows=300)
    assert result.faults == []
    assert result.with_findings > 50
    assert result.fates["answer lost"]
