"""`countinghouse doctor`: a line for each check, and an exit code that a script can check."""

from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import text, update

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from tests.cli.command import countinghouse
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import code_for, qr_png

CHECKS = (
    "The database is at the newest migration",
    "Claims have the status of their last move",
    "No claim was paid twice",
    "QR pictures match their stored hashes",
    "QR pictures contain what was recorded",
    "QR codes for customers are the codes that were checked",
    "QR display periods agree with statuses",
)
MIGRATION, MOVES, PAYOUTS, PICTURES, READINGS, DRAWINGS, DISPLAYS = CHECKS
WELL = dict.fromkeys(CHECKS, "fine")


def lines(output: str) -> dict[str, str]:
    """The result of each check in CHECKS; other packages have further checks."""
    results = [line.split("  ", 1) for line in output.splitlines() if not line.startswith(" ")]
    return {title.strip(): result.strip() for result, title in results if title.strip() in CHECKS}


def display(desk: Desk, picture: bytes) -> str:
    qr_id = str(desk.upload(picture).json()["_id"])
    assert desk.display(qr_id).status_code == 200
    return qr_id


def move(desk: Desk, claim_id: str, *targets: str) -> None:
    for place, target in enumerate(targets):
        # A second payment needs somebody else.
        by = "ravi" if place and targets[place - 1] == "Returned" else "asha"
        asked = (
            {"status": target, "reason": "The bank said so"}
            if target in ("Returned", "On hold")
            else {"status": target}
        )
        assert desk.call("PUT", f"/api/claims/{claim_id}/status", json=asked, by=by).status_code == 200


def test_every_check_of_a_healthy_desk_is_fine(desk: Desk, database_url: str) -> None:
    paid, held, _ = (desk.add_claim(status=status) for status in ("Pending", "Pending", "Paid"))
    move(desk, paid, "Accepted", "Paid", "Returned", "Accepted", "Paid")
    move(desk, held, "On hold")
    display(desk, qr_png())
    desk.upload(code_for("other@okbank"))
    gone = display(desk, qr_png())
    desk.call("DELETE", f"/api/qr/{gone}")
    before = len(desk.audit())
    ended = countinghouse(database_url, "doctor")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert lines(ended.stdout) == WELL
    assert len(desk.audit()) == before


def test_an_altered_picture_is_found_even_if_its_hash_was_altered_too(desk: Desk, database_url: str) -> None:
    qr_id = display(desk, qr_png())
    forged = code_for("other@okbank")
    desk.let_history_be_altered("qr_images")
    desk.change(update(qr_images).values(content=forged))
    ended = countinghouse(database_url, "doctor")
    assert ended.returncode == 1
    wrong = WELL | {PICTURES: "wrong", READINGS: "wrong", DRAWINGS: "wrong"}
    assert lines(ended.stdout) == wrong
    assert f"Desk 1 (desk1@okbank, {qr_id})" in ended.stdout

    desk.change(update(qr_images).values(sha256=sha256(forged).hexdigest()))
    assert lines(countinghouse(database_url, "doctor").stdout) == wrong | {PICTURES: "fine"}


@on_one_engine
@pytest.mark.parametrize("what", ["shown without a time", "hidden within a time"])
def test_a_status_that_contradicts_the_display_times_is_found(desk: Desk, database_url: str, what: str) -> None:
    display(desk, qr_png())
    if what == "shown without a time":
        desk.let_history_be_altered("qr_displays")
        desk.change(update(qr_displays).values(shown_at=NEWEST, hidden_at=NEWEST))
    else:
        desk.change(update(qr_codes).values(status="hide"))
    ended = countinghouse(database_url, "doctor")
    assert ended.returncode == 1
    assert lines(ended.stdout) == WELL | {DISPLAYS: "wrong"}


@on_one_engine
def test_a_code_that_has_not_been_read_yet_is_not_a_fault(desk: Desk, database_url: str) -> None:
    desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None, payee=None))
    assert countinghouse(database_url, "doctor").returncode == 0


def test_an_unmigrated_database_is_reported_and_left_unchanged(blank_url: str) -> None:
    if blank_url.startswith("sqlite"):
        ended = countinghouse(blank_url, "doctor")
        assert ended.returncode == 1
        assert ended.stderr.startswith("There is no database at ")
        path = Path(blank_url.removeprefix("sqlite:///"))
        assert not path.exists()
        path.touch()
    ended = countinghouse(blank_url, "doctor")
    assert (ended.returncode, lines(ended.stdout)) == (1, {MIGRATION: "wrong"})


@pytest.mark.parametrize("what", ["another status", "a move too few", "a move too many"])
def test_a_claim_changed_directly_in_the_database_is_found(desk: Desk, database_url: str, what: str) -> None:
    claim_id = desk.add_claim()
    move(desk, claim_id, "Accepted", "Paid")
    number = {"another status": None, "a move too few": 3, "a move too many": 1}[what]
    messages = {
        "another status": f"Claim {claim_id} is Accepted, but its last recorded move was to Paid.",
        "a move too few": f"Claim {claim_id} is Paid, but no recorded move explains that.",
        "a move too many": f"Claim {claim_id} has recorded moves that are newer than its version.",
    }
    desk.change(update(claims).values(status="Accepted") if number is None else update(claims).values(version=number))
    ended = countinghouse(database_url, "doctor")
    assert ended.returncode == 1
    assert lines(ended.stdout) == WELL | {MOVES: "wrong"}
    assert messages[what] in ended.stdout


def test_a_second_payout_is_found_when_the_database_has_lost_its_unique_index(desk: Desk, database_url: str) -> None:
    claim_id = desk.add_claim()
    move(desk, claim_id, "Accepted", "Paid")
    desk.let_history_be_altered("claim_transitions")
    desk.change(text("DROP INDEX uq_claim_transitions_payout"))
    desk.change(update(claims).values(status="Accepted"))
    desk.change(update(claim_transitions).where(claim_transitions.c.number == 1).values(to_status="Paid"))
    ended = countinghouse(database_url, "doctor")
    assert lines(ended.stdout) == WELL | {MOVES: "wrong", PAYOUTS: "wrong"}
    assert f"Claim {claim_id} was moved to Paid 2 times without being sent back in between." in ended.stdout


@on_one_engine
def test_many_problems_of_one_kind_are_summarized(desk: Desk, database_url: str) -> None:
    for _ in range(23):
        desk.add_claim()
    desk.change(update(claims).values(version=1))
    output = countinghouse(database_url, "doctor").stdout
    assert output.count("no recorded move explains that") == 20
    assert "and 3 more" in output
