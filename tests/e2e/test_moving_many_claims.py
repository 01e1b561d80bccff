"""From a selection to a finished batch: it does what its sheet says and lists the claims that did not move."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import rupees
from tests.e2e.keys import press_enter
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine

MOST_INTERACTIONS = 6


class Hand:
    """Clicks and counts the interactions an admin needs."""

    def __init__(self) -> None:
        self.interactions = 0

    def click(self, target: Locator) -> None:
        self.interactions += 1
        target.click()


def row_at(page: Page, index: int) -> Locator:
    return page.locator(f'[role="row"][aria-rowindex="{index + 2}"]')


def show_boxes(page: Page, size: str) -> None:
    """On a phone, checkboxes must be switched on first."""
    page.get_by_role("row").nth(1).wait_for()
    if size == "phone":
        page.get_by_role("button", name="Columns").click()
        page.get_by_label("Select rows").check()
        page.get_by_role("button", name="Close").click()


def short(amount: float) -> str:
    return rupees(amount).removesuffix(".00")


def test_all_pending_claims_are_accepted_in_a_few_interactions(
    page: Page, desk: Desk, open_screen: Callable[..., None], size: str
) -> None:
    waiting = desk.claims("Pending")
    amount = round(sum(claim["amount"] for claim in waiting), 2)
    open_screen("/Withdraw?status=Pending")
    show_boxes(page, size)
    hand = Hand()
    hand.click(row_at(page, 0).get_by_role("checkbox"))
    hand.click(page.get_by_role("button", name=f"Select all {len(waiting)} that match"))
    hand.click(page.get_by_role("button", name="Accept…"))
    sheet = page.get_by_role("alertdialog", name=f"Accept {len(waiting)} claims?")
    expect(sheet.get_by_role("button", name="Cancel")).to_be_focused()
    expect(sheet.get_by_text(rupees(amount), exact=True)).to_be_visible()
    expect(sheet).to_contain_text(f"All {len(waiting)} claims will become Accepted.")
    assert findings(page) == []
    hand.click(sheet.get_by_role("button", name=f"Accept {len(waiting)} claims · {short(amount)}"))
    expect(page.get_by_role("region", name="Batches")).to_contain_text(f"{len(waiting)} claims accepted.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert findings(page) == []
    assert hand.interactions <= MOST_INTERACTIONS
    expect(page.get_by_text("No claim is Pending.")).to_be_visible()
    assert desk.claims("Pending") == []


def move(desk: Desk, claim: dict[str, Any], status: str) -> None:
    answer = desk.call("PUT", f"/api/claims/{claim['_id']}/status", json={"status": status, "reason": "Asked the bank"})
    assert answer.status_code == 200


@on_a_desktop
def test_a_claim_changed_by_another_admin_is_skipped_listed_and_can_be_retried(
    page: Page, desk: Desk, sign_in: Callable[..., None], size: str
) -> None:
    sign_in()
    page.goto(desk.url + "/Withdraw?status=Pending")
    show_boxes(page, size)
    five = desk.claims("Pending")[:5]
    for index in range(5):
        row_at(page, index).get_by_role("checkbox").click()
    move(desk, five[2], "On hold")
    move(desk, five[2], "Pending")
    if size == "phone":
        page.get_by_role("button", name="Accept…").click()
    else:
        page.keyboard.press("Shift+A")
    sheet = page.get_by_role("alertdialog", name="Accept 4 claims?")
    expect(sheet).to_contain_text("4 of 5 claims will become Accepted.")
    expect(sheet).to_contain_text("1 changed since you loaded it")
    expect(sheet).to_contain_text("ravi moved it to Pending on")
    assert findings(page) == []
    confirm = sheet.get_by_role("button", name="Accept 4 claims ·")
    expect(confirm).to_be_enabled()
    confirm.focus()
    press_enter(page)

    end = page.get_by_role("dialog", name="4 done, 1 not")
    expect(end.get_by_role("listitem")).to_have_count(1)
    expect(end.get_by_role("listitem")).to_contain_text(five[2]["user"]["username"])
    expect(end.get_by_role("listitem")).to_contain_text(rupees(five[2]["amount"]))
    assert findings(page) == []
    accepted = {claim["_id"] for claim in desk.claims("Accepted")}
    assert [claim["_id"] in accepted for claim in five] == [True, True, False, True, True]

    end.get_by_role("button", name="Retry these…").click()
    page.get_by_role("alertdialog", name="Accept 1 claim?").get_by_role("button", name="Accept 1 claim ·").click()
    expect(page.get_by_text("1 claim accepted.").first).to_be_visible()
    assert five[2]["_id"] in {claim["_id"] for claim in desk.claims("Accepted")}


@on_a_desktop
def test_rejecting_many_claims_stores_the_reason_with_each(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw?status=Pending")
    show_boxes(page, "desktop")
    two = desk.claims("Pending")[:2]
    hand = Hand()
    hand.click(row_at(page, 0).get_by_role("checkbox"))
    hand.click(row_at(page, 1).get_by_role("checkbox"))
    hand.click(page.get_by_role("button", name="More for the selected claims"))
    hand.click(page.get_by_role("menuitem", name="Reject…"))
    assert findings(page) == []
    page.keyboard.type("Asked for twice")
    press_enter(page)
    sheet = page.get_by_role("alertdialog", name="Reject 2 claims?")
    expect(sheet).to_contain_text("Reason: Asked for twice")
    hand.click(sheet.get_by_role("button", name="Reject 2 claims ·"))
    expect(page.get_by_text("2 claims rejected.").first).to_be_visible()
    assert hand.interactions <= MOST_INTERACTIONS
    details = desk.call("GET", f"/api/claims/{two[0]['_id']}/details").json()
    assert details["timeline"][-1]["reason"] == "Asked for twice"


@on_a_desktop
def test_a_batch_continues_after_lost_responses(
    page: Page, open_screen: Callable[..., None], bad_line: BadLine
) -> None:
    open_screen("/Withdraw?status=Pending", bad_line.url)
    show_boxes(page, "desktop")
    row_at(page, 0).get_by_role("checkbox").click()
    page.get_by_role("button", name="Accept…").click()
    sheet = page.get_by_role("alertdialog")
    confirm = sheet.get_by_role("button", name="Accept 1 claim ·")
    expect(confirm).to_be_enabled()
    bad_line.lose("answer", "POST /api/batches/")
    confirm.click()
    expect(page.get_by_text("No answer came back. Asking again…")).to_be_visible()
    # This page drives the batch, so the browser asks before leaving it; the page's policy has to allow that dialog.
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    bad_line.mend()
    expect(page.get_by_text("1 claim accepted.").first).to_be_visible()
