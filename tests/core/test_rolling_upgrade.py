"""The previous release serves on while this version migrates its database, and then both serve side by side."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select

from countinghouse.claims.tables import claims
from countinghouse.home.tables import day_changes
from countinghouse.settings import Settings
from countinghouse.webhooks.tables import webhook_outbox
from tests.cli.command import countinghouse
from tests.core.tallies import assert_tallies_are_true
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.home.recount import assert_days_are_true
from tests.live.screens import screen
from tests.previous_release import PreviousRelease
from tests.servers import Server, started_server
from tests.two_releases import (
    LISTS,
    ROWS_IN_A_CALL,
    Traffic,
    assert_nothing_is_lost_or_doubled,
    clients,
    logged_in,
    prepared,
    settings_of_both,
)
from tests.waiting import PATIENCE_SECONDS, eventually
from tests.webhooks.receiver import Receiver


def moved_at_both(traffic: Traffic, old: Server, new: Server, colleague: str, claim_id: str, status: str) -> list[int]:
    """The answers to two admins who move the same claim at the same moment, each at another version."""
    together = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def move(server: Server, token: str) -> int:
        together.wait()
        return traffic.move(server.url, claim_id, status, token)

    with ThreadPoolExecutor(2) as pool:
        return sorted(pool.map(move, (old, new), (traffic.token, colleague)))


def serve_side_by_side(traffic: Traffic, old: Server, new: Server, colleague: str) -> None:
    for first, second in ((old, new), (new, old)):
        with screen(second.port, traffic.token) as open_screen:
            (claim_id,) = traffic.push(first.url, rows=1)
            assert traffic.move(first.url, claim_id, "Accepted") == 200
            open_screen.wait_for_change_of(claim_id)
            assert traffic.move(second.url, claim_id, "Paid") == 200
        for claim_id in traffic.push(second.url):
            for status in ("Accepted", "Paid"):
                assert moved_at_both(traffic, old, new, colleague, claim_id, status) == [200, 409]
    for path in LISTS:
        assert traffic.page_through(old.url, path) == traffic.page_through(new.url, path)


def change_what_only_new_rows_tell(traffic: Traffic, old: Server, new: Server, colleague: str) -> None:
    """Addresses of claims that either has stored, and a password, of which a row of the old one says only that."""
    for first, second in ((old, new), (new, old)):
        (claim_id,) = traffic.push(first.url, rows=1)
        external_id = traffic.ask("GET", f"{new.url}/api/claims/{claim_id}").json()["externalId"]
        corrected = {"version": 0, "address": "9 Park Street, Kolkata 700016"}
        path = f"{second.url}/api/intake/claims/{external_id}"
        assert traffic.ask("PUT", path, token=traffic.key, json=corrected).status_code == 200
        for status in ("Accepted", "Paid"):
            assert traffic.move(first.url, claim_id, status) == 200
    passwords = {"current": PASSWORD, "new": "12345 67890 12345"}
    changed = traffic.ask("PUT", f"{old.url}/api/admin/account/password", token=colleague, json=passwords)
    assert changed.status_code == 204, changed.text


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_previous_release_works_beside_this_one_on_one_database(blank_url: str, tmp_path: Path) -> None:
    previous = PreviousRelease.unpacked(tmp_path / "previous")
    previous.run(blank_url, "demo", "--users", "40", "--purchases", "80", "--claims", "120")
    settings = settings_of_both(tmp_path)
    with ExitStack() as stack, ExitStack() as old_runs:
        receiver = stack.enter_context(Receiver())
        old = old_runs.enter_context(previous.server(blank_url, **settings))
        traffic = prepared(old, receiver)
        stack.callback(traffic.client.close)
        with clients(traffic, old.url):
            traffic.wait_for_more()
            new = stack.enter_context(started_server(blank_url, program=None, **settings))
            pushed = len(traffic.pushed)
            traffic.wait_for_more()
            later = traffic.pushed[pushed + ROWS_IN_A_CALL :]
        assert later, "the previous release inserted claims after the migration"
        added = countinghouse(blank_url, "admin", "add", "meera", "--password-stdin", given=PASSWORD)
        assert added.returncode == 0, added.stderr
        colleague = logged_in(old, "meera", PASSWORD)
        serve_side_by_side(traffic, old, new, colleague)
        change_what_only_new_rows_tell(traffic, old, new, colleague)
        with clients(traffic, new.url):
            old_runs.close()
            traffic.wait_for_more()
        desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
        stack.callback(desk.close)
        eventually(lambda: not desk.rows(select(webhook_outbox.c.id).limit(1)))
        shown = traffic.ask("GET", f"{new.url}/api/claims/{later[-1]}").json()
        assert shown["number"].startswith("C-")
        assert traffic.wrong == []
        assert_nothing_is_lost_or_doubled(desk, traffic)
        numbered = select(func.count(), func.count(claims.c.number), func.count(claims.c.number.distinct()))
        assert len(set(desk.rows(numbered)[0])) == 1
        assert_tallies_are_true(desk.database)
        # Until the new server has folded them: they are read by two statements.
        eventually(lambda: not desk.rows(select(day_changes.c.id).limit(1)))
        assert_days_are_true(desk)
    verified = countinghouse(blank_url, "audit", "verify", **settings)
    assert (verified.returncode, verified.stderr) == (0, ""), verified.stdout
    assert "does not tell the password of 1 admins" in verified.stdout
