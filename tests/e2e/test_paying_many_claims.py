"""A bulk payment: every claim with its warnings, references pasted from a spreadsheet, and few interactions."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk, Template, opened_desk
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.e2e.test_moving_many_claims import Hand, row_at, short, show_boxes

MOST_TO_PAY = 8
MOST_TO_ACCEPT = 5


@pytest.fixture
def desk(busy_template: Template, tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(busy_template, tmp_path) as opened:
        yield opened


def accept_pending(desk: Desk, count: int) -> list[dict[str, Any]]:
    """By ravi. Returns all accepted claims."""
    chosen = [{"_id": claim["_id"], "version": claim["version"]} for claim in desk.claims("Pending")[:count]]
    batch = desk.call("POST", "/api/batches", json={"status": "Accepted", "claims": chosen}).json()
    while not desk.call("POST", f"/api/batches/{batch['_id']}/run").json()["endedAt"]:
        pass
    return desk.claims("Accepted")


def open_sheet(page: Page, hand: Hand, status: str, action: str, count: int) -> Locator:
    hand.click(row_at(page, 0).get_by_role("checkbox"))
    hand.click(page.get_by_role("button", name=f"Select all {count} that match"))
    hand.click(page.get_by_role("button", name=action))
    return page.get_by_role("alertdialog", name=status)


def references_of(desk: Desk, claims: list[dict[str, Any]]) -> dict[str, str]:
    timelines = {claim["_id"]: desk.call("GET", f"/api/claims/{claim['_id']}/details").json() for claim in claims}
    return {claim_id: found["timeline"][-1]["reference"] for claim_id, found in timelines.items()}


# On a phone the whole sheet scrolls, elsewhere the rows in it.
SCROLL_ON = """
    rows => [rows, rows.closest('dialog')].forEach(area => area.scrollBy(0, area.clientHeight / 2))
"""


def look_at_all(page: Page, sheet: Locator) -> None:
    """Scrolls until every warning was in view."""
    unseen, rows = sheet.get_by_text("not looked at yet"), sheet.get_by_role("region", name="Claims")
    for _ in range(200):
        if not unseen.is_visible():
            break
        rows.evaluate(SCROLL_ON)
        page.wait_for_timeout(50)


@on_a_desktop
def test_a_hundred_claims_are_paid_with_references_pasted_from_a_spreadsheet(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claims = accept_pending(desk, 100)
    count, amount = len(claims), round(sum(claim["amount"] for claim in claims), 2)
    assert count >= 100
    open_screen("/Withdraw?status=Accepted")
    show_boxes(page, "desktop")
    sheet_of = {claim["number"]: f"N3192600{place:08}" for place, claim in enumerate(reversed(claims))}
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    lines = "\n".join(f"{number}\t{reference}" for number, reference in sheet_of.items())
    page.evaluate("text => navigator.clipboard.writeText(text)", f"Claim\tUTR\n{lines}\n")

    hand = Hand()
    sheet = open_sheet(page, hand, f"Mark {count} claims Paid?", "Paid…", count)
    expect(sheet.get_by_text("This cannot be undone.")).to_have_count(1)
    expect(sheet.get_by_role("rowheader").first).to_have_text(claims[0]["number"])
    confirm = sheet.get_by_role("button", name=f"Mark {count} claims Paid · {short(amount)}")
    expect(sheet.get_by_text("with warnings not looked at yet")).to_be_visible()
    expect(confirm).to_be_disabled()
    page.keyboard.press("Control+Enter")
    expect(sheet).to_be_visible()
    assert findings(page) == []

    hand.interactions += 1
    page.keyboard.press("Control+V")
    first = sheet.get_by_role("rowheader").first.inner_text()
    expect(sheet.get_by_role("textbox", name=f"Bank reference of {first}")).to_have_value(sheet_of[first])
    hand.click(sheet.get_by_role("button", name="List"))
    expect(sheet.get_by_role("heading", name="Another account")).to_be_in_viewport()
    assert findings(page) == []
    expect(confirm).to_be_disabled()
    look_at_all(page, sheet)
    hand.click(confirm)
    expect(page.get_by_text(f"{count} claims marked Paid.").first).to_be_visible()
    assert hand.interactions <= MOST_TO_PAY
    checked = [claims[0], claims[-1]]
    assert references_of(desk, checked) == {claim["_id"]: sheet_of[claim["number"]] for claim in checked}


def test_a_warning_must_have_been_on_the_screen_before_a_payment(
    page: Page, desk: Desk, open_screen: Callable[..., None], size: str
) -> None:
    count = len(accept_pending(desk, 30))
    open_screen("/Withdraw?status=Accepted")
    show_boxes(page, size)
    sheet = open_sheet(page, Hand(), "Mark ", "Paid…", count)
    confirm = sheet.get_by_role("button", name="Mark ")
    warned = sheet.get_by_text("not looked at yet")
    expect(warned).to_be_visible()
    expect(confirm).to_be_disabled()
    look_at_all(page, sheet)
    expect(confirm).to_be_enabled()
    assert findings(page) == []
    sheet.get_by_role("button", name="Remove C-").first.click()
    expect(page.get_by_role("heading", name=f"Mark {count - 1} claims Paid?")).to_be_visible()
    sheet.get_by_role("button", name="Cancel").click()
    assert len(desk.claims("Accepted")) == count


@on_a_desktop
def test_a_queue_of_a_hundred_is_accepted(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    count = len(desk.claims("Pending"))
    assert count >= 100
    open_screen("/Withdraw?status=Pending")
    show_boxes(page, "desktop")
    hand = Hand()
    sheet = open_sheet(page, hand, f"Accept {count} claims?", "Accept…", count)
    hand.click(sheet.get_by_role("button", name=f"Accept {count} claims ·"))
    expect(page.get_by_text(f"{count} claims accepted.").first).to_be_visible()
    assert hand.interactions <= MOST_TO_ACCEPT
    assert desk.claims("Pending") == []
