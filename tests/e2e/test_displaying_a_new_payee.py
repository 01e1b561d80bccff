"""Two admins, each in their own browser, display an address that was never on display before."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from countinghouse.demo.actions import DEMO_USERNAME
from tests.e2e.conftest import DESKTOP, PATIENCE_MS, Desk
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.pictures import qr_png

NAME, PAYEE = "Counter N", "counter.n@okdemo"
NAMED = f"{NAME} ({PAYEE})"
ASKED = f"ravi asked to display {NAMED}. You can approve it."
# A code of the demo that is on display.
OLD = "Counter D"
OTHER_SCREEN = "/reg"


@pytest.fixture
def code(desk: Desk) -> str:
    """The id of a code that ravi has uploaded and that was never displayed."""
    files = {"qrImage": ("code.png", qr_png(f"upi://pay?pa={PAYEE}&pn=Counter%20N&cu=INR"))}
    answer = desk.call("POST", "/api/qr/upload", data={"name": NAME, "upiId": PAYEE}, files=files)
    return str(answer.json()["_id"])


@pytest.fixture
def second(browser: Browser, desk: Desk) -> Iterator[Page]:
    """The other admin's page: on a different screen, and receiving live updates."""
    desk.sign_in_the_other()
    context = browser.new_context(viewport=DESKTOP, locale="en-IN", reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens[DEMO_USERNAME]}')")
    with page.expect_response("**/api/live"):
        page.goto(desk.url + OTHER_SCREEN)
    yield page
    context.close()


def row_of(page: Page) -> Locator:
    return page.get_by_role("table", name="QR Table").get_by_role("row").filter(has_text=NAME)


def names_that_customers_see(desk: Desk) -> list[str]:
    return [code["name"] for code in desk.call("GET", "/api/qr").json() if code["status"] == "display"]


def ask_to_display(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Qr")
    row_of(page).get_by_role("button", name="Display").click()
    dialog = page.get_by_role("alertdialog", name=f"Display {NAME}?")
    expect(dialog).to_contain_text(PAYEE)
    expect(dialog).to_contain_text("New payee. Needs a second admin's approval.")
    expect(dialog).to_contain_text(f"The request waits on the screen of {DEMO_USERNAME} or asha, who can approve it.")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name=f"Replace {OLD}").click()
    expect(page.get_by_role("alert")).to_contain_text(f"{NAME} is not on display yet.")
    expect(page.get_by_role("alert")).to_contain_text(f"Once approved, it replaces {OLD} (")
    expect(row_of(page)).to_contain_text("You asked to display this on ")
    expect(row_of(page)).to_contain_text("Another admin has to approve it.")
    expect(row_of(page).get_by_role("button", name="Display")).to_be_disabled()


@on_a_desktop
@pytest.mark.usefixtures("code")
def test_the_other_admin_sees_a_request_and_approves_it(
    page: Page, second: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    ask_to_display(page, open_screen)
    assert NAME not in names_that_customers_see(desk)
    assert OLD in names_that_customers_see(desk)
    expect(second.get_by_text(ASKED)).to_be_visible()
    second.get_by_role("link", name="Open QR Table").click()
    expect(second.get_by_text(ASKED)).to_have_count(0)
    expect(row_of(second)).to_contain_text(f"ravi asked to display a new payee. Check {PAYEE} with your bank")

    second.get_by_role("button", name=NAME, exact=True).click()
    panel = second.get_by_role("dialog", name=NAME)
    expect(panel.get_by_role("figure")).to_have_text(["Customers see", "Uploaded"])
    drawn, uploaded = (figure.get_by_role("img") for figure in panel.get_by_role("figure").all())
    for picture in (drawn, uploaded):
        expect(picture).to_be_visible()
        assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 100
    assert drawn.get_attribute("src") != uploaded.get_attribute("src")
    second.keyboard.press("Escape")

    display = row_of(second).get_by_role("button", name="Display")
    approves = display.get_attribute("aria-description") or ""
    assert PAYEE in approves
    assert "approves it" in approves
    expect(display).to_have_attribute("title", approves)
    display.click()
    dialog = second.get_by_role("alertdialog", name=f"Display {NAME}?")
    expect(dialog.get_by_role("listitem").filter(has_text="ravi asked to replace this one.")).to_contain_text(OLD)
    assert findings(second) == []
    dialog.get_by_role("button", name=f"Replace {OLD}").click()
    expect(second.get_by_text(f"Customers now pay {NAMED} instead of {OLD} (")).to_be_visible()
    expect(row_of(second).get_by_role("button", name="Hide")).to_be_enabled()
    assert NAME in names_that_customers_see(desk)
    assert OLD not in names_that_customers_see(desk)
    expect(page.get_by_text(f"{DEMO_USERNAME} put {NAMED} on display.")).to_be_visible()
    # The notice about waiting for approval is gone.
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(row_of(page).get_by_role("button", name="Hide")).to_be_enabled()


@on_a_desktop
@pytest.mark.usefixtures("code")
def test_a_withdrawn_request_disappears_for_the_other_admin(
    page: Page, second: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    ask_to_display(page, open_screen)
    expect(second.get_by_text(ASKED)).to_be_visible()
    row_of(page).get_by_role("button", name="Withdraw").click()
    expect(row_of(page).get_by_role("button", name="Withdraw")).to_have_count(0)
    expect(row_of(page).get_by_role("button", name="Display")).to_be_enabled()
    expect(second.get_by_text(f"ravi cancelled the request to display {NAMED}.")).to_be_visible()
    expect(second.get_by_text(ASKED)).to_have_count(0)
    assert NAME not in names_that_customers_see(desk)
