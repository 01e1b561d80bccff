"""`countinghouse audit verify` and `export`: what they say, and an exit code that a script can check."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text, update

from countinghouse.audit.tables import audit_log, audit_seals
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.settings import Settings
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import set_up_passkey
from tests.audit.sealed import audit, checkpoints_in, disable_triggers, seal, seal_and_sign
from tests.audit.sealed import verified as verify
from tests.cli.command import countinghouse
from tests.databases import Template
from tests.desk import Desk, days_before
from tests.engines import on_one_engine
from tests.intake.pushing import add_key, push_one_of_each
from tests.pictures import qr_png

REFERENCE = "UTR000111222"


def work(desk: Desk) -> None:
    """Something of every kind that is compared with the log."""
    paid = desk.add_claim_moved_to("Accepted")
    assert desk.move(paid, "Paid", reference=REFERENCE).status_code == 200
    desk.add_claim_moved_to("Returned")
    desk.add_claim()
    push_one_of_each(desk, add_key(desk))
    code = desk.upload(qr_png()).json()["_id"]
    assert desk.display(code).status_code == 200
    gone = desk.upload(qr_png(), name="Desk 2").json()["_id"]
    assert desk.call("DELETE", f"/api/qr/{gone}").status_code == 200
    assert desk.call("PUT", "/api/policy", json={"twoPersons": True}).status_code == 200
    assert desk.call("POST", "/api/admins", json={"username": "Meera", "role": "viewer"}).status_code == 201
    assert set_up_passkey(desk, Authenticator(), by="ravi").status_code == 201
    webhook = {"url": "https://shop.example.in/hooks", "events": ["claim.paid"]}
    assert desk.call("POST", "/api/webhooks", json=webhook).status_code == 201


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("worked", work)


def test_a_desk_that_works_is_fine_and_so_is_its_export(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    desk.add_claim_moved_to("Rejected")
    code, said = verify(database_url, tmp_path)
    assert code == 0, said
    assert f"{len(desk.audit()) - 1} rows are sealed, 1 are not yet" in said
    export = tmp_path / "export.jsonl"
    assert audit(database_url, tmp_path, "export", str(export)).returncode == 0
    assert export.stat().st_mode & 0o777 == 0o600
    elsewhere = tmp_path / "elsewhere"
    code, said = verify("sqlite:///never.db", elsewhere, "--export", str(export))
    assert code == 0, said
    key = str(checkpoints_in(tmp_path).find_public_key())
    assert key in said
    assert verify("sqlite:///never.db", elsewhere, "--export", str(export), "--public-key", key)[0] == 0
    assert verify("sqlite:///never.db", elsewhere, "--export", str(export), "--public-key", "ab" * 32)[0] == 1
    assert audit(database_url, tmp_path, "export", str(export)).returncode == 1


@on_one_engine
def test_made_up_data_is_fine(blank_url: str, tmp_path: Path) -> None:
    assert countinghouse(blank_url, "demo", "--claims", "120").returncode == 0
    desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
    seal_and_sign(desk, tmp_path)
    desk.close()
    code, said = verify(blank_url, tmp_path)
    assert code == 0, said


def one_row(desk: Desk, **values: Any) -> int:
    desk.let_history_be_altered("audit_log")
    seq = int(desk.audit("claim.moved")[0].seq)
    desk.change(update(audit_log).where(audit_log.c.seq == seq).values(**values))
    return seq


def test_the_first_altered_row_is_named(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    seq = one_row(desk, actor="nobody")
    code, said = verify(database_url, tmp_path)
    assert code == 1
    assert f"Row {seq} (claim.moved by nobody" in said


def test_an_alteration_of_what_no_checkpoint_signed_yet_is_found(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    desk.add_claim_moved_to("Accepted")
    seal(desk)
    last = desk.audit()[-1]
    desk.let_history_be_altered("audit_log")
    desk.change(update(audit_log).where(audit_log.c.seq == last.seq).values(actor="ravi"))
    assert f"Row {last.seq} " in verify(database_url, tmp_path)[1]


def test_a_move_that_was_cut_off_behind_the_last_checkpoint_is_found(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    seal_and_sign(desk, tmp_path)
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    seal(desk)
    last = desk.audit()[-1].seq
    for table in (audit_log, audit_seals):
        desk.let_history_be_altered(table.name)
        desk.change(delete(table).where(table.c.seq == last))
    code, said = verify(database_url, tmp_path)
    assert code == 1
    assert f"the claim {claim_id}, and says status Accepted, version 1. Stored is status Paid, version 2." in said


def test_a_move_that_a_direct_change_made_possible_stays_a_finding(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    claim_id = desk.rows(select(claims.c.id).where(claims.c.status == "Paid"))[0].id
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="Accepted"))
    assert desk.move(claim_id, "On hold", by="ravi", reason="Look again.").status_code == 200
    seal_and_sign(desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 1, said
    assert f"says of the claim {claim_id}: status Paid. When row {desk.audit()[-1].seq} changed it" in said


def test_an_account_that_was_changed_before_the_payment_is_found(desk: Desk, database_url: str, tmp_path: Path) -> None:
    """By the row about the payment, somebody may have paid to it."""
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.move(claim_id, "Paid", by="ravi", reference="UTR000333444").status_code == 200
    disable_triggers(desk, "claims")
    desk.change(update(claims).where(claims.c.id == claim_id).values(account_no="009999999999"))
    paid = desk.audit("claim.moved")[-1]
    desk.let_history_be_altered("audit_log")
    other = {"after": paid.after | {"accountNo": "009999999999"}}
    desk.change(update(audit_log).where(audit_log.c.seq == paid.seq).values(other))
    seal_and_sign(desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 1, said
    assert f"about the claim {claim_id}, and says accountNo 004512345678. Stored is accountNo 009999999999." in said


def test_a_value_that_was_put_before_another_of_the_same_name_is_found(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    """Every reader of JSON that takes the last of two values would see the row as it was."""
    seal_and_sign(desk, tmp_path)
    desk.let_history_be_altered("audit_log")
    seq = int(desk.audit("claim.moved")[0].seq)
    forged = """'{"status": "Rejected", ' || substr(CAST(after AS TEXT), 2)"""
    forged = forged if desk.database.is_sqlite else f"({forged})::json"
    desk.change(text(f"UPDATE audit_log SET after = {forged} WHERE seq = {seq}"))
    assert desk.audit("claim.moved")[0].after["status"] == "Accepted"
    code, said = verify(database_url, tmp_path)
    assert code == 1
    assert f"Row {seq} (claim.moved by asha" in said


def test_a_claim_that_the_service_inserted_as_paid_is_worth_a_remark(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    desk.add_claim(status="Paid")
    seal_and_sign(desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 0
    assert "does not tell how 1 claims got their status" in said


def test_rows_without_seals_and_checkpoints_are_not_called_fine(desk: Desk, database_url: str, tmp_path: Path) -> None:
    desk.let_history_be_altered("audit_log")
    desk.change(update(audit_log).values(at=days_before(1)))
    code, said = verify(database_url, tmp_path)
    assert code == 2, said
    assert "no checkpoint" in said


def test_without_anything_to_check_it_says_so(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal(desk)
    code, said = verify(database_url, tmp_path)
    assert code == 2
    assert "no checkpoint" in said
    assert not (tmp_path / "audit-key.pem").exists()


@on_one_engine
def test_what_it_cannot_read_is_not_called_altered(desk: Desk, database_url: str, tmp_path: Path) -> None:
    assert verify(f"sqlite:///{tmp_path}/none.db", tmp_path)[0] == 2
    seal_and_sign(desk, tmp_path)
    export = tmp_path / "export.jsonl"
    audit(database_url, tmp_path, "export", str(export))
    lines = export.read_text().splitlines(keepends=True)
    for name in ("seal", "row", "seq", "checkpoint", "line", "state", "id"):
        without = (json.dumps({key: value for key, value in json.loads(line).items() if key != name}) for line in lines)
        export.write_text("".join(f"{line}\n" for line in without))
        assert verify(database_url, tmp_path, "--export", str(export))[0] == 2, name
    for content in ("", "no export", "[]", "".join(lines[:-1]), "".join([*lines, lines[-1]]), "".join(lines[1:])):
        export.write_text(content)
        assert verify(database_url, tmp_path, "--export", str(export))[0] == 2, content[:80]
    assert verify(database_url, tmp_path, "--export", str(tmp_path / "missing"))[0] == 2
    (tmp_path / "audit-key.pem").write_text("damaged")
    assert verify(database_url, tmp_path)[0] == 2


@on_one_engine
def test_an_export_of_an_earlier_release_is_fine(desk: Desk, database_url: str, tmp_path: Path) -> None:
    """It lacks the kinds of records that are compared only since then."""
    seal_and_sign(desk, tmp_path)
    export = tmp_path / "export.jsonl"
    audit(database_url, tmp_path, "export", str(export))
    lines = [json.loads(line) for line in export.read_text().splitlines()]
    del lines[0]["kinds"]
    kept = [json.dumps(line) for line in lines if line.get("record") not in ("API key", "webhook")]
    export.write_text("\n".join(kept))
    code, said = verify(database_url, tmp_path, "--export", str(export))
    assert code == 0, said


def test_moves_from_before_claims_had_versions_are_counted(desk: Desk, database_url: str, tmp_path: Path) -> None:
    claim_id = desk.add_claim(status="Paid", version=2)
    for number, (old, new) in enumerate((("Pending", "Accepted"), ("Accepted", "Paid")), 1):
        row = {"at": now(), "actor": "asha", "verb": "claim.moved", "subject_id": claim_id}
        desk.change(insert(audit_log).values(row | {"before": {"status": old}, "after": {"status": new}}))
        move = {"id": new_id(), "claim_id": claim_id, "number": number, "from_status": old, "to_status": new}
        desk.change(insert(claim_transitions).values(move | {"moved_by": "asha", "moved_at": now()}))
    seal_and_sign(desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 0, said


@on_one_engine
def test_an_altered_export_is_found(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    export = tmp_path / "export.jsonl"
    audit(database_url, tmp_path, "export", str(export))
    lines = [json.loads(line) for line in export.read_text().splitlines()]
    rows = [place for place, line in enumerate(lines) if "position" in line]
    signed = next(place for place, line in enumerate(lines) if "checkpoint" in line)

    def changed(place: int, line: dict[str, Any] | None) -> list[dict[str, Any]]:
        return [*lines[:place], *([line] if line else []), *lines[place + 1 :]]

    middle = rows[len(rows) // 2]
    forged = [
        changed(middle, {**lines[middle], "row": {**lines[middle]["row"], "actor": "ravi"}}),
        changed(middle, None),
        changed(rows[-1], None),
        changed(signed, {**lines[signed], "checkpoint": {**lines[signed]["checkpoint"], "count": 1}}),
    ]
    for content in forged:
        export.write_text("".join(f"{json.dumps(line)}\n" for line in content))
        assert verify(database_url, tmp_path, "--export", str(export))[0] == 1
    twice = [json.dumps(line) for line in lines]
    twice[middle] = '{"row":{"actor":"ravi"},' + twice[middle][1:]
    export.write_text("".join(f"{line}\n" for line in twice))
    assert verify(database_url, tmp_path, "--export", str(export))[0] == 2
