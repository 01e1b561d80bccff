from pathlib import Path

from drills.import_killed import import_and_kill
from tests.importing.formats import write_archive
from tests.importing.synthetic import Service


def test_an_import_that_is_killed_is_complete_in_the_end(database_url: str, tmp_path: Path) -> None:
    service = Service(users=300, purchases=300, claims=500)
    result = import_and_kill(database_url, service, write_archive, tmp_path, kills=1, longest_wait_seconds=0.05)
    assert result.faults == []
    assert result.kills == 1
