"""The short form of a drill: `make drill` sends hundreds of megabytes as each part of an HTTP request."""

import pytest

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.endless_http import attack_endlessly
from drills.impatient_server import be_impatient
from tests.databases import Template
from tests.engines import on_one_engine
from tests.servers import started_server


@pytest.mark.deadlines
@on_one_engine
def test_no_part_of_a_request_can_be_endless(database_url: str, template: Template) -> None:
    with started_server(database_url, program=be_impatient) as server:
        result = attack_endlessly(
            server, template.tokens["asha"], megabytes=20, slowest_seconds=BESIDE_OTHER_WORK_SECONDS
        )
    assert result.faults == ()
    # A few megabytes at most were measured. The limit leaves room for a busy machine.
    assert result.growth_megabytes < 64
