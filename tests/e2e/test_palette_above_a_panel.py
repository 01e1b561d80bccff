"""Ctrl K above an open claim: what is typed next goes into the palette and never moves the claim."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.held import Held
from tests.e2e.sizes import on_a_desktop

# It contains the keys of Accept, Paid, Reject and undo.
NAME = "Appu Rahul"


@on_a_desktop
@pytest.mark.parametrize("status", ["Pending", "Accepted"])
def test_a_name_typed_after_ctrl_k_moves_no_claim(
    page: Page, desk: Desk, open_screen: Callable[..., None], status: str
) -> None:
    claim, other = desk.claims(status)[:2]
    held = Held(page, "**/Palette-*.js")
    open_screen(f"/Withdraw/{claim['number']}")
    panel = page.locator("dialog[open]").first
    expect(panel.get_by_role("button", name="Accept", exact=True)).to_be_visible()
    page.keyboard.press("Control+k")
    # The first letters come before the palette is loaded.
    page.keyboard.type(NAME[:4])
    expect(page.get_by_role("textbox", name="Go to")).to_have_value(NAME[:4])
    held.let_go()
    field = page.get_by_role("combobox", name="Claim number")
    expect(field).to_be_focused()
    page.keyboard.type(NAME[4:])
    expect(field).to_have_value(NAME)
    assert desk.call("GET", f"/api/claims/{claim['_id']}").json()["status"] == status
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    expect(panel).to_be_focused()

    page.keyboard.press("Control+k")
    page.keyboard.type(other["number"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{desk.url}/Withdraw/{other['number']}")
    expect(panel).to_contain_text(other["number"])
    page.keyboard.press("Control+k")
    page.keyboard.type("Withdraw")
    page.keyboard.press("Enter")
    expect(panel).to_be_hidden()
    expect(page).to_have_url(f"{desk.url}/Withdraw")


@on_a_desktop
def test_a_name_typed_after_ctrl_k_confirms_no_payment(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claim = desk.claims("Accepted")[0]
    open_screen(f"/Withdraw/{claim['number']}")
    page.locator("dialog[open]").first.get_by_role("button", name="Paid Success").click()
    question = page.locator("dialog[open]").nth(1)
    question.get_by_role("button", name="Cancel").focus()
    # Longer than a bouncing key is ignored.
    page.wait_for_timeout(600)
    page.keyboard.press("Control+k")
    page.keyboard.type(NAME, delay=60)
    expect(question).to_be_visible()
    assert desk.call("GET", f"/api/claims/{claim['_id']}").json()["status"] == "Accepted"
