"""References and reasons that are typed blind: every letter goes into the field of the dialog, or nowhere."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk, Template
from tests.e2e.held import Held
from tests.e2e.keys import QUIET_MS, press_enter
from tests.e2e.sizes import on_a_desktop
from tests.waiting import eventually


@pytest.fixture(scope="module")
def demo_template(busy_template: Template) -> Template:
    return busy_template


def statuses(desk: Desk) -> dict[str, str]:
    return {claim["_id"]: claim["status"] for claim in desk.call("GET", "/api/claims/all").json()}


def reference_of(desk: Desk, claim_id: str) -> str | None:
    timeline: list[dict[str, str | None]] = desk.call("GET", f"/api/claims/{claim_id}/details").json()["timeline"]
    return timeline[-1]["reference"]


@on_a_desktop
@pytest.mark.parametrize(
    ("reference", "stored"),
    [
        ("paytm123456", "PAYTM123456"),
        ("jpaj1122hrmx", "JPAJ1122HRMX"),
        ("IMPS/P2A/632212345678/jayaprakash", "632212345678"),
    ],
)
def test_a_reference_full_of_shortcuts_pays_one_claim_with_exactly_this_reference(
    page: Page, desk: Desk, open_screen: Callable[..., None], reference: str, stored: str
) -> None:
    held = Held(page, "**/api/claims/*/details")
    open_screen("/Withdraw?status=Accepted")
    first = page.locator("[data-row-id]").first
    first.wait_for()
    before = statuses(desk)
    claim_id = first.get_attribute("data-row-id") or ""
    page.keyboard.press("j")
    page.keyboard.press("p")
    page.keyboard.type(reference)
    field = page.get_by_label("Bank reference")
    expect(field).to_be_focused()
    expect(field).to_have_value(reference)
    # Half a second passes before there are warnings to read.
    page.wait_for_timeout(QUIET_MS)
    page.keyboard.press("Enter")
    held.let_go()
    expect(page.get_by_role("button", name="Paid Success", exact=True)).to_be_enabled()
    assert statuses(desk) == before
    press_enter(page)
    # As it was typed on by an admin who looks elsewhere.
    page.keyboard.type(reference * 3 + "\n", delay=20)
    expect(page.get_by_role("alertdialog")).to_be_hidden()
    page.keyboard.type(reference, delay=20)
    after = statuses(desk)
    assert {key for key in after if after[key] != before[key]} == {claim_id}
    assert after[claim_id] == "Paid"
    assert reference_of(desk, claim_id) == stored
    expect(page.get_by_role("alertdialog")).to_be_hidden()


TAKEN = {"code": "reference_taken", "message": "Another claim has it.", "fields": {}}


@on_a_desktop
@pytest.mark.parametrize("way", ["typed", "pasted"])
@pytest.mark.parametrize("first_enter", ["comes too early", "is refused"])
def test_the_next_reference_is_not_joined_to_one_that_was_not_taken(
    page: Page, desk: Desk, open_screen: Callable[..., None], way: str, first_enter: str
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    held = Held(page, "**/api/claims/*/details") if first_enter == "comes too early" else None
    if held is None:
        page.route("**/api/claims/*/status", lambda route: route.fulfill(status=409, json=TAKEN))
    open_screen("/Withdraw?status=Accepted")
    row = page.locator("[data-row-id]").first
    row.wait_for()
    claim_id = row.get_attribute("data-row-id") or ""
    before = statuses(desk)

    def give(reference: str) -> None:
        page.keyboard.press("p")
        if way == "typed":
            page.keyboard.type(reference, delay=20)
        else:
            page.evaluate("text => navigator.clipboard.writeText(text)", reference)
            page.keyboard.press("Control+V")

    field = page.get_by_role("textbox", name="Bank reference")
    page.keyboard.press("j")
    give("878991103186")
    if held is not None:
        page.keyboard.press("Enter")
        expect(page.get_by_text("Press it again")).to_be_visible()
        held.let_go()
        expect(page.locator("[data-armed]:focus-within")).to_be_visible()
    else:
        press_enter(page)
        expect(page.get_by_text("Another claim has it.")).to_be_visible()
        page.unroute_all()
    page.wait_for_timeout(2 * QUIET_MS)
    give("827442474081")
    expect(page.get_by_text("What you typed on was not taken.")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_timeout(QUIET_MS)
    expect(field).to_have_value("878991103186")
    assert statuses(desk) == before
    # A click beside the field may only have brought the window to the front.
    page.get_by_role("heading", name="Mark as paid?").click()
    field.focus()
    page.keyboard.type("8")
    expect(field).to_have_value("878991103186")
    field.click()
    press_enter(page)
    expect(field).to_be_hidden()
    assert reference_of(desk, claim_id) == "878991103186"


PRESS_AND_TYPE = """
    (button, keys) => {
        button.click();
        const how = { bubbles: true, cancelable: true };
        for (const key of keys) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, ...how }));
    }
