from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import rupees
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop


def test_a_rule_can_be_tightened_after_a_warning_and_cannot_be_loosened(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    rule = page.get_by_role("region", name="Two people for every payment")
    expect(rule).to_contain_text("Off")
    assert findings(page) == []
    rule.get_by_role("switch").click()
    warning = page.get_by_role("alertdialog")
    expect(warning).to_contain_text("countinghouse policy set two-persons off")
    expect(warning.get_by_role("button", name="Cancel")).to_be_focused()
    assert findings(page) == []
    warning.get_by_role("button", name="Turn on").click()
    expect(rule).to_contain_text("Set by ravi on")
    expect(rule).to_contain_text("To turn it off, run on the server")
    expect(rule.get_by_role("switch")).to_be_focused()
    rule.get_by_role("switch").click(force=True)
    expect(page.get_by_role("alertdialog")).to_have_count(0)

    amount = page.get_by_role("region", name="A second person above an amount")
    amount.get_by_role("textbox").fill("25,000")
    amount.get_by_role("button", name="Set…").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Set to ₹25,000.00").click()
    expect(amount).to_contain_text("On above ₹25,000.00")
    assert findings(page) == []
    policy = desk.call("GET", "/api/policy").json()
    assert (policy["paidNeedsReference"], policy["twoPersons"], policy["secondLookAbove"]) == (False, True, 25000)


def test_a_client_is_opened_from_a_list_and_a_note_is_kept(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claim = desk.claims("Paid")[0]
    user = claim["user"]
    open_screen(f"/reg?q={user['mobile']}")
    if page.evaluate("innerWidth < 768"):
        # A card is one target: the link is in its panel.
        page.get_by_role("row").nth(1).click()
        page.get_by_role("dialog").get_by_role("link", name=user["username"]).click()
    else:
        page.get_by_role("row").nth(1).get_by_role("link", name=user["username"]).click()
    expect(page.get_by_role("heading", level=1, name=user["username"])).to_be_visible()
    totals = desk.call("GET", f"/api/clients/{user['_id']}").json()["totals"]
    expect(page.get_by_label("Totals")).to_contain_text(rupees(totals["paid"]))
    notes = page.get_by_role("region", name="Notes")
    expect(notes).to_contain_text("No notes yet.")
    notes.get_by_role("textbox", name="New note").fill("Called on Monday:\nthe account is her husband's.")
    notes.get_by_role("button", name="Add note").click()
    expect(notes.get_by_role("listitem")).to_have_count(1)
    assert findings(page) == []
    assert page.evaluate("document.querySelector('main').scrollWidth - innerWidth") <= 0
    page.reload()
    expect(notes.get_by_role("listitem")).to_contain_text("the account is her husband's.")

    page.get_by_role("region", name="Claims").get_by_role("link", name=rupees(claim["amount"])).first.click()
    expect(page.get_by_role("heading", level=1, name="All Claim Requests")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text(claim["accountNo"])


@on_a_desktop
def test_an_unknown_client_is_reported(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/client/nobody")
    expect(page.get_by_text("This client does not exist.")).to_be_visible()
    assert findings(page) == []
