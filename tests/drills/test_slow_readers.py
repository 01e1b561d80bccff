"""The short form of the drill with slow readers."""

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.slow_readers import read_slowly
from tests.databases import Template
from tests.servers import started_server


def test_moves_go_on_beside_slow_readers(database_url: str, template: Template) -> None:
    with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        result = read_slowly(
            database_url,
            server,
            template.tokens["asha"],
            claims=3_000,
            seconds=2.0,
            slowest_seconds=BESIDE_OTHER_WORK_SECONDS,
        )
    assert result.faults == ()
    assert result.moves > 0
