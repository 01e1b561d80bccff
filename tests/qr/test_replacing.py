"""A code goes on display in place of another: both change in one transaction, or neither does."""

from collections import Counter

import pytest
from sqlalchemy import select, update

from countinghouse.admins.tables import admins
from countinghouse.qr.tables import qr_codes
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.qr.displays import add, display, hide, on_display, together

ROUNDS = 6


def changes(desk: Desk) -> list[tuple[str, str, str]]:
    return [(row.actor, row.after["name"], row.after["status"]) for row in desk.audit("qr.status_changed")]


@pytest.fixture
def old(desk: Desk) -> str:
    qr_id = add(desk, "old")
    assert desk.display(qr_id).status_code == 200
    return qr_id


@pytest.fixture
def known(desk: Desk, old: str) -> str:
    """A hidden code whose payee was on display before, so that one admin can display it."""
    qr_id = add(desk, "known")
    assert desk.display(qr_id).status_code == 200
    assert hide(desk, qr_id).status_code == 200
    assert on_display(desk) == {old}
    return qr_id


def test_replacing_hides_the_old_code_and_displays_the_new_one_in_one_call(desk: Desk, old: str, known: str) -> None:
    before = len(changes(desk))
    answer = display(desk, known, replaces=old)
    assert (answer.status_code, answer.json()["status"]) == (200, "display")
    assert on_display(desk) == {known}
    hidden, shown = desk.audit("qr.status_changed")[before:]
    named = {"name": "known", "upiId": "known@okbank"}
    assert (hidden.subject_id, hidden.before, hidden.after) == (
        old,
        {"status": "display"},
        {"status": "hide", "name": "old", "upiId": "old@okbank", "replacedBy": named},
    )
    assert (shown.subject_id, shown.after) == (
        known,
        {"status": "display", **named, "replaces": {"name": "old", "upiId": "old@okbank"}},
    )
    sentences = [event["sentence"] for event in desk.get("/api/qr/history?limit=2").json()["events"]]
    assert sentences == [
        "asha put known (known@okbank) on display in place of old (old@okbank).",
        "asha took old (old@okbank) off display and put known (known@okbank) in its place.",
    ]
    # A repeated call changes nothing and adds no audit row, even if the old code is deleted since.
    assert display(desk, known, replaces=old).status_code == 200
    assert desk.call("DELETE", f"/api/qr/{old}").status_code == 200
    assert display(desk, known, replaces=old, by="ravi").status_code == 200
    assert len(changes(desk)) == before + 2


def test_displaying_as_well_leaves_the_others_on_display(desk: Desk, old: str, known: str) -> None:
    assert display(desk, known, replaces=None).status_code == 200
    assert on_display(desk) == {old, known}
    hide(desk, known)
    assert display(desk, known).status_code == 200
    assert on_display(desk) == {old, known}


def test_a_code_that_is_no_longer_on_display_is_not_replaced(desk: Desk, old: str, known: str) -> None:
    hide(desk, old, by="ravi")
    refused = display(desk, known, replaces=old)
    assert (refused.status_code, refused.json()["code"]) == (409, "replaced_not_on_display")
    assert refused.json()["message"] == (
        "ravi has taken old off display, so nothing was replaced. Look at what is on display now, and choose again."
    )
    desk.call("DELETE", f"/api/qr/{old}")
    assert "asha has taken old off display" in display(desk, known, replaces=old).json()["message"]
    never = add(desk, "never")
    assert display(desk, known, replaces=never).json()["message"].startswith("never is not on display, so nothing")
    assert on_display(desk) == set()


def test_a_code_on_display_replaces_nothing_later(desk: Desk, old: str, known: str) -> None:
    """Otherwise a late repetition would undo what another admin has displayed since."""
    display(desk, known, replaces=old)
    display(desk, old, by="ravi", replaces=None)
    refused = display(desk, known, replaces=old)
    assert (refused.status_code, refused.json()["code"]) == (409, "qr_already_displayed")
    assert "known is already on display, and so is old. Nothing has changed." in refused.json()["message"]
    assert on_display(desk) == {old, known}


@on_one_engine
def test_bad_input_is_refused(desk: Desk, old: str, known: str) -> None:
    for replaces in ("0" * 24, "nonsense", "", known, "x" * 25, 7, ["a"]):
        answer = display(desk, known, replaces=replaces)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, ["replaces"]), replaces
    body = {"status": "hide", "replaces": old}
    answer = desk.call("PATCH", f"/api/qr/status/{known}", json=body)
    assert answer.status_code == 422
    assert "only be sent with the status display" in answer.json()["message"]
    assert display(desk, "0" * 24, replaces=old).status_code == 404
    assert display(desk, "nonsense", replaces=old).status_code == 404
    assert on_display(desk) == {old}


