"""Codes that release 0009 stored with findings keep them, as a JSON array."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import bindparam, select, text

from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate
from countinghouse.core.times import Moment
from countinghouse.qr.queries import reading_of
from countinghouse.qr.tables import qr_codes
from tests.core.earlier_desks import desk_at
from tests.desk import NEWEST, Desk

# As stored before, and after.
STORED = {
    "Clean": ("", ""),
    "One": ("other_payee", '["other_payee"]'),
    "Two": ("several,other_letters", '["several","other_letters"]'),
    "Unread": (None, None),
}


@pytest.fixture
def old_desk(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk_at("0009", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


def test_findings_are_kept_as_json(old_desk: Desk) -> None:
    for name, (before, _) in STORED.items():
        key = new_id().ljust(43, "k")
        old_desk.change(
            text(
                "INSERT INTO qr_images (key, content, sha256, width, height) VALUES (:key, :content, 'none', 9, 9)"
            ).bindparams(key=key, content=b"picture")
        )
        old_desk.change(
            text(
                "INSERT INTO qr_codes "
                "(id, created_at, name, upi_id, upload_key, status, is_cleared, uploaded_by, findings) "
                "VALUES (:id, :at, :name, 'desk1@okbank', :key, 'hide', false, 'asha', :findings)"
            ).bindparams(bindparam("at", NEWEST, Moment), id=new_id(), name=name, key=key, findings=before)
        )
    migrate(old_desk.database)

    rows = {row.name: row for row in old_desk.rows(select(qr_codes))}
    assert {name: row.findings for name, row in rows.items()} == {name: after for name, (_, after) in STORED.items()}
    two = reading_of(rows["Two"])
    assert two is not None
    assert two.findings == ("several", "other_letters")
    assert reading_of(rows["Unread"]) is None
