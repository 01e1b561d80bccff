"""An admin chooses among the codes they saw on display. If others are on display by then, nothing changes."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import pytest
from httpx2 import Response

from countinghouse.audit.actions import Actor
from countinghouse.qr.displaying import display_qr, hide_qr
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.qr.displays import add, display, hide, on_display, together

ROUNDS = 12
RAVI = Actor("ravi")


@pytest.fixture
def counters(desk: Desk) -> dict[str, str]:
    """Hidden codes whose payees were on display before, so that one admin can display them."""
    added = {name: add(desk, name) for name in ("front", "back", "side")}
    for qr_id in added.values():
        assert desk.display(qr_id).status_code == 200
        assert hide(desk, qr_id).status_code == 200
    return added


def refusal(answer: Response) -> str:
    assert (answer.status_code, answer.json()["code"]) == (409, "display_changed"), answer.text
    return str(answer.json()["message"])


def test_a_code_displayed_since_is_named_and_nothing_changes(desk: Desk, counters: dict[str, str]) -> None:
    a, b, c = counters.values()
    display(desk, a, by="ravi", seen=[])
    before = len(desk.audit())
    assert refusal(display(desk, b, seen=[], replaces=None)) == (
        "What is on display has changed, so nothing was done: ravi has put front on display. "
        "Customers now see front. Look at it, and choose again."
    )
    assert (on_display(desk), len(desk.audit())) == ({a}, before)
    assert display(desk, b, seen=[a], replaces=None).status_code == 200
    hide(desk, a, by="ravi")
    assert refusal(display(desk, c, seen=[a, b], replaces=b)) == (
        "What is on display has changed, so nothing was done: ravi has taken front off display. "
        "Customers now see back. Look at it, and choose again."
    )
    desk.call("DELETE", f"/api/qr/{b}", by="ravi")
    assert "ravi has taken back off display. Customers now see no code. Choose again." in refusal(
        display(desk, c, seen=[b], replaces=b)
    )
    assert on_display(desk) == set()


def test_the_order_in_which_codes_were_seen_does_not_matter(desk: Desk, counters: dict[str, str]) -> None:
    a, b, c = counters.values()
    assert display(desk, a, seen=[]).status_code == 200
    assert display(desk, b, seen=[a], replaces=None).status_code == 200
    assert display(desk, c, seen=[b, a, b], replaces=a).status_code == 200
    assert on_display(desk) == {b, c}
    assert "Customers now see side and back. Look at them, and" in refusal(display(desk, a, seen=[b], replaces=None))
    # A repeated call, after its answer was lost, changes nothing.
    assert display(desk, c, seen=[b, a], replaces=a).status_code == 200


@on_one_engine
def test_many_changes_are_counted(desk: Desk) -> None:
    shown = []
    for number in range(7):
        shown.append(add(desk, f"desk{number}"))
        desk.display(shown[-1])
    message = refusal(display(desk, add(desk, "new"), seen=[], replaces=None))
    assert message.count("asha has put ") == 5
    assert "desk0" not in message
    assert "and 2 more changes. Customers now see desk6, desk5, desk4, desk3, desk2 and 2 more. Look" in message
    assert "so nothing was done. Customers now see desk6" in refusal(
        display(desk, add(desk, "newer"), seen=[*shown, "0" * 24], replaces=None)
    )


def test_two_admins_who_both_saw_nothing_display_one_code(desk: Desk, counters: dict[str, str]) -> None:
    a, b, c = counters.values()
    for _ in range(ROUNDS):
        answers = together(
            *(
                lambda qr=qr, by=by: display(desk, qr, by=by, seen=[], replaces=None)
                for qr, by in ((a, "asha"), (b, "ravi"), (c, "asha"))
            )
        )
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 2}
        (shown,) = on_display(desk)
        hide(desk, shown)


@contextmanager
def called_during(desk: Desk, work: Any, call: Any) -> Iterator[Any]:
    """Ravi's transaction has done `work` when the call begins, and is committed while the call waits for it."""
    with ThreadPoolExecutor(1) as pool:
        with desk.database.uncommitted(work):
            calling = pool.submit(call)
            # Enough for a call that does not wait to go wrong.
            wait([calling], timeout=0.5)
        yield calling.result()


def test_a_display_waits_for_one_that_has_begun(desk: Desk, counters: dict[str, str]) -> None:
    """Two transactions on two connections: no row of a hidden code is locked by both."""
    a, b, _ = counters.values()

    async def display_a(transaction: Any) -> None:
        await display_qr(transaction, RAVI, a, None, has_chosen=True)

    with called_during(desk, display_a, lambda: display(desk, b, seen=[], replaces=None)) as answer:
        assert "ravi has put front on display. Customers now see front." in refusal(answer)
    assert on_display(desk) == {a}


