"""Imported QR codes pass the same examination as uploads, and are never displayed by the import."""

import base64
import json
from pathlib import Path
from typing import Any

import bson
import pytest
from sqlalchemy import select

from countinghouse.qr.tables import qr_codes, qr_displays
from tests.desk import Desk
from tests.importing.command import Ran, run_import
from tests.pictures import qr_png

CODE = {
    "_id": "6917e2f4a1b2c3d4e5000004",
    "name": "Desk 1",
    "upiId": "desk1@okbank",
    "createdAt": "2026-01-05T00:00:00Z",
}


def run(desk: Desk, tmp_path: Path, *documents: dict[str, Any]) -> Ran:
    source = tmp_path / "source"
    source.mkdir(exist_ok=True)
    (source / "qrs.json").write_text("\n".join(json.dumps(document) for document in documents))
    return run_import(desk.settings.database_url, tmp_path / f"run{len(list(tmp_path.iterdir()))}", str(source))


def data_url(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode()


def test_pictures_come_from_data_urls_files_and_paths(desk: Desk, tmp_path: Path) -> None:
    picture = qr_png("upi://pay?pa=desk1@okbank&pn=Desk")
    (tmp_path / "source" / "uploads").mkdir(parents=True)
    (tmp_path / "source" / "uploads" / "code.png").write_bytes(picture)
    by_path = {**CODE, "_id": "6917e2f4a1b2c3d4e5000005", "qrImage": "/uploads/code.png"}
    ran = run(desk, tmp_path, {**CODE, "qrImage": data_url(picture), "status": "display"}, by_path)
    assert ran.code == 0, ran.output + ran.errors
    binary = {**CODE, "_id": bson.ObjectId("6917e2f4a1b2c3d4e5000006"), "qrImage": picture}
    (tmp_path / "qrs.bson").write_bytes(bson.encode(binary))
    assert run_import(desk.settings.database_url, tmp_path / "bson", str(tmp_path / "qrs.bson")).code == 0
    codes = desk.rows(select(qr_codes).order_by(qr_codes.c.id))
    assert [code.id[-1] for code in codes] == ["4", "5", "6"]
    for code in codes:
        assert (code.status, code.is_cleared, code.uploaded_by) == ("hide", True, "command")
        assert code.created_at.isoformat() == "2026-01-05T00:00:00+00:00"
    assert desk.rows(select(qr_displays)) == []
    assert desk.get("/api/qr", by=None).json() == []
    again = run(desk, tmp_path, {**CODE, "qrImage": data_url(picture)}, by_path)
    assert again.outcomes["qr"] == (0, 2, 0, 0)


def test_a_picture_that_pays_somebody_else_needs_a_confirmation(desk: Desk, tmp_path: Path) -> None:
    swapped = {**CODE, "qrImage": data_url(qr_png("upi://pay?pa=thief@okbank&pn=Desk"))}
    assert run(desk, tmp_path, swapped).code == 0
    (code,) = desk.rows(select(qr_codes))
    assert (code.is_cleared, code.status) == (False, "hide")
    assert desk.display(code.id).status_code == 409


def test_another_picture_under_a_known_id_is_a_conflict(desk: Desk, tmp_path: Path) -> None:
    run(desk, tmp_path, {**CODE, "qrImage": data_url(qr_png("upi://pay?pa=desk1@okbank&pn=Desk"))})
    ran = run(desk, tmp_path, {**CODE, "qrImage": data_url(qr_png("upi://pay?pa=thief@okbank&pn=Desk"))})
    assert ran.outcomes["qr"] == (0, 0, 1, 0)
    (code,) = desk.rows(select(qr_codes))
    assert code.payee == "desk1@okbank"


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        ("https://example.in/code.png", "Download the picture"),
        ("../outside.png", "names no file"),
        ("/etc/hostname", "names no file"),
        ("data:image/png;base64,!!!", "not a data URL"),
        (data_url(b"no picture"), "image"),
        (17, "must be a file"),
        (None, "picture is required."),
    ],
)
def test_what_is_no_picture_is_reported(desk: Desk, tmp_path: Path, picture: Any, reason: str) -> None:
    (tmp_path / "outside.png").write_bytes(qr_png("upi://pay?pa=desk1@okbank&pn=Desk"))
    good = {**CODE, "_id": "6917e2f4a1b2c3d4e5000009", "qrImage": data_url(qr_png("upi://pay?pa=desk1@okbank"))}
    ran = run(desk, tmp_path, good, {**CODE, "qrImage": picture})
    assert [row["Field"] for row in ran.bad_rows] == ["picture"]
    assert reason in ran.bad_rows[0]["Reason"]
    assert len(desk.rows(select(qr_codes))) == 1
