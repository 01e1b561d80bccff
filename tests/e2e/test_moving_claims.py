from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import PATIENCE_MS, Desk
from tests.e2e.formats import rupees
from tests.e2e.held import Held
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine


def row_of(page: Page, claim: dict[str, Any]) -> Locator:
    return page.get_by_role("row").filter(has_text=claim["accountNo"]).filter(has_text=rupees(claim["amount"]))


def newest(desk: Desk, status: str) -> dict[str, Any]:
    """The newest claim of this status with a unique pair of account and amount."""
    everything = desk.call("GET", "/api/claims/all").json()
    marks = [(claim["accountNo"], claim["amount"]) for claim in everything]
    return next(c for c in everything if c["status"] == status and marks.count((c["accountNo"], c["amount"])) == 1)


def expect_state(row: Locator, status: str) -> None:
    expect(row.get_by_text(status, exact=True)).to_be_visible()
    accept, paid = row.get_by_role("button", name="Accept"), row.get_by_role("button", name="Paid Success")
    expect(accept).to_be_enabled(enabled=status == "Pending")
    expect(paid).to_be_enabled(enabled=status == "Accepted")


@on_a_desktop
def test_only_the_button_for_the_next_step_is_enabled(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    for status in ("Pending", "Accepted", "Paid"):
        open_screen("/Withdraw")
        expect_state(scroll_to(page, newest(desk, status)), status)


def scroll_to(page: Page, claim: dict[str, Any]) -> Locator:
    """Scroll until the row is rendered: rows outside the window are not in the document."""
    row = row_of(page, claim)
    page.get_by_role("row").nth(1).wait_for()
    table = page.get_by_role("table")
    for _ in range(80):
        if row.count():
            row.scroll_into_view_if_needed()
            return row
        table.evaluate("element => element.scrollBy(0, 400)")
        page.wait_for_timeout(30)
    raise AssertionError(f"no row of {claim['accountNo']}")


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    for _ in range(PATIENCE_MS // 50):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never was so")


def test_a_claim_can_be_moved_from_pending_to_paid(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    claim = newest(desk, "Pending")
    lists: list[str] = []
    page.on("request", lambda request: lists.append(request.url) if "/claims/all" in request.url else None)
    open_screen("/Withdraw")
    row = scroll_to(page, claim)
    # Once when the screen opens, and once when its live connection is established.
    wait_until(page, lambda: len(lists) == 2)
    lists_before = len(lists)
    row.get_by_role("button", name="Accept").click()
    expect_state(row, "Accepted")

    row.get_by_role("button", name="Paid Success").click()
    confirm = page.get_by_role("alertdialog")
    for text in (claim["user"]["username"], claim["accountNo"], claim["ifsc"], "This cannot be undone."):
        expect(confirm).to_contain_text(text)
    expect(confirm.get_by_label("Bank reference")).to_be_focused()
    page.keyboard.press("Escape")
    expect(confirm).to_be_hidden()
    expect_state(row, "Accepted")

    row.get_by_role("button", name="Paid Success").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Paid Success").click()
    expect_state(row, "Paid")
    assert [c["status"] for c in desk.call("GET", "/api/claims/all").json() if c["_id"] == claim["_id"]] == ["Paid"]
    # The row is updated in place; the list is not fetched again.
    assert len(lists) == lists_before


@on_a_desktop
def test_a_dialog_that_waits_for_its_payment_stays_after_two_escapes(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    """On the second one a browser closes a dialog without asking the page."""
    claim = newest(desk, "Accepted")
    held = Held(page, "**/api/claims/*/status")
    open_screen("/Withdraw")
    row = scroll_to(page, claim)
    row.get_by_role("button", name="Paid Success").click()
    confirm = page.get_by_role("alertdialog")
    confirm.get_by_role("textbox").fill("426812345678")
    confirm.get_by_role("button", name="Paid Success").click()
    assert len(held.wait()) == 1
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(confirm).to_be_visible()
    held.let_go()
    expect(confirm).to_be_hidden()
    expect_state(row, "Paid")


@on_a_desktop
def test_a_conflict_names_who_moved_the_claim_and_the_row_shows_its_current_status(
    page: Page, desk: Desk, sign_in: Callable[..., None]
) -> None:
    sign_in()
    claim = newest(desk, "Pending")
    # Without live updates, the screen does not know about the moves yet.
    page.route("**/api/live", lambda route: route.abort())
    page.goto(f"{desk.url}/Withdraw")
    row = scroll_to(page, claim)
    expect_state(row, "Pending")
    for status in ("Accepted", "Paid"):
        assert desk.call("PUT", f"/api/claims/{claim['_id']}/status", json={"status": status}).status_code == 200
    row.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("alert")).to_contain_text("ravi moved this claim to Paid on")
    expect_state(row_of(page, claim), "Paid")


@on_a_desktop
@pytest.mark.parametrize(("loss", "truth"), [("answer", "Accepted"), ("request", "Pending")])
def test_after_a_lost_response_the_actual_status_is_fetched_and_shown(
    page: Page, desk: Desk, bad_line: BadLine, open_screen: Callable[..., None], loss: Any, truth: str
) -> None:
    claim = newest(desk, "Pending")
    open_screen("/Withdraw", bad_line.url)
    row = scroll_to(page, claim)
    bad_line.lose(loss, f"PUT /api/claims/{claim['_id']}")
    row.get_by_role("button", name="Accept").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(f"The server says it is {truth}.")
    expect(alert).not_to_contain_text("failed")
    expect_state(row_of(page, claim), truth)


# By the page itself: however busy the machine is, the second tap comes at once.
TAP_WHEN_IT_APPEARS = """() => {
  const look = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('[role=alertdialog] button')];
    const button = buttons.find(({ textContent }) => textContent === 'Paid Success');
    if (!button) return;
    look.disconnect();
    button.click();
    window.hasTapped = true;
  });
  look.observe(document.body, { childList: true, subtree: true });
}"""


def test_a_double_tap_pays_nothing(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    """On a phone, the confirm dialog's button can appear right under the finger that opened the dialog."""
    claim = newest(desk, "Accepted")
    open_screen("/Withdraw")
    row = scroll_to(page, claim)
    page.evaluate(TAP_WHEN_IT_APPEARS)
    row.get_by_role("button", name="Paid Success").click()
    page.wait_for_function("window.hasTapped")
    confirm = page.get_by_role("alertdialog")
    button = confirm.get_by_role("button", name="Paid Success")
    expect(confirm).to_be_visible()
    assert [c["status"] for c in desk.call("GET", "/api/claims/all").json() if c["_id"] == claim["_id"]] == ["Accepted"]
    button.click()
    expect(confirm).to_be_hidden()


@on_a_desktop
def test_the_buttons_and_the_account_stay_where_they_are_while_the_details_load(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    held = Held(page, "**/api/claims/*/details")
    open_screen(f"/Withdraw/{newest(desk, 'Pending')['number']}")
    panel = page.get_by_role("dialog")
    expect(panel.get_by_text("Checking for warnings…")).to_be_visible()
    places = [panel.get_by_role("button", name=name) for name in ("Accept", "Paid Success", "Copy account")]
    before = [place.bounding_box() for place in places]
    assert None not in before

    [request] = held.wait()
    details = request.fetch().json()
    details["claim"]["externalId"] = "claim-of-the-service-1001"
    request.fulfill(json=details | {"facts": []})
    expect(panel.get_by_text("No warnings.")).to_be_visible()
    expect(panel.get_by_text("External ID claim-of-the-service-1001")).to_be_visible()
    assert [place.bounding_box() for place in places] == before
