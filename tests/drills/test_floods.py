"""The short form of a drill: with `make drill` the floods last for half an hour."""

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.floods import SETTINGS, flood_together
from tests.engines import on_one_engine
from tests.servers import started_server


@on_one_engine
def test_other_calls_are_answered_during_floods_of_logins_pictures_and_stalled_readers(database_url: str) -> None:
    with started_server(database_url, program=None, **SETTINGS) as server:
        found = flood_together(database_url, server, seconds=6, slowest_seconds=BESIDE_OTHER_WORK_SECONDS)
    assert found.faults == [], found
    assert set(found.answered) >= {"GET /api/claims/all", "PUT", "POST /api/admin/login"}
