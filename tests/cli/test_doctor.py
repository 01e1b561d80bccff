"""`countinghouse doctor`: a line for each check, and an exit code that a script can ask."""

from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import text, update

from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from tests.cli.command import countinghouse
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import code_for, qr_png

CHECKS = (
    "The database is at the newest migration",
    "QR pictures are as uploaded",
    "QR pictures say what is recorded",
    "QR displays agree with statuses",
)
MIGRATION, PICTURES, READINGS, DISPLAYS = CHECKS


def lines(said: str) -> dict[str, str]:
    """What is said of each of these checks; other rooms have theirs."""
    told = [line.split("  ", 1) for line in said.splitlines() if not line.startswith(" ")]
    return {title.strip(): how.strip() for how, title in told if title.strip() in CHECKS}


def display(desk: Desk, picture: bytes) -> str:
    qr_id = str(desk.upload(picture).json()["_id"])
    assert desk.call("PATCH", f"/api/qr/status/{qr_id}", json={"status": "display"}).status_code == 200
    return qr_id


def test_a_desk_that_is_well_is_told_so_check_by_check(desk: Desk, database_url: str) -> None:
    display(desk, qr_png())
    desk.upload(code_for("other@okbank"))
    gone = display(desk, qr_png())
    desk.call("DELETE", f"/api/qr/{gone}")
    before = len(desk.audit())
    ended = countinghouse(database_url, "doctor")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert lines(ended.stdout) == dict.fromkeys(CHECKS, "fine")
    assert len(desk.audit()) == before


def test_an_altered_picture_is_found_whatever_its_hash_says(desk: Desk, database_url: str, engine: str) -> None:
    qr_id = display(desk, qr_png())
    forged = code_for("other@okbank")
    # The database refuses such a change as long as its triggers are there.
    for trigger in ("qr_images_keeps_update",) if engine == "sqlite" else ("qr_images_keeps",):
        desk.change(text(f"DROP TRIGGER {trigger}" + ("" if engine == "sqlite" else " ON qr_images")))
    desk.change(update(qr_images).values(content=forged))
    ended = countinghouse(database_url, "doctor")
    assert ended.returncode == 1
    wrong = {MIGRATION: "fine", PICTURES: "wrong", READINGS: "wrong", DISPLAYS: "fine"}
    assert lines(ended.stdout) == wrong
    assert f"Desk 1 (desk1@okbank, {qr_id})" in ended.stdout

    desk.change(update(qr_images).values(sha256=sha256(forged).hexdigest()))
    assert lines(countinghouse(database_url, "doctor").stdout) == wrong | {PICTURES: "fine"}


@on_one_engine
@pytest.mark.parametrize("what", ["shown without a time", "hidden within a time"])
def test_a_status_that_no_time_tells_of_is_found(desk: Desk, database_url: str, what: str) -> None:
    display(desk, qr_png())
    if what == "shown without a time":
        desk.change(update(qr_displays).values(shown_at=NEWEST, hidden_at=NEWEST))
    else:
        desk.change(update(qr_codes).values(status="hide"))
    ended = countinghouse(database_url, "doctor")
    assert ended.returncode == 1
    assert lines(ended.stdout) == dict.fromkeys(CHECKS, "fine") | {DISPLAYS: "wrong"}


@on_one_engine
def test_a_code_that_was_not_read_yet_is_no_fault(desk: Desk, database_url: str) -> None:
    desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None, payee=None))
    assert countinghouse(database_url, "doctor").returncode == 0


def test_a_database_that_is_not_migrated_is_told_so_and_left_alone(blank_url: str) -> None:
    if blank_url.startswith("sqlite"):
        ended = countinghouse(blank_url, "doctor")
        assert ended.returncode == 1
        assert ended.stderr.startswith("There is no database at ")
        path = Path(blank_url.removeprefix("sqlite:///"))
        assert not path.exists()
        path.touch()
    ended = countinghouse(blank_url, "doctor")
    assert (ended.returncode, lines(ended.stdout)) == (1, {MIGRATION: "wrong"})
