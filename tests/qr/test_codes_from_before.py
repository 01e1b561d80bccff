"""Codes that were uploaded before the desk could read: nothing is taken from customers, and everything is read."""

import time
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Event

import pytest
from countinghouse.qr.unread import UnreadReader, read_unread
from sqlalchemy import insert, select, text, update

from countinghouse.audit.actions import Verb
from countinghouse.audit.tables import audit_log
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate
from countinghouse.qr.tables import qr_codes, qr_displays
from tests.core.earlier_desks import desk_at
from tests.desk import NEWEST, Desk
from tests.pictures import code_for, qr_png

SECONDS = 20.0


@pytest.fixture
def old_desk(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """As it was before codes were read."""
    with desk_at("0004", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


def add_old(desk: Desk, picture: bytes, *statuses: str, name: str = "Desk 1", is_logged: bool = True) -> str:
    """A code that went through these statuses, an hour apart; "deleted" is the last of them."""
    qr_id, key = new_id(), new_id().ljust(43, "k")
    stored = {"key": key, "content": picture, "sha256": sha256(picture).hexdigest()}
    desk.change(
        text(
            "INSERT INTO qr_images (key, content, sha256, width, height) VALUES (:key, :content, :sha256, 9, 9)"
        ).bindparams(**stored)
    )
    is_gone = statuses[-1:] == ("deleted",)
    old = qr_codes.c
    row = {old.id: qr_id, old.created_at: NEWEST, old.name: name, old.upi_id: "desk1@okbank", old.image_key: key}
    status = "hide" if is_gone or not statuses else statuses[-1]
    desk.change(insert(qr_codes).values({**row, old.status: status, old.deleted_at: NEWEST if is_gone else None}))
    told: list[tuple[Verb, dict[str, str] | None]] = [(Verb.QR_UPLOADED, {"status": "hide"})]
    told += [(Verb.QR_STATUS_CHANGED, {"status": each}) for each in statuses]
    if is_gone:
        told[-1] = (Verb.QR_DELETED, None)
    for place, (verb, after) in enumerate(told if is_logged else ()):
        at = NEWEST + timedelta(hours=place)
        line = {"at": at, "actor": "ravi", "verb": str(verb), "subject_id": qr_id, "after": after}
        desk.change(insert(audit_log).values(line))
    return qr_id


def test_an_upgrade_knows_who_uploaded_and_when_each_code_was_on_display(old_desk: Desk) -> None:
    shown = add_old(old_desk, qr_png(), "display", "hide", "display", name="Shown")
    hidden = add_old(old_desk, qr_png(), "display", "hide", name="Hidden")
    gone = add_old(old_desk, qr_png(), "display", "deleted", name="Gone")
    never = add_old(old_desk, qr_png(), name="Never")
    untold = add_old(old_desk, qr_png(), "display", name="Untold", is_logged=False)
    migrate(old_desk.database)

    codes = {row.id: row for row in old_desk.rows(select(qr_codes))}
    assert {row.findings for row in codes.values()} == {None}
    assert {codes[qr_id].uploaded_by for qr_id in (shown, hidden, gone, never)} == {"ravi"}
    assert codes[untold].uploaded_by is None
    cleared = {codes[qr_id].name for qr_id in codes if codes[qr_id].is_cleared}
    assert cleared == {"Shown", "Untold"}

    hour = timedelta(hours=1)
    rows = old_desk.rows(select(qr_displays).order_by(qr_displays.c.name, qr_displays.c.shown_at))
    assert [(row.qr_id, row.name, row.shown_at, row.hidden_at) for row in rows] == [
        (gone, "Gone", NEWEST + hour, NEWEST + 2 * hour),
        (hidden, "Hidden", NEWEST + hour, NEWEST + 2 * hour),
        (shown, "Shown", NEWEST + hour, NEWEST + 2 * hour),
        (shown, "Shown", NEWEST + 3 * hour, None),
        (untold, "Untold", NEWEST, None),
    ]


def test_codes_are_read_once_and_those_on_display_stay_there_marked(old_desk: Desk) -> None:
    wrong = add_old(old_desk, code_for("other@okbank"), "display", name="Wrong but shown")
    add_old(old_desk, code_for("other@okbank"), name="Wrong")
    add_old(old_desk, code_for("desk1@okbank"), name="Right")
    add_old(old_desk, b"no picture at all", name="Broken")
    migrate(old_desk.database)
    assert read_unread(old_desk.database) == 4
    assert read_unread(old_desk.database) == 0

    told = {row.name: (row.findings, row.payee, row.is_cleared) for row in old_desk.rows(select(qr_codes))}
    assert told == {
        "Wrong but shown": ("other_payee", "other@okbank", True),
        "Wrong": ("other_payee", "other@okbank", False),
        "Right": ("", "desk1@okbank", True),
        "Broken": ("unreadable", None, False),
    }
    assert len(old_desk.audit("qr.read")) == 4
    (row,) = [row for row in old_desk.audit("qr.read") if row.subject_id == wrong]
    assert (row.actor, row.after["payee"], row.after["findings"]) == ("command", "other@okbank", ["other_payee"])

    assert len(old_desk.get("/api/qr", by=None).json()) == 1
    listed = {code["name"]: code for code in old_desk.get("/api/qr").json()}
    assert listed["Wrong but shown"]["canDisplay"] is True
    assert listed["Wrong but shown"]["reading"]["findings"][0]["code"] == "other_payee"
    for status, expected in (("hide", 200), ("display", 409)):
        answer = old_desk.call("PATCH", f"/api/qr/status/{wrong}", json={"status": status})
        assert answer.status_code == expected


def test_a_code_that_another_server_has_read_meanwhile_is_left_as_that_one_noted_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None, payee=None, is_cleared=False))

    def slow(_picture: bytes) -> frozenset[str]:
        desk.change(update(qr_codes).values(findings="", payee="noted@first", is_cleared=True))
        return frozenset()

    monkeypatch.setattr("countinghouse.qr.unread.read_codes", slow)
    assert read_unread(desk.database) == 0
    (row,) = desk.rows(select(qr_codes))
    assert (row.findings, row.payee, row.is_cleared) == ("", "noted@first", True)
    assert desk.audit("qr.read") == []


def test_a_server_that_starts_reads_them(desk: Desk) -> None:
    desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None, payee=None, is_cleared=False))
    with desk.client:
        deadline = time.monotonic() + SECONDS
        while not desk.audit("qr.read") and time.monotonic() < deadline:
            time.sleep(0.05)
        (row,) = desk.rows(select(qr_codes))
    assert (row.findings, row.payee, row.is_cleared) == ("", "desk1@okbank", True)


def test_a_server_that_stops_does_not_wait_for_all(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Event()

    def begin(_picture: bytes) -> frozenset[str]:
        begun.set()
        return frozenset()

    monkeypatch.setattr("countinghouse.qr.unread.read_codes", begin)
    for _ in range(3):
        desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None))
    reader = UnreadReader(desk.database)
    monkeypatch.setattr(reader, "_stop", begun)
    reader.start()
    reader.close()
    assert len(desk.audit("qr.read")) == 1
