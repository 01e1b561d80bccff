"""The short form of a drill: `make drill` sends each kind of junk longer, and over more connections."""

from drills.bystander import BESIDE_OTHER_WORK_SECONDS
from drills.junk import SETTINGS, send_junk
from tests.databases import Template
from tests.engines import on_one_engine
from tests.servers import started_server


@on_one_engine
def test_other_pages_are_answered_while_junk_of_every_kind_arrives(database_url: str, template: Template) -> None:
    with started_server(database_url, **SETTINGS) as server:
        found = send_junk(
            server,
            sender=template.tokens["asha"],
            bystander=template.tokens["ravi"],
            seconds=0.2,
            slowest_seconds=BESIDE_OTHER_WORK_SECONDS,
            connections=(16,),
        )
    assert found.faults == [], found
    assert len(found.outcomes) > 40
