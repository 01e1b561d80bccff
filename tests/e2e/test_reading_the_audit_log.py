"""An auditor finds out who paid a claim, and what they did that day."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings


def test_who_paid_a_claim_and_what_they_did_that_day(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    (claim, *_) = desk.claims("Accepted")
    desk.sign_in_the_other()
    paid = {"status": "Paid", "reference": "UTR000111222"}
    assert desk.call("PUT", f"/api/claims/{claim['_id']}/status", by="admin", json=paid).status_code == 200
    open_screen("/Data")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Audit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Audit Log")
    rows = page.locator("[data-row-id]")
    expect(rows.first).to_contain_text("Moved a claim")
    assert findings(page) == []
    page.get_by_role("searchbox").fill(claim["_id"])
    expect(rows.first).to_contain_text("Status: Accepted → Paid")
    rows.first.get_by_role("button").click()
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Reference: UTR000111222")
    expect(panel.get_by_role("link", name="Open claim")).to_be_visible()
    panel.get_by_role("button", name="Close").click()
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Today").click()
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Who").select_option("admin")
    page.keyboard.press("Escape")
    expect(rows.first).to_contain_text("admin")
    expect(page.get_by_text("All sealed")).to_be_attached()
    assert "who=admin" in page.url
