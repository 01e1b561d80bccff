"""The short form of a drill: with `make drill` the flood lasts for minutes."""

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.picture_flood import flood
from tests.engines import on_one_engine
from tests.servers import started_server


@on_one_engine
def test_a_flood_of_pictures_neither_blocks_other_calls_nor_exhausts_memory(database_url: str) -> None:
    with started_server(database_url) as server:
        found = flood(
            database_url,
            server.url,
            server.process.pid,
            pictures=50,
            seconds=0,
            slowest_seconds=BESIDE_OTHER_WORK_SECONDS,
        )
    assert found.faults == (), found
    assert found.answers[503] > 0
