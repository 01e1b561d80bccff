"""Admins and the service go on while their tables become partitions; so does the previous release."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from countinghouse.audit.sealing import has_unsealed
from countinghouse.settings import Settings
from countinghouse.webhooks.tables import webhook_outbox
from tests.cli.command import countinghouse
from tests.core.tallies import assert_tallies_are_true
from tests.desk import Desk
from tests.event_loop import run
from tests.partitions.history import TABLES, grow_log, parts_of
from tests.previous_release import PreviousRelease
from tests.servers import started_server
from tests.two_releases import assert_nothing_is_lost_or_doubled, clients, prepared, settings_of_both
from tests.waiting import eventually
from tests.webhooks.receiver import Receiver

A_MONTH = 3_000


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_this_and_the_previous_release_go_on_while_tables_become_partitions(blank_url: str, tmp_path: Path) -> None:
    previous = PreviousRelease.unpacked(tmp_path / "previous")
    previous.run(blank_url, "demo", "--users", "10", "--purchases", "20", "--claims", "40")
    settings = settings_of_both(tmp_path)
    with ExitStack() as stack:
        receiver = stack.enter_context(Receiver())
        old = stack.enter_context(previous.server(blank_url, **settings))
        traffic = prepared(old, receiver)
        stack.callback(traffic.client.close)
        new = stack.enter_context(started_server(blank_url, program=None, **settings))
        desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
        stack.callback(desk.close)
        # More than a month's worth is added while the tables are checked, if there was next to nothing last month.
        grow_log(desk, A_MONTH)
        with clients(traffic, old.url), clients(traffic, new.url):
            traffic.wait_for_more()
            ended = countinghouse(blank_url, "partition", "--rows", "30")
            assert (ended.returncode, ended.stderr) == (0, "")
            traffic.wait_for_more()
            # The first partition has room for as many rows as there were, those of the clients included.
            grow_log(desk, 2 * A_MONTH)
            traffic.wait_for_more()
        assert all(len(parts_of(desk, table)) > 3 for table in TABLES)
        assert [count > 0 for count in parts_of(desk, "audit_log").values()].count(True) >= 2
        assert traffic.wrong == []
        eventually(lambda: not desk.rows(select(webhook_outbox.c.id).limit(1)))
        assert_nothing_is_lost_or_doubled(desk, traffic)
        assert_tallies_are_true(desk.database)
        eventually(lambda: not run(desk.app_database.read(has_unsealed)))
    verified = countinghouse(blank_url, "audit", "verify", **settings)
    assert (verified.returncode, verified.stderr) == (0, ""), verified.stdout
