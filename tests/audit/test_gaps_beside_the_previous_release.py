"""A server of the previous release seals on beside this version, and gives gaps up by its clock."""

from pathlib import Path

import psycopg
import pytest

from countinghouse.core.migrate import migrate
from countinghouse.settings import Settings
from tests.audit.sealed import INSERT, assert_chained, seal, seal_and_sign, seals, verified
from tests.desk import Desk
from tests.previous_release import PreviousRelease
from tests.waiting import eventually

WITH_A_WRONG_CLOCK = INSERT.replace("now()", "now() - interval '20 minutes'")


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_gap_that_only_the_previous_release_saw_is_remembered(blank_url: str, tmp_path: Path) -> None:
    previous = PreviousRelease.unpacked(tmp_path / "previous")
    desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
    migrate(desk.database)
    with psycopg.connect(blank_url) as late, psycopg.connect(blank_url, autocommit=True) as other:
        with previous.server(blank_url, COUNTINGHOUSE_DATA_DIR=str(tmp_path)):
            other.execute(INSERT)
            eventually(lambda: len(seals(desk)) == len(desk.audit()))
            late.execute(INSERT)
            # The previous release takes a gap below such a row for an old one.
            other.execute(WITH_A_WRONG_CLOCK)
            eventually(lambda: len(seals(desk)) == len(desk.audit()))
        late.commit()
    assert seal(desk) == 1
    assert_chained(desk)
    seal_and_sign(desk, tmp_path)
    code, said = verified(blank_url, tmp_path)
    assert code == 0, said
    desk.close()
