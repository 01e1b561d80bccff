"""A small spreadsheet that needs far more memory than it has bytes is refused, and a damaged one is too."""

import io
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from countinghouse.core.errors import InvalidInput
from countinghouse.importing.sources.discovery import find_sources
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import run_import
from tests.importing.test_importing_on_the_screen import start, upload

COLUMNS = ("id", "name", "phone", "date")
REASON = "needs more memory or time than a spreadsheet may take"


def workbook(far_cell: str | None = None) -> bytes:
    book = Workbook()
    book.active.append(COLUMNS)
    book.active.append(("u1", "Om Rao", "9805756092", "2026-01-05"))
    if far_cell:
        book.active[far_cell] = 1
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def repacked(content: bytes, part: str, replacement: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, replacement if name == part else old.read(name))
    return packed.getvalue()


@on_one_engine
@pytest.mark.parametrize("cell", ["XFD8000", "XFD1048576"])
def test_the_command_refuses_a_spreadsheet_with_a_far_cell(desk: Desk, tmp_path: Path, cell: str) -> None:
    path = tmp_path / "users.xlsx"
    path.write_bytes(workbook(cell))
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(path))
    assert ran.code == 1
    assert REASON in ran.errors
    assert "delete the rows and columns beyond your data" in ran.errors


@on_one_engine
def test_the_screen_says_why_a_spreadsheet_with_a_far_cell_is_refused(desk: Desk) -> None:
    failed = start(desk, upload(desk, "users.xlsx", workbook("XFD1048576")), "plan")
    assert failed["state"] == "failed"
    assert REASON in failed["failure"]


def test_a_cell_in_the_last_row_that_excel_has_is_no_reason_to_refuse(tmp_path: Path) -> None:
    path = tmp_path / "users.xlsx"
    path.write_bytes(workbook("D1048576"))
    (source,) = find_sources([path])
    assert [document.place for document in source.read()] == [2, 1_048_576]


def test_a_spreadsheet_with_a_damaged_sheet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "users.xlsx"
    path.write_bytes(repacked(workbook(), "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row><c r="))
    with pytest.raises(InvalidInput, match="cannot be opened as a spreadsheet"):
        find_sources([path])
