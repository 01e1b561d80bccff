"""The short form of a drill: `make drill` uses the real deadlines, on both engines."""

import pytest

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.impatient_server import be_impatient
from drills.stalled_readers import stall_readers
from tests.databases import Template
from tests.servers import started_server


# Where each list that is being read keeps a connection of the database.
@pytest.mark.deadlines
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_clients_that_stop_reading_are_dropped_and_others_are_answered(database_url: str, template: Template) -> None:
    with started_server(database_url, program=be_impatient) as server:
        result = stall_readers(
            database_url, server, template.tokens["asha"], stalled_seconds=10, slowest_seconds=BESIDE_OTHER_WORK_SECONDS
        )
    assert result.faults == ()