def test_a_display_waits_for_a_code_that_is_being_hidden(desk: Desk, counters: dict[str, str]) -> None:
    a, b, c = counters.values()
    display(desk, a)
    display(desk, b)

    async def hide_a(transaction: Any) -> None:
        await hide_qr(transaction, RAVI, a)

    with called_during(desk, hide_a, lambda: display(desk, c, seen=[a, b], replaces=b)) as answer:
        assert "ravi has taken front off display." in refusal(answer)
    assert on_display(desk) == {b}


def test_an_approval_is_refused_if_another_code_came_on_display(desk: Desk, counters: dict[str, str]) -> None:
    a, b, _ = counters.values()
    new, newer = add(desk, "new"), add(desk, "newer")
    display(desk, a)
    assert display(desk, new, seen=[a], replaces=a).status_code == 202
    assert display(desk, newer, seen=[a], replaces=None).status_code == 202
    display(desk, b)
    for choice in ({}, {"replaces": a}, {"replaces": None}):
        assert "asha has put back on display" in refusal(display(desk, new, by="ravi", seen=[a], **choice))
        assert "asha has put back on display" in refusal(display(desk, newer, by="ravi", seen=[a], **choice))
    assert on_display(desk) == {a, b}
    assert display(desk, new, by="ravi", seen=[a, b]).status_code == 200
    assert on_display(desk) == {b, new}


def test_a_request_is_refused_if_what_is_on_display_has_changed(desk: Desk, counters: dict[str, str]) -> None:
    new = add(desk, "new")
    display(desk, counters["front"], by="ravi")
    assert "ravi has put front on display" in refusal(display(desk, new, seen=[], replaces=None))
    assert [code["displayRequest"] for code in desk.get("/api/qr").json()] == [None] * 4
    assert display(desk, new, seen=[counters["front"]], replaces=None).status_code == 202
    # A repeated call finds the request, whatever is on display by now.
    hide(desk, counters["front"])
    assert display(desk, new, seen=[counters["front"]], replaces=None).status_code == 202


def test_hiding_the_last_code_unknowingly_is_refused(desk: Desk, counters: dict[str, str]) -> None:
    a, b, c = counters.values()
    for qr_id in (a, b):
        display(desk, qr_id)
    hide(desk, a, by="ravi", seen=[a, b])
    assert refusal(hide(desk, b, seen=[a, b])) == (
        "ravi has taken front off display, so customers would see no code at all. Nothing was done. "
        "Hide back again if you mean it."
    )
    assert on_display(desk) == {b}
    # A code that came on display does not delay hiding a wrong one.
    display(desk, c, by="ravi")
    assert hide(desk, b, seen=[b]).status_code == 200
    assert hide(desk, b, seen=[b, c]).status_code == 200
    assert hide(desk, c, seen=[c]).status_code == 200
    assert on_display(desk) == set()


def test_two_admins_who_hide_the_last_two_codes_leave_one(desk: Desk, counters: dict[str, str]) -> None:
    a, b, _ = counters.values()
    for _ in range(ROUNDS):
        for qr_id in (a, b):
            display(desk, qr_id)
        answers = together(
            lambda: hide(desk, a, seen=[a, b]).status_code, lambda: hide(desk, b, by="ravi", seen=[a, b]).status_code
        )
        assert sorted(answers) == [200, 409]
        assert len(on_display(desk)) == 1


@on_one_engine
def test_calls_that_do_not_say_what_was_seen_work_as_before(desk: Desk, counters: dict[str, str]) -> None:
    a, b, _ = counters.values()
    for qr_id in (a, b):
        assert display(desk, qr_id).status_code == 200
    assert on_display(desk) == {a, b}
    for qr_id in (a, b):
        assert hide(desk, qr_id, seen=None).status_code == 200
    assert on_display(desk) == set()


@on_one_engine
def test_a_list_that_no_screen_sends_is_refused(desk: Desk, counters: dict[str, str]) -> None:
    wrong: list[Any] = ["a", 7, {}, [7], ["x" * 25], ["0" * 24] * 1001]
    for seen in wrong:
        answer = display(desk, counters["front"], seen=seen)
        assert answer.status_code == 422, seen
        assert all(field.startswith("seen") for field in answer.json()["fields"]), answer.text
    assert on_display(desk) == set()
