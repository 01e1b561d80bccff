"""An upgrade from any earlier release completes; one that is killed changes nothing and completes later."""

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

# SQLAlchemy cannot read these on SQLite.
pytestmark = pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
REVISIONS = [step.revision for step in list_steps(None)]
SECONDS = 60
# From the first release in the middle, and when everything has run and nothing is committed: whichever step commits by
# itself is found then. From later ones too, because their tables differ.
KILLED_AFTER = {
    REVISIONS[0]: (REVISIONS[len(REVISIONS) // 2], REVISIONS[-1]),
    REVISIONS[len(REVISIONS) // 2]: (REVISIONS[-1],),
    REVISIONS[-2]: (REVISIONS[-1],),
}


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


def kill_an_upgrade(desk: Desk, after: str) -> None:
    url = desk.database.url.render_as_string(hide_password=False)
    killed = forks.Process(target=migrate_and_die, args=(url, after))
    killed.start()
    killed.join(SECONDS)
    assert killed.exitcode == -signal.SIGKILL


def assert_upgrade_completes(desk: Desk, later: list[str]) -> None:
    """`desk` holds forty claims of an earlier release."""
    logged = desk.audit()
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


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_upgrade_from_any_release_completes(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    with desk_at(revision, blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 40, statuses=("Pending", "Accepted", "Paid"))
        later = REVISIONS[REVISIONS.index(revision) + 1 :]
        if revision in KILLED_AFTER:
            before = everything(desk)
            for after in KILLED_AFTER[revision]:
                kill_an_upgrade(desk, after)
                assert run(desk.database.read(read_revision)) == revision
                assert everything(desk) == before
        assert_upgrade_completes(desk, later)
