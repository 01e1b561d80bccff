"""A Viewer sees masked accounts and no buttons; an Auditor finds out who paid, and what they did that day."""

import httpx2
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop

PASSWORD = "a long sentence for meera"


def log_in_as(page: Page, desk: Desk, role: str) -> None:
    """Accepts an invitation, and logs in with the new password."""
    link = desk.call("POST", "/api/admins", json={"username": "meera", "role": role}).json()["link"]
    accepted = {"token": link.partition("#")[2], "password": PASSWORD}
    assert httpx2.post(f"{desk.url}/api/invitations/accept", json=accepted).status_code == 201
    page.goto(desk.url)
    page.get_by_label("Username").fill("meera")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login").click()
    page.get_by_role("heading", name="Client Data").wait_for()


def test_a_viewer_sees_masked_accounts_and_no_buttons(page: Page, desk: Desk) -> None:
    log_in_as(page, desk, "viewer")
    claims = desk.call("GET", "/api/claims/all").json()
    numbers = [number for claim in claims for number in (claim["accountNo"], claim["user"]["mobile"])]
    claim = next(claim for claim in claims if claim["status"] == "Accepted")
    account = claim["accountNo"]

    page.goto(f"{desk.url}/Withdraw?status=Accepted")
    row = page.locator(f"[data-row-id='{claim['_id']}']")
    expect(row).to_contain_text(f"••••{account[-4:]}")
    for button in ("Accept", "Paid Success"):
        expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Account No")).to_have_count(0)
    assert findings(page) == []
    row.get_by_role("cell").first.click()
    panel = page.get_by_role("dialog")
    # Then everything has its place: warnings move what is below them.
    expect(panel.get_by_text("Timeline")).to_be_visible()
    assert_masked(page, numbers)
    panel.get_by_role("button", name="Show the whole account number").click()
    expect(panel).to_contain_text(account)
    seen = desk.call("GET", "/api/audit", params={"limit": 1, "verb": "claim.revealed"}).json()
    assert [(entry["actor"], entry["subjectId"]) for entry in seen] == [("meera", claim["_id"])]
    panel.get_by_role("button", name="Close").click()

    search = page.get_by_role("searchbox")
    search.fill(account[-6:])
    expect(page.get_by_text("No claim matches")).to_be_visible()
    search.fill(account)
    expect(row).to_be_visible()

    for path in ("/Data", "/reg", "/QR", f"/client/{claim['user']['_id']}"):
        page.goto(desk.url + path)
        page.get_by_role("heading", level=1).wait_for()
        page.get_by_text("••••" if path != "/QR" else "QR Table").first.wait_for()
        assert_masked(page, numbers)
        for button in ("Upload", "Add note"):
            expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("navigation", name="Screens").get_by_role("link", name="Audit")).to_have_count(0)


def assert_masked(page: Page, numbers: list[str]) -> None:
    shown = page.locator("body").inner_text()
    assert [number for number in numbers if number in shown] == []


@on_a_desktop
def test_an_auditor_finds_who_paid_a_claim_and_what_they_did_that_day(page: Page, desk: Desk) -> None:
    desk.sign_in_the_other()
    (claim, *_), (other, *_) = desk.claims("Accepted"), desk.claims("Pending")
    paid = {"status": "Paid", "reference": "UTR000111222"}
    assert desk.call("PUT", f"/api/claims/{claim['_id']}/status", by="admin", json=paid).status_code == 200
    held = {"status": "On hold", "reason": "The bank asks for a letter."}
    assert desk.call("PUT", f"/api/claims/{other['_id']}/status", by="admin", json=held).status_code == 200
    log_in_as(page, desk, "auditor")

    # The number of the client is in the address of their page.
    page.goto(f"{desk.url}/Withdraw?status=Paid&q={claim['accountNo']}")
    row = page.locator(f"[data-row-id='{claim['_id']}']")
    expect(row).to_contain_text(claim["accountNo"])
    expect(row.get_by_role("button", name="Paid Success")).to_have_count(0)
    row.get_by_role("cell").first.click()
    page.get_by_role("dialog").get_by_role("link", name=claim["user"]["username"]).click()
    page.wait_for_url("**/client/*")
    client = page.url.rpartition("/")[2]

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Audit").click()
    rows = page.locator("[data-row-id]")
    page.get_by_role("searchbox").fill(client)
    payment = rows.filter(has_text="Status: Accepted → Paid").first
    expect(payment).to_contain_text("admin")
    expect(payment).to_contain_text("Reference: UTR000111222")
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Today").click()
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Who").select_option("admin")
    page.keyboard.press("Escape")
    expect(rows.nth(0)).to_contain_text("Status: Pending → On hold")
    expect(rows.nth(1)).to_contain_text("Status: Accepted → Paid")
    expect(rows.nth(2)).to_contain_text("Logged in")
    expect(rows.filter(has_text="meera")).to_have_count(0)
    assert findings(page) == []
