"""Purchases inserted directly into the database are checked as well: by the server or by a command."""

import time
from datetime import UTC, datetime
from signal import SIGTERM

import pytest
from sqlalchemy import func, select, update

from countinghouse.purchases import actions
from countinghouse.purchases.tables import purchases
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.purchases.purchases import check, codes, found
from tests.servers import STOP_SECONDS, started_server

PATIENCE_SECONDS = 20.0
ENDS_OF_TIME = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC))


def insert_directly(desk: Desk, count: int) -> None:
    user_id = desk.add_user()
    for number in range(count):
        desk.add_purchase(user_id=user_id, upi_id=f"6319{number // 2:08}", invest_paise=1000 + number)


def count_unseen(desk: Desk) -> int:
    return int(desk.rows(select(func.count()).where(purchases.c.findings.is_(None)))[0][0])


def test_a_running_server_checks_directly_inserted_purchases_within_seconds(desk: Desk, database_url: str) -> None:
    insert_directly(desk, 6)
    with started_server(database_url) as server:
        for _ in range(2):
            deadline = time.monotonic() + PATIENCE_SECONDS
            while count_unseen(desk) and time.monotonic() < deadline:
                time.sleep(0.1)
            assert list(codes(desk).values()) == [["repeated"]] * len(codes(desk))
            # Purchases inserted while it runs are checked as well.
            insert_directly(desk, 2)
        server.process.terminate()
        # Exited normally or by the signal, but was not killed for taking too long, and logged no error.
        assert server.process.wait(STOP_SECONDS) in (0, -SIGTERM)
        assert "Traceback" not in server.said()
        assert "purchase_watch_troubled" not in server.said()


def test_the_command_checks_the_unchecked_purchases_or_all(desk: Desk, database_url: str) -> None:
    insert_directly(desk, 6)
    for words, count in (((), 6), ((), 0), (("--all",), 6)):
        ended = countinghouse(database_url, "purchases", "check", *words)
        assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (0, f"Checked {count} purchases.\n", "")
        assert list(codes(desk).values()) == [["repeated"]] * 6


@on_one_engine
def test_each_transaction_checks_a_limited_number_of_purchases(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    insert_directly(desk, 7)
    check(desk)
    expected = found(desk)
    desk.change(purchases.update().values(findings=None, reference_key=None))
    monkeypatch.setattr(actions, "CHECKED_TOGETHER", 3)
    left = []
    while run(actions.check_unchecked(desk.database)):
        left.append(count_unseen(desk))
    assert left == [4, 1, 0]
    assert found(desk) == expected


def test_a_placeholder_date_does_not_stop_the_check_of_other_purchases(desk: Desk) -> None:
    """Some programs write the first or the last possible date when they have none."""
    for moment in ENDS_OF_TIME:
        for reference in ("631902345678", "999902345678", "HDFCH99999123456"):
            desk.add_purchase(created_at=moment, upi_id=reference)
    insert_directly(desk, 2)
    assert run(actions.check_unchecked(desk.database)) == 8
    assert list(codes(desk).values())[-2:] == [["repeated"]] * 2


def test_findings_that_are_not_json_do_not_make_the_page_unreadable(desk: Desk) -> None:
    _, broken = desk.add_purchase()
    _, whole = desk.add_purchase()
    desk.change(update(purchases).where(purchases.c.id == broken).values(findings="typed by hand"))
    rows = desk.get("/api/purchases/all?limit=10").json()
    assert {row["_id"] for row in rows} == {broken, whole}
    assert [row["findings"] for row in rows if row["_id"] == broken] == [[]]
