"""From the list to a spreadsheet and back: each claim gets its own bank reference, or none does."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk, Template, opened_desk
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.e2e.test_moving_many_claims import Hand, row_at, show_boxes
from tests.e2e.test_paying_many_claims import accept_pending, look_at_all, open_sheet, references_of


@pytest.fixture
def desk(busy_template: Template, tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(busy_template, tmp_path) as opened:
        yield opened


def reference_of(number: str) -> str:
    return f"SBIN326{number.removeprefix('C-'):>09}"


def write_clipboard(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def paste(page: Page, text: str) -> None:
    write_clipboard(page, text)
    page.keyboard.press("Control+V")


def shown_references(sheet: Locator) -> dict[str, str]:
    """By the claim number of the row."""
    found: dict[str, str] = sheet.evaluate(
        """sheet => Object.fromEntries([...sheet.querySelectorAll('[data-claim]')].map(row =>
            [row.querySelector('th').innerText, row.querySelector('[data-reference]').value]))"""
    )
    return found


@on_a_desktop
def test_copied_rows_come_back_from_a_spreadsheet_with_their_references(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    accept_pending(desk, 10)
    claims = desk.claims("Accepted")[:6]
    open_screen("/Withdraw?status=Accepted")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    show_boxes(page, "desktop")
    # Selected from below: the copy has the order of the list all the same.
    row_at(page, 5).get_by_role("checkbox").click()
    row_at(page, 0).get_by_role("checkbox").click(modifiers=["Shift"])
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied 6 claims.")).to_be_visible()
    heading, *lines = page.evaluate("() => navigator.clipboard.readText()").split("\n")
    assert heading.split("\t")[1] == "Claim No."
    numbers = [line.split("\t")[1] for line in lines]
    assert numbers == [claim["number"] for claim in claims]

    # The spreadsheet shows text instead of ="…", adds a column, and sorts by another one.
    cells = [re.sub(r'="(\d+)"', r"\1", line) for line in lines]
    rows = sorted(f"{line}\t{reference_of(number)}" for line, number in zip(cells, numbers, strict=True))
    page.get_by_role("button", name="Paid…").click()
    sheet = page.get_by_role("alertdialog", name="Mark 6 claims Paid?")
    expect(sheet.get_by_role("rowheader")).to_have_text(numbers)
    paste(page, "\n".join([f"{heading}\tUTR", *rows]))
    expect(sheet.get_by_text("6 references pasted.")).to_be_visible()
    assert shown_references(sheet) == {number: reference_of(number) for number in numbers}
    look_at_all(page, sheet)
    sheet.get_by_role("button", name="Mark 6 claims Paid ·").click()
    expect(page.get_by_text("6 claims marked Paid.").first).to_be_visible()
    assert references_of(desk, claims) == {claim["_id"]: reference_of(claim["number"]) for claim in claims}


@on_a_desktop
def test_references_alone_are_compared_row_by_row_before_they_pay(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claims = accept_pending(desk, 20)
    count, numbers = len(claims), [claim["number"] for claim in claims]
    open_screen("/Withdraw?status=Accepted")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    show_boxes(page, "desktop")
    sheet = open_sheet(page, Hand(), f"Mark {count} claims Paid?", "Paid…", count)
    expect(sheet.get_by_role("rowheader")).to_have_text(numbers)
    look_at_all(page, sheet)
    confirm = sheet.get_by_role("button", name="Mark ")
    expect(confirm).to_be_enabled()

    paste(page, "\n".join(map(reference_of, numbers)))
    question = sheet.get_by_text(
        f"Line 1 is taken for {numbers[0]}, the first row: the order of the list, newest first."
    )
    expect(question).to_be_in_viewport()
    expect(sheet.get_by_role("rowheader").first).to_be_in_viewport()
    expect(confirm).to_be_disabled()
    page.keyboard.press("Control+Enter")
    expect(question).to_be_visible()
    assert findings(page) == []
    assert shown_references(sheet) == {number: reference_of(number) for number in numbers}
    sheet.get_by_role("button", name="Undo the paste").click()
    assert set(shown_references(sheet).values()) == {""}

    paste(page, "\n".join(map(reference_of, numbers)))
    sheet.get_by_role("button", name="The rows are right").click()
    expect(confirm).to_be_enabled()
    confirm.click()
    expect(page.get_by_text(f"{count} claims marked Paid.").first).to_be_visible()
    checked: list[dict[str, Any]] = [claims[0], claims[-1]]
    assert references_of(desk, checked) == {claim["_id"]: reference_of(claim["number"]) for claim in checked}


@on_a_desktop
def test_a_paste_that_disagrees_with_the_sheet_is_refused_as_a_whole(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claims = accept_pending(desk, 3)
    count = len(claims)
    open_screen("/Withdraw?status=Accepted")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    show_boxes(page, "desktop")
    sheet = open_sheet(page, Hand(), f"Mark {count} claims Paid?", "Paid…", count)
    expect(sheet.get_by_role("rowheader")).to_have_count(count)
    lines = [f"{claim['number']}\t{claim['amount']}\t{reference_of(claim['number'])}" for claim in claims]
    lines[1] = f"{claims[1]['number']}\t{claims[1]['amount'] + 1}\t{reference_of(claims[1]['number'])}"
    paste(page, "\n".join(["Claim No.\tAmount\tUTR", *lines]))
    expect(sheet.get_by_text("The paste was refused: no reference was changed.")).to_be_visible()
    expect(sheet.get_by_text(re.compile(rf"^Line 3: {claims[1]['number']} is over "))).to_be_visible()
    assert findings(page) == []
    assert set(shown_references(sheet).values()) == {""}
    paste(page, "\n".join(map(reference_of, [claim["number"] for claim in claims[1:]])))
    expect(sheet.get_by_text(f"and this sheet has {count} claims.")).to_be_visible()
    assert set(shown_references(sheet).values()) == {""}
