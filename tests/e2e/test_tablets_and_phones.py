"""A tablet keeps the table; a phone shows cards, low enough for four claims, and Back closes what covers the screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop, on_a_phone

ONLY_LOOKS = True

SCREENS = ("/Data", "/Withdraw", "/Qr", "/reg")
FITS = "table => table.scrollWidth <= table.clientWidth"
ARE_WHOLE = "cells => cells.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
# Of the rows that are completely between the table's top edge and the bottom of the window.
WHOLE_ROWS = """rows => {
    const table = document.querySelector('[role=table]').getBoundingClientRect();
    const isWhole = ({ top, bottom }) => top >= table.top && bottom <= Math.min(table.bottom, innerHeight);
    return rows.map((row) => row.getBoundingClientRect()).filter(isWhole).map(({ height }) => height);
}"""


@on_a_desktop
@pytest.mark.parametrize("path", SCREENS)
def test_a_tablet_keeps_the_table(page: Page, open_screen: Callable[..., None], path: str) -> None:
    for width, height in ((768, 1024), (1024, 768), (1279, 800)):
        page.set_viewport_size({"width": width, "height": height})
        open_screen(path)
        table = page.get_by_role("table")
        expect(table.get_by_role("columnheader", name="Name").first).to_be_visible()
        page.locator("[data-row-id]").first.wait_for()
        assert table.evaluate(FITS), (path, width)
        if path != "/Qr":
            expect(table.get_by_role("checkbox").first).to_be_visible()
        # Nothing is cut off at the end of a row.
        cells = page.locator("[data-row-id]").first.get_by_role("cell")
        assert cells.evaluate_all(ARE_WHOLE), (path, width)


@on_a_phone
def test_at_least_four_claims_fit_on_a_phone(page: Page, open_screen: Callable[..., None]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_screen("/Withdraw")
    page.locator("[data-row-id]").first.wait_for()
    heights = page.locator("[data-row-id]").evaluate_all(WHOLE_ROWS)
    assert len(heights) >= 4
    assert max(heights) <= 112
    button = page.get_by_role("button", name="Accept").first.bounding_box()
    assert button is not None
    assert button["height"] >= 44


@on_a_phone
def test_back_closes_a_dialog_and_then_leaves_the_screen(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Withdraw").click()
    expect(page).to_have_url(f"{desk.url}/Withdraw")

    question = page.get_by_role("dialog", name="Reject this claim?")
    for leave in (page.go_back, lambda: question.get_by_role("button", name="Cancel").click()):
        page.get_by_role("button", name="More").first.click()
        page.get_by_role("menuitem", name="Reject…").click()
        expect(question).to_be_visible()
        leave()
        expect(question).to_be_hidden()
        expect(page).to_have_url(f"{desk.url}/Withdraw")
    page.go_back()
    expect(page).to_have_url(f"{desk.url}/Data")
    page.go_forward()

    number = desk.claims("Pending")[0]["number"]
    page.get_by_role("button", name="Go to").click()
    page.get_by_role("combobox", name="Claim number").fill(number)
    page.get_by_role("option", name=number).first.click()
    panel = page.locator("dialog[data-panel]")
    expect(panel).to_contain_text(number)
    expect(page).to_have_url(f"{desk.url}/Withdraw/{number}")
    page.go_back()
    expect(panel).to_be_hidden()
    expect(page).to_have_url(f"{desk.url}/Withdraw")