"""


@on_a_desktop
def test_references_typed_into_the_pay_sheet_wait_for_its_button(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    held = Held(page, "**/afterFirstRows-*.js")
    open_screen("/Withdraw?status=Accepted")
    rows = page.locator("[data-row-id]")
    rows.first.wait_for()
    before = statuses(desk)
    chosen = [rows.nth(place).get_attribute("data-row-id") or "" for place in (0, 1)]
    for key in "jxjx":
        page.keyboard.press(key)
    selected = page.get_by_text("2 claims selected")
    expect(selected).to_be_visible()
    # The file of the sheet has not come yet: no key may reach the rows, not even those typed at once.
    page.get_by_role("button", name="Paid…").evaluate(PRESS_AND_TYPE, [*"paytmxjx?", "Enter"])
    expect(selected).to_be_visible()
    expect(page.locator("dialog[open], [role=menu]")).to_have_count(0)
    held.let_go()
    sheet = page.get_by_role("alertdialog", name="Mark 2 claims Paid?")
    first = sheet.get_by_role("textbox", name="Bank reference").first
    expect(first).to_be_focused()
    page.wait_for_timeout(QUIET_MS)
    page.keyboard.type("123456")
    expect(sheet.get_by_text("What you typed on was not taken.")).to_be_visible()
    expect(first).to_have_value("")
    page.wait_for_timeout(QUIET_MS)
    page.keyboard.press("End")
    page.keyboard.type("paytm123456\njpaj11223344\nhrmx99887766\n")
    expect(first).to_have_value("paytm123456")
    page.keyboard.press("Control+Enter")
    expect(sheet.get_by_text("2 of 2 references entered.")).to_be_focused()
    assert statuses(desk) == before
    expect(sheet.get_by_role("button", name="Mark 2 claims Paid")).to_be_enabled()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("Mark 2"):
            break
    page.keyboard.press("Enter")
    eventually(lambda: [statuses(desk)[claim_id] for claim_id in chosen] == ["Paid", "Paid"])
    assert [reference_of(desk, claim_id) for claim_id in chosen] == ["PAYTM123456", "JPAJ11223344"]


@on_a_desktop
@pytest.mark.parametrize("correction", ["Backspace", "Delete", "Control+z"])
def test_a_correction_typed_blind_does_not_join_two_references(
    page: Page, desk: Desk, open_screen: Callable[..., None], correction: str
) -> None:
    page.route("**/api/claims/*/status", lambda route: route.fulfill(status=409, json=TAKEN))
    open_screen("/Withdraw?status=Accepted")
    page.locator("[data-row-id]").first.wait_for()
    before = statuses(desk)
    page.keyboard.press("j")
    page.keyboard.press("p")
    page.keyboard.type("HDFC916148", delay=20)
    press_enter(page)
    expect(page.get_by_text("Another claim has it.")).to_be_visible()
    page.unroute_all()
    page.wait_for_timeout(QUIET_MS)
    page.keyboard.type("p530755", delay=20)
    page.wait_for_timeout(2 * QUIET_MS)
    page.keyboard.press(correction)
    page.keyboard.type("320596", delay=20)
    page.wait_for_timeout(QUIET_MS)
    page.keyboard.press("Enter")
    page.wait_for_timeout(QUIET_MS)
    field = page.get_by_role("textbox", name="Bank reference")
    expect(field).to_have_value("HDFC916148")
    assert statuses(desk) == before
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    expect(field).to_have_value("HDFC91614")


@on_a_desktop
def test_a_lost_p_never_makes_the_next_reference_move_a_claim(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw?status=Accepted")
    page.locator("[data-row-id]").first.wait_for()
    before = statuses(desk)
    confirm = page.get_by_role("alertdialog")
    lost = page.get_by_text("What you typed was not taken.")
    page.keyboard.press("j")
    for reference in ("paytm070213", "rtgs070213", "hdfcn070213"):
        page.keyboard.press("p")
        expect(confirm).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("p")
        expect(lost).to_be_visible()
        page.wait_for_timeout(2 * QUIET_MS)
        page.keyboard.type(f"{reference}\t\t\n", delay=20)
        expect(confirm).to_be_hidden()
        page.keyboard.press("Escape")
        expect(lost).to_be_hidden()
    assert statuses(desk) == before
