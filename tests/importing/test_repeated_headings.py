"""A table with two columns of the same heading is refused before anything is imported: neither column wins."""

from pathlib import Path

import pytest
from openpyxl import Workbook
from sqlalchemy import select

from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import Ran, run_import
from tests.importing.test_importing_on_the_screen import start, upload

pytestmark = on_one_engine

ADVICE = "Rename or delete all but one of them, then import the file again."
ROW = ("u1", "Om Rao", "9805756092", "2026-01-05", "9805756093")
# The headings of ROW, and how the sentence names those that are the same.
REPEATED = {
    "the same": ("id,name,mobile,date,mobile", "mobile and mobile"),
    "spaces around it": ("id,name,mobile,date, mobile ", "mobile and mobile"),
    "another case": ("id,name,mobile,date,Mobile", "mobile and Mobile"),
    "another spelling": ("id,name,mobileNo,date,Mobile No.", "mobileNo and Mobile No."),
    "of an inner object": ("id,name,contact.mobile,date,contact.Mobile", "contact.mobile and contact.Mobile"),
    "an unused column": ("id,name,mobile,NAME,date", "name and NAME"),
}


def run(desk: Desk, tmp_path: Path, source: Path, *words: str) -> Ran:
    return run_import(desk.settings.database_url, tmp_path / f"run{len(list(tmp_path.iterdir()))}", str(source), *words)


def write_table(folder: Path, ending: str, headings: str, row: tuple[str, ...] = ROW) -> Path:
    path = folder / f"users.{ending}"
    if ending == "xlsx":
        book = Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.append(headings.split(","))
        sheet.append(row)
        book.save(path)
    else:
        path.write_text(f"{headings}\n{','.join(row)}\n")
    return path


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(("headings", "named"), REPEATED.values(), ids=REPEATED)
def test_a_table_with_two_columns_of_one_name_is_refused(
    desk: Desk, tmp_path: Path, ending: str, headings: str, named: str
) -> None:
    source = write_table(tmp_path, ending, headings)
    for words in ((), ("--dry-run",)):
        ran = run(desk, tmp_path, source, *words)
        assert ran.code == 1
        said = f"users.{ending} has columns with the same heading: {named}. {ADVICE} Nothing was imported."
        assert said in " ".join(ran.errors.split())
    assert desk.rows(select(users)) == []


def test_every_heading_that_occurs_twice_is_named(desk: Desk, tmp_path: Path) -> None:
    source = write_table(tmp_path, "csv", "id,name,mobile,date,mobile,ID,mobile", (*ROW, "u2", "9805756094"))
    assert "the same heading: id and ID; mobile, mobile and mobile." in run(desk, tmp_path, source).errors


def test_the_sheet_is_named_and_the_sentence_stays_short(desk: Desk, tmp_path: Path) -> None:
    book = Workbook()
    book.create_sheet("users").append(["id", "name", "mobile", "date"])
    book.create_sheet("claims").append([f"{'x' * 500}{number % 100}" for number in range(5000)])
    book.save(tmp_path / "shop.xlsx")
    said = " ".join(run(desk, tmp_path, tmp_path / "shop.xlsx").errors.split())
    assert said.startswith("The sheet claims of shop.xlsx has columns with the same heading: xxx")
    assert said.endswith(f"; and 96 more. {ADVICE} Nothing was imported.")
    assert len(said) < 1000


def test_the_screen_says_the_same_and_imports_nothing(desk: Desk, tmp_path: Path) -> None:
    content = write_table(tmp_path, "csv", "id,name,mobile,date,mobile").read_bytes()
    import_id = upload(desk, "users.csv", content)
    failed = start(desk, import_id, "plan")
    assert failed["state"] == "failed"
    assert failed["failure"].startswith("users.csv has columns with the same heading: mobile and mobile. Rename")
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}}).json()["code"] == "import_not_planned"
    assert desk.rows(select(users)) == []


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("id,name,mobile,date,,", (*ROW[:4], "", "")),
        ("id,name,mobile,date, ,%,#", (*ROW[:4], "x", "y", "z")),
        ("_id,id,name,mobile,date", ("u1", "7", *ROW[1:4])),
        ("id,name,mobile,date,sponsor.name,sponsor.mobile", (*ROW[:4], "Asha", "9805756093")),
    ],
    ids=["columns without headings", "headings without letters", "MongoDB's id and another", "an inner object"],
)
def test_other_tables_are_imported(
    desk: Desk, tmp_path: Path, ending: str, headings: str, row: tuple[str, ...]
) -> None:
    ran = run(desk, tmp_path, write_table(tmp_path, ending, headings, row))
    assert ran.code == 0, ran.output + ran.errors
    (user,) = desk.rows(select(users))
    assert (user.external_id, user.mobile) == ("u1", "9805756092")


def test_a_sheet_that_is_not_imported_may_have_them(desk: Desk, tmp_path: Path) -> None:
    write_table(tmp_path, "csv", "id,name,mobile,date", ROW[:4])
    (tmp_path / "notes.csv").write_text("note,note\na,b\n")
    ran = run_import(
        desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.csv"), str(tmp_path / "notes.csv")
    )
    assert ran.code == 0, ran.output + ran.errors
