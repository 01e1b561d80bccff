"""Every change is sent at least once, whatever the commit order and wherever the connection was lost."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import psycopg
import pytest

from countinghouse.audit import actions
from countinghouse.audit.actions import Actor, record
from countinghouse.claims.resource import ClaimVerb
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.live import marks, queries, tail
from countinghouse.live.marks import LogMark
from countinghouse.live.queries import MOST_ROWS
from tests.audit.sealed import seal
from tests.core.sockets import served
from tests.desk import Desk
from tests.event_loop import run
from tests.live.screens import Screen, screen
from tests.servers import started_server

true_monotonic = time.monotonic

on_postgresql = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

INSERT = "INSERT INTO audit_log (at, actor, verb, subject_id) VALUES (now(), 'ravi', 'claim.moved', %s) RETURNING seq"


@contextmanager
def begun(database_url: str, subject_id: str) -> Iterator[tuple[psycopg.Connection[Any], int]]:
    """An uncommitted audit row: it already has its sequence number."""
    with psycopg.connect(database_url) as connection:
        row = connection.execute(INSERT, (subject_id,)).fetchone()
        assert row is not None
        yield connection, row[0]


def write(desk: Desk, *subjects: str) -> None:
    after = {"status": "Paid", "version": 2}

    async def record_all(transaction: Transaction) -> None:
        for subject_id in subjects:
            await record(transaction, Actor("ravi"), ClaimVerb.MOVED, subject_id, after=after)

    run(desk.database.write(record_all))


@on_postgresql
def test_a_change_committed_after_a_later_one_is_sent(desk: Desk, database_url: str) -> None:
    first, second = new_id(), new_id()
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        with begun(database_url, first) as (connection, number):
            write(desk, second)
            opened.wait_for_change_of(second)
            # A client that resumes from this id must still get the first change.
            assert opened.mark is not None
            assert opened.mark < number
            connection.commit()
            opened.wait_for_change_of(first)
        assert opened.mark == number + 1


@on_postgresql
@pytest.mark.parametrize("is_tail_kept", [True, False])
def test_a_late_commit_is_sent_after_a_reconnect_in_between(desk: Desk, database_url: str, is_tail_kept: bool) -> None:
    first, second = new_id(), new_id()
    with served(desk.client.app) as port, ExitStack() as others, begun(database_url, first) as (connection, number):
        if is_tail_kept:
            others.enter_context(screen(port, desk.tokens["ravi"]))
        with screen(port, desk.tokens["asha"]) as opened:
            write(desk, second)
            opened.wait_for_change_of(second)
        with screen(port, desk.tokens["asha"], after=opened.mark) as opened:
            opened.wait_for("counts")
            assert second in _subjects(opened)
            # The connection may be lost again after any event, so every id must precede the uncommitted row.
            assert all(event.mark is not None and event.mark < number for event in opened.heard)
            connection.commit()
            opened.wait_for_change_of(first)


@on_postgresql
def test_a_late_commit_is_sent_if_it_happened_while_the_screen_was_disconnected(desk: Desk, database_url: str) -> None:
    first, second = new_id(), new_id()
    with served(desk.client.app) as port, begun(database_url, first) as (connection, _):
        with screen(port, desk.tokens["asha"]) as opened:
            write(desk, second)
            opened.wait_for_change_of(second)
        connection.commit()
        with screen(port, desk.tokens["asha"], after=opened.mark) as opened:
            opened.wait_for_change_of(first)


@on_postgresql
def test_a_change_uncommitted_when_the_first_screen_connects_is_sent(desk: Desk, database_url: str) -> None:
    first, second = new_id(), new_id()
    with served(desk.client.app) as port, begun(database_url, first) as (connection, number):
        write(desk, second)
        with screen(port, desk.tokens["asha"]) as opened:
            assert opened.named("hello")[0]["after"] < number
            connection.commit()
            opened.wait_for_change_of(first)


@on_postgresql
def test_the_gap_of_a_rolled_back_change_is_given_up_when_the_log_is_sealed(desk: Desk, database_url: str) -> None:
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        with begun(database_url, new_id()) as (connection, number):
            connection.rollback()
        write(desk, after := new_id())
        opened.wait_for_change_of(after)
        assert opened.heard[-1].mark == number - 1

        def is_past(screen: Screen) -> bool:
            write(desk, new_id())
            seal(desk)
            return screen.mark is not None and screen.mark > number

        opened.wait_until(is_past)


@on_postgresql
@pytest.mark.parametrize("wrong_by", [timedelta(minutes=20), -timedelta(minutes=20)], ids=str)
@pytest.mark.parametrize("is_open_before", [True, False])
def test_a_late_commit_is_sent_however_long_it_took_and_whatever_the_clock_says(
    desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta, *, is_open_before: bool
) -> None:
    for module in (actions, queries):
        monkeypatch.setattr(module, "now", lambda: now() + wrong_by, raising=False)
    first, second = new_id(), new_id()
    with served(desk.client.app) as port, ExitStack() as screens, begun(database_url, first) as (connection, _):
        if is_open_before:
            opened = screens.enter_context(screen(port, desk.tokens["asha"]))
        write(desk, second)
        seal(desk)
        if is_open_before:
            opened.wait_for_change_of(second)
        else:
            opened = screens.enter_context(screen(port, desk.tokens["asha"]))
        monkeypatch.setattr(time, "monotonic", lambda: true_monotonic() + 300)
        write(desk, third := new_id())
        opened.wait_for_change_of(third)
        connection.commit()
        opened.wait_for_change_of(first)


def test_eight_writers_and_reconnecting_screens_lose_nothing(desk: Desk, database_url: str) -> None:
    """Each screen uses a different server and reconnects again and again."""
    subjects = [[new_id() for _ in range(25)] for _ in range(8)]
    everything = {subject for mine in subjects for subject in mine}

    async def record_slowly(transaction: Transaction, place: int, subject_id: str) -> None:
        await record(transaction, Actor("ravi"), ClaimVerb.MOVED, subject_id)
        if not desk.database.is_sqlite:
            # Makes the commit order differ from the order of the sequence numbers.
            await transaction.command(f"SELECT pg_sleep({0.003 * (place % 5)})")

    def work(mine: list[str]) -> None:
        for place, subject_id in enumerate(mine):
            run(desk.database.write(partial(record_slowly, place=place, subject_id=subject_id)))

    def follow(port: int, heard: set[str], problems: list[BaseException]) -> None:
        mark: int | None = None
        try:
            while not heard >= everything:
                with screen(port, desk.tokens["asha"], mark) as opened:
                    if mark is None:
                        all_listen.wait()
                    opened.wait_until(partial(_has_heard, heard, min(len(heard) + 20, len(everything))))
                    heard |= _subjects(opened)
                    mark = opened.mark
                    assert opened.named("reset") == []
        except BaseException as problem:
            problems.append(problem)
            raise

    problems: list[BaseException] = []
    all_listen = threading.Barrier(3, timeout=60)
    heard: list[set[str]] = [set(), set()]
    with started_server(database_url) as one, served(desk.client.app) as other:
        followers = [
            threading.Thread(target=follow, args=(port, heard[place], problems))
            for place, port in enumerate((one.port, other))
        ]
        for follower in followers:
            follower.start()
        all_listen.wait(30)
        writers = [threading.Thread(target=work, args=(mine,)) for mine in subjects]
        for thread in writers:
            thread.start()
        for thread in (*writers, *followers):
            thread.join(60)
    assert problems == []
    assert heard == [everything, everything]


def _has_heard(before: set[str], wanted: int, opened: Screen) -> bool:
    return len(before | _subjects(opened)) >= wanted


def _subjects(opened: Screen) -> set[str]:
    return {event.data["subjectId"] for event in list(opened.heard) if event.name == "change"}


def test_missed_changes_are_sent_after_a_reconnect_each_with_an_id_to_resume_from(desk: Desk) -> None:
    with served(desk.client.app) as port:
        with screen(port, desk.tokens["asha"]) as opened:
            pass
        subjects = [new_id() for _ in range(5)]
        write(desk, *subjects)
        with screen(port, desk.tokens["asha"], after=opened.mark) as opened:
            opened.wait_for("counts")
            changes = [event for event in opened.heard if event.name == "change"]
            assert [event.data["subjectId"] for event in changes] == subjects
            assert changes[0].data["status"] == "Paid"
            assert changes[0].data["version"] == 2
            assert [event.mark for event in changes] == [row.seq for row in desk.audit("claim.moved")]


def test_several_changes_of_one_poll_advance_the_id_only_with_the_last(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a screen that lost its connection between two of them would skip the second."""
    monkeypatch.setattr(tail, "POLL_SECONDS", 0.1)
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        before = opened.mark
        write(desk, *(new_id() for _ in range(4)))
        opened.wait_for("change", 4)
        marks_heard = [event.mark for event in opened.heard if event.name == "change"]
        assert marks_heard == [before, before, before, desk.audit()[-1].seq]


