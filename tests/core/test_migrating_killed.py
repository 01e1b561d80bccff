"""An upgrade from any earlier release that is killed changes nothing, and completes at the next start."""

import signal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from countinghouse.core.migrate import list_steps, migrate, read_revision
from tests.contract.rows import CLAIMS, LISTS, fill, walk
from tests.core.dying import migrate_and_die
from tests.core.earlier_desks import desk_at
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import Desk
from tests.event_loop import run
from tests.warm import forks

REVISIONS = [step.revision for step in list_steps(None)]
SECONDS = 60


def everything(desk: Desk) -> dict[str, Any]:
    """The definition and the rows of each table."""
    with desk.database.reading() as connection:
        inspector = inspect(connection)
        return {
            name: (
                str(inspector.get_columns(name)),
                sorted((str(index["name"]), str(index["column_names"])) for index in inspector.get_indexes(name)),
                sorted(map(str, connection.execute(text(f'SELECT * FROM "{name}"')).all())),
            )
            for name in inspector.get_table_names()
            # SQLite's search tables cannot be read as a whole.
            if not name.endswith("_pieces") and "_pieces_" not in name
        }


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_upgrade_from_any_release_that_is_killed_changes_nothing_and_completes_later(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    with desk_at(revision, blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 40, statuses=("Pending", "Accepted", "Paid"))
        before, logged = everything(desk), desk.audit()
        place = REVISIONS.index(revision)
        later = REVISIONS[place + 1 :]
        # In the middle, or when everything has run and nothing is committed.
        after = later[len(later) // 2] if place % 2 else later[-1]
        url = desk.database.url.render_as_string(hide_password=False)
        killed = forks.Process(target=migrate_and_die, args=(url, after))
        killed.start()
        killed.join(SECONDS)
        assert killed.exitcode == -signal.SIGKILL
        assert run(desk.database.read(read_revision)) == revision
        assert everything(desk) == before
        applied: list[str] = []
        migrate(desk.database, applied.append)
        assert applied == later
        assert desk.audit() == logged
        assert_tallies_are_true(desk.database)
        assert_searches_are_true(desk.database)
        for path, count in zip(LISTS, (40, 21, 11), strict=True):
            whole = desk.get(path).json()
            assert len(whole) == count
            assert walk(desk, path, {"limit": "7"}) == whole
        pending = desk.get(f"{CLAIMS}?status=Pending").json()
        assert desk.move(pending[0]["_id"], "Accepted").status_code == 200
        (moved,) = desk.audit("claim.moved")
        assert moved.seq > logged[-1].seq
