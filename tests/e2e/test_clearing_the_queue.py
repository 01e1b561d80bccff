"""Moving claims in a real browser: with keys, with the row's menu, and with the panel open."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk, Template
from tests.e2e.formats import rupees
from tests.e2e.keys import QUIET_MS, press_enter
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine
from tests.waiting import eventually


@pytest.fixture(scope="module")
def demo_template(busy_template: Template) -> Template:
    """Demo data with more than twenty claims in each queue."""
    return busy_template


def first_row(page: Page) -> Locator:
    return page.locator("[data-row-id]").first


def focused_id(page: Page) -> str | None:
    found: str | None = page.evaluate("document.activeElement?.dataset.rowId ?? null")
    return found


def status_of(desk: Desk, claim_id: str) -> str:
    return str(desk.call("GET", f"/api/claims/{claim_id}").json()["status"])


def move(desk: Desk, claim_id: str, status: str, **more: Any) -> None:
    answer = desk.call("PUT", f"/api/claims/{claim_id}/status", json={"status": status, **more})
    assert answer.status_code == 200, answer.text


def start_at_the_first(page: Page) -> None:
    first_row(page).wait_for()
    page.keyboard.press("j")
    expect(first_row(page)).to_be_focused()


def choose_in_menu(page: Page, row: Locator, item: str) -> None:
    row.get_by_role("button", name="More").click()
    page.get_by_role("menu").get_by_role("menuitem", name=item).click()


def give_reason(page: Page, reason: str) -> None:
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Reason")).to_be_focused()
    dialog.get_by_label("Reason").fill(reason)
    press_enter(page)
    expect(dialog).to_be_hidden()


@on_a_desktop
def test_twenty_claims_are_accepted_with_one_key_press_each(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    wanted = [claim["_id"] for claim in desk.claims("Pending")][:20]
    assert len(wanted) == 20
    open_screen("/Withdraw?status=Pending")
    start_at_the_first(page)
    for claim_id in wanted:
        expect(page.locator(f"[data-row-id='{claim_id}']")).to_be_focused()
        page.keyboard.press("a")
        expect(page.locator(f"[data-row-id='{claim_id}']")).not_to_be_focused()
    expect(page.locator(f"[data-row-id='{wanted[-1]}']").get_by_text("Accepted", exact=True)).to_be_visible()
    eventually(lambda: not {claim["_id"] for claim in desk.claims("Pending")} & set(wanted))


@on_a_desktop
def test_claims_are_paid_without_a_reference_by_the_button_alone(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    wanted = [claim["_id"] for claim in desk.claims("Accepted")][:5]
    open_screen("/Withdraw?status=Accepted")
    start_at_the_first(page)
    confirm = page.get_by_role("alertdialog")
    for claim_id in wanted:
        assert focused_id(page) == claim_id
        page.keyboard.press("p")
        expect(confirm.get_by_role("button", name="Paid Success")).to_be_enabled()
        expect(confirm.get_by_label("Bank reference")).to_be_focused()
        press_enter(page)
        expect(confirm.get_by_text("To go on without it, press Paid Success.")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(confirm.get_by_role("button", name="Paid Success")).to_be_focused()
        page.keyboard.press("p")
        page.keyboard.press("Enter")
        expect(confirm).to_be_hidden()
        row = page.locator(f"[data-row-id='{claim_id}']")
        expect(row.get_by_text("Paid", exact=True)).to_be_visible()
        # The letter on the button was lost, so no other acts on the next claim.
        page.wait_for_timeout(QUIET_MS)
        page.keyboard.press("p")
        expect(page.get_by_text("What you typed was not taken.")).to_be_visible()
        expect(confirm).to_be_hidden()
        page.keyboard.press("Escape")
    assert {status_of(desk, claim_id) for claim_id in wanted} == {"Paid"}


@on_a_desktop
def test_enter_on_cancel_cancels(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    claim = desk.claims("Accepted")[0]
    open_screen("/Withdraw?status=Accepted")
    start_at_the_first(page)
    page.keyboard.press("p")
    confirm = page.get_by_role("alertdialog")
    expect(confirm.get_by_role("button", name="Paid Success")).to_be_enabled()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(confirm).to_be_hidden()
    assert status_of(desk, claim["_id"]) == "Accepted"
    assert focused_id(page) == claim["_id"]


def test_hold_release_reject_return_and_undo(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Pending")
    first_row(page).wait_for()
    claim_id = first_row(page).get_attribute("data-row-id") or ""
    row = page.locator(f"[data-row-id='{claim_id}']")
    choose_in_menu(page, row, "Put on hold…")
    give_reason(page, "The name differs")
    expect(row.get_by_text("On hold", exact=True)).to_be_visible()
    choose_in_menu(page, row, "Release…")
    give_reason(page, "Asked by phone")
    expect(row.get_by_text("Pending", exact=True)).to_be_visible()
    row.get_by_role("button", name="Accept").click()
    expect(row.get_by_text("Accepted", exact=True)).to_be_visible()
    choose_in_menu(page, row, "Undo Accept")
    expect(row.get_by_text("Pending", exact=True)).to_be_visible()
    row.get_by_role("button", name="Accept").click()
    expect(row.get_by_text("Accepted", exact=True)).to_be_visible()
    row.get_by_role("button", name="Paid Success").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Paid Success").click()
    expect(row.get_by_text("Paid", exact=True)).to_be_visible()
    choose_in_menu(page, row, "Mark as returned…")
    give_reason(page, "Account closed")
    expect(row.get_by_text("Returned", exact=True)).to_be_visible()
    choose_in_menu(page, row, "Reject…")
    give_reason(page, "The client gave it up")
    expect(row.get_by_text("Rejected", exact=True)).to_be_visible()

    timeline = desk.call("GET", f"/api/claims/{claim_id}/details").json()["timeline"]
    reasons = [step["reason"] for step in timeline if step["reason"]]
    assert reasons == ["The name differs", "Asked by phone", "Account closed", "The client gave it up"]


@on_a_desktop
def test_a_reference_already_in_use_is_reported_at_its_field(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    other, claim = desk.claims("Accepted")[-1], desk.claims("Accepted")[0]
    move(desk, other["_id"], "Paid", reference="HDFC0000012345")
    open_screen("/Withdraw?status=Accepted")
    start_at_the_first(page)
    page.keyboard.press("p")
    confirm = page.get_by_role("alertdialog")
    field = confirm.get_by_label("Bank reference (UTR)")
    field.fill("hdfc 0000-012345")
    confirm.get_by_role("button", name="Paid Success").click()
    expect(confirm.get_by_role("alert")).to_contain_text(other["user"]["username"])
    assert status_of(desk, claim["_id"]) == "Accepted"
    field.fill("hdfc 0000 054321")
    press_enter(page)
    expect(confirm).to_be_hidden()
    assert desk.call("GET", f"/api/claims/{claim['_id']}/details").json()["timeline"][-1]["reference"] == (
        "HDFC0000054321"
    )


@on_a_desktop
def test_a_move_with_a_lost_response_is_retried_with_the_same_key_and_succeeds(
    page: Page, bad_line: BadLine, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw?status=Pending", bad_line.url)
    first_row(page).wait_for()
    row = page.locator(f"[data-row-id='{first_row(page).get_attribute('data-row-id')}']")
    puts: list[str | None] = []
    page.on("request", lambda one: puts.append(one.headers.get("idempotency-key")) if one.method == "PUT" else None)
    bad_line.lose("answer", "PUT /api/claims/")
    row.get_by_role("button", name="Accept").click()
    expect(row.get_by_role("button", name="Accept")).to_be_disabled()
    while len(puts) < 2:
        page.wait_for_event("request", lambda one: one.method == "PUT")
    bad_line.mend()
    expect(row.get_by_text("Accepted", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(puts) > 1
    assert len(set(puts)) == 1
    assert puts[0]


def test_the_panel_shows_the_claim_and_steps_to_the_next(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claims = desk.claims("Pending")
    known = desk.call("GET", f"/api/claims/{claims[0]['_id']}/details").json()
    open_screen("/Withdraw?status=Pending")
    start_at_the_first(page)
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name=claims[0]["user"]["username"])
    expect(panel.get_by_role("heading", name="Timeline")).to_be_visible()
    for text in (
        claims[0]["accountNo"],
        claims[0]["ifsc"],
        rupees(claims[0]["amount"]),
        rupees(known["arithmetic"]["earned"]),
        *(fact["sentence"] for fact in known["facts"]),
    ):
        expect(panel).to_contain_text(text)
    page.keyboard.press("j")
    expect(page.get_by_role("dialog", name=claims[1]["user"]["username"])).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert focused_id(page) == claims[1]["_id"]


def test_menu_dialog_and_panel_pass_the_accessibility_scan(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    for status, claim in zip(("On hold", "Rejected"), desk.claims("Pending")[:2], strict=True):
        move(desk, claim["_id"], status, reason="For the scan")
    open_screen("/Withdraw")
    start_at_the_first(page)
    page.keyboard.press("m")
    expect(page.get_by_role("menu")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    # Closing the panel goes back to the address of the list.
    page.wait_for_url("**/Withdraw")
    page.goto(f"{page.url}?status=Pending")
    start_at_the_first(page)
    page.keyboard.press("r")
    expect(page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
    assert findings(page) == []