def test_the_second_admin_carries_out_the_replacement_of_the_request(desk: Desk, old: str) -> None:
    new = add(desk, "new")
    seen = desk.get("/api/qr").json()[0]
    assert (seen["displayBy"], seen["approvers"]) == ("request", ["ravi"])
    asked = display(desk, new, replaces=old)
    assert asked.status_code == 202
    request = asked.json()["displayRequest"]
    assert (request["by"], request["replaces"], asked.json()["approvers"]) == ("asha", old, ["ravi"])
    assert on_display(desk) == {old}
    (row,) = [row for row in desk.audit("qr.display_requested") if row.subject_id == new]
    assert row.after["replaces"] == {"_id": old, "name": "old", "upiId": "old@okbank"}
    assert (
        "asked to display new (new@okbank) in place of old (old@okbank): new@okbank was never"
        in (desk.get("/api/qr/history?limit=1").json()["events"][0]["sentence"])
    )
    # A repeated call is fine; another choice is not silently dropped.
    assert display(desk, new, replaces=old).status_code == display(desk, new).status_code == 202
    other = display(desk, new, replaces=None)
    assert (other.status_code, other.json()["code"]) == (409, "display_already_requested")

    # The plain call of the second admin follows the request.
    shown = display(desk, new, by="ravi")
    assert (shown.status_code, shown.json()["displayRequest"], shown.json()["approvers"]) == (200, None, [])
    assert on_display(desk) == {new}
    hidden, displayed = desk.audit("qr.status_changed")[-2:]
    assert (hidden.actor, hidden.subject_id, hidden.after["status"]) == ("ravi", old, "hide")
    assert (displayed.after["requestedBy"], displayed.after["replaces"]["name"]) == ("asha", "old")
    (kept,) = desk.rows(select(qr_codes).where(qr_codes.c.id == new))
    assert kept.display_replaces is None


def test_the_second_admin_can_choose_otherwise(desk: Desk, old: str, known: str) -> None:
    new = add(desk, "new")
    display(desk, known, replaces=None)
    display(desk, new, replaces=old)
    assert display(desk, new, by="ravi", replaces=known).status_code == 200
    assert on_display(desk) == {old, new}
    third = add(desk, "third")
    display(desk, third, replaces=old)
    assert display(desk, third, by="ravi", replaces=None).status_code == 200
    assert on_display(desk) == {old, new, third}


def test_an_approval_is_refused_if_the_replaced_code_is_gone(desk: Desk, old: str, known: str) -> None:
    new = add(desk, "new")
    display(desk, new, replaces=old)
    display(desk, known, replaces=old)
    for body in ({}, {"replaces": old}):
        refused = display(desk, new, by="ravi", **body)
        assert (refused.status_code, refused.json()["code"]) == (409, "replaced_not_on_display")
    desk.call("DELETE", f"/api/qr/{old}")
    assert display(desk, new, by="ravi").status_code == 409
    assert on_display(desk) == {known}
    assert display(desk, new, by="ravi", replaces=known).status_code == 200
    assert on_display(desk) == {new}


@on_one_engine
def test_the_choice_of_a_disabled_admin_does_not_count(desk: Desk, old: str) -> None:
    new = add(desk, "new")
    display(desk, new, by="ravi", replaces=old)
    desk.change(update(admins).where(admins.c.username == "ravi").values(disabled_at=NEWEST))
    assert display(desk, new).status_code == 200
    assert on_display(desk) == {old, new}


@on_one_engine
def test_withdrawing_a_request_forgets_its_choice(desk: Desk, old: str) -> None:
    new = add(desk, "new")
    display(desk, new, replaces=old)
    desk.call("DELETE", f"/api/qr/{new}/display-request")
    assert display(desk, new).json()["displayRequest"]["replaces"] is None
    display(desk, new, by="ravi")
    assert on_display(desk) == {old, new}


def test_two_admins_replacing_the_same_code_replace_it_once(desk: Desk, old: str, known: str) -> None:
    other = add(desk, "other")
    desk.display(other)
    hide(desk, other)
    for _ in range(ROUNDS):
        before = len(changes(desk))
        answers = together(
            lambda: display(desk, known, replaces=old, by="asha"), lambda: display(desk, other, replaces=old, by="ravi")
        )
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 1}
        (shown,) = on_display(desk)
        assert shown in {known, other}
        assert len(changes(desk)) == before + 2
        display(desk, old, replaces=shown)


def test_replacing_each_other_at_the_same_time_is_no_deadlock(desk: Desk, old: str, known: str) -> None:
    """One admin puts the known code in place of the old one while another does the reverse."""
    for _ in range(ROUNDS):
        answers = together(
            lambda: display(desk, known, replaces=old).status_code,
            lambda: display(desk, old, replaces=known, by="ravi").status_code,
            lambda: display(desk, known, replaces=old, by="ravi").status_code,
        )
        assert set(answers) <= {200, 409}
        (shown,) = on_display(desk)
        if shown == known:
            display(desk, old, replaces=known)


def test_an_approval_while_the_replaced_code_is_hidden_or_deleted_is_all_or_nothing(desk: Desk, old: str) -> None:
    for number in range(ROUNDS):
        new = add(desk, f"new{number}")
        target = add(desk, f"target{number}")
        desk.display(target)
        assert display(desk, new, replaces=target).status_code == 202
        ends = [lambda qr=target: hide(desk, qr), lambda qr=target: desk.call("DELETE", f"/api/qr/{qr}")]
        approved, ended = together(lambda qr=new: display(desk, qr, by="ravi"), ends[number % 2])
        assert (approved.status_code, ended.status_code) in {(200, 200), (409, 200)}
        assert on_display(desk) == ({old, new} if approved.status_code == 200 else {old})
        hide(desk, new)


def test_an_approval_while_the_request_changes_follows_one_of_them(desk: Desk, old: str, known: str) -> None:
    display(desk, known, replaces=None)
    for number in range(ROUNDS):
        new = add(desk, f"new{number}")
        display(desk, new, replaces=old)

        def ask_again(qr: str = new) -> None:
            desk.call("DELETE", f"/api/qr/{qr}/display-request")
            display(desk, qr, replaces=known)

        approved, _ = together(lambda qr=new: display(desk, qr, by="ravi"), ask_again)
        assert approved.status_code in {200, 202, 409}
        assert on_display(desk) in ({new, known}, {new, old}, {old, known}, {new, old, known})
        for gone in (old, known):
            display(desk, gone)
        hide(desk, new)
