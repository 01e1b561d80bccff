from collections.abc import Callable
from pathlib import Path

import pytest

from drills.backups import back_up_under_load, fill_large_desk
from tests.databases import Template


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("many pending", lambda desk: fill_large_desk(desk, 4_000))


def test_a_backup_during_moves_is_restored_with_equal_totals(
    database_url: str, blank_url: str, tmp_path: Path, template: Template
) -> None:
    kept = back_up_under_load(database_url, blank_url, tmp_path, template.tokens["asha"])
    assert kept.faults == []
    assert kept.claims == 4_000
    assert kept.audit_rows > 8_000