def test_a_screen_disconnected_for_too_long_is_told_to_reload(desk: Desk) -> None:
    with served(desk.client.app) as port:
        write(desk, *(new_id() for _ in range(MOST_ROWS)))
        newest = desk.audit()[-1].seq
        with screen(port, desk.tokens["asha"], after=1) as opened:
            opened.wait_for("reset")
            assert opened.named("change") == []
            assert opened.mark == newest


def test_an_id_beyond_the_log_causes_a_reload(desk: Desk) -> None:
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"], after=10**12) as opened:
        opened.wait_for("reset")
        assert opened.mark == desk.audit()[-1].seq


def test_more_changes_than_one_poll_reads_are_all_sent(desk: Desk) -> None:
    subjects = [new_id() for _ in range(MOST_ROWS + 500)]
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        write(desk, *subjects)
        opened.wait_for("change", len(subjects))
        assert [change["subjectId"] for change in opened.named("change")] == subjects


def test_a_jump_in_the_sequence_keeps_the_list_of_gaps_bounded() -> None:
    mark = LogMark(10)
    mark.reach([10_000_000])
    assert len(mark.gaps) == marks.MOST_GAPS
    assert mark.low == 10_000_000 - marks.MOST_GAPS - 1
    mark.close(mark.gaps)
    assert mark.low == mark.top == 10_000_000
