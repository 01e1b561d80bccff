"""Second factors in a browser with a virtual authenticator: setting up, login, step-up before payments."""

import time
from collections.abc import Callable

import pyotp
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME
from tests.e2e.conftest import Desk
from tests.e2e.keys import press_enter
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def url(page: Page, context: BrowserContext, desk: Desk) -> str:
    """By name: browsers allow no passkeys at an IP address."""
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return desk.url.replace("127.0.0.1", "localhost")


def open_account(page: Page, url: str) -> None:
    page.goto(f"{url}/Settings/Account")
    page.get_by_role("heading", level=1, name="My account").wait_for()


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Logout").click()
    page.get_by_role("heading", level=1, name="Login").wait_for()


def is_in(page: Page) -> None:
    page.get_by_role("heading", name="Client Data").wait_for()


def add_passkey(page: Page) -> None:
    page.get_by_role("button", name="Add a passkey…").click()
    dialog = page.get_by_role("dialog", name="Add a passkey")
    dialog.get_by_label("Name, e.g. My phone").fill("Test key")
    dialog.get_by_label("Your password").fill(DEMO_PASSWORD)
    assert findings(page) == []
    dialog.get_by_role("button", name="Continue").click()


def confirm_with_passkey(page: Page) -> Locator:
    dialog = page.get_by_role("dialog", name="Confirm that it is you")
    expect(dialog).to_be_visible()
    assert findings(page) == []
    dialog.get_by_role("button", name="Use a passkey").click()
    return dialog


def set_up_app(page: Page) -> pyotp.TOTP:
    page.get_by_role("region", name="Authenticator app").get_by_role("button", name="Set up…").click()
    page.get_by_role("dialog").get_by_label("Your password").fill(DEMO_PASSWORD)
    press_enter(page)
    confirm_with_passkey(page)
    scan = page.get_by_role("dialog", name="Scan this with your authenticator app")
    picture = scan.get_by_role("img", name="QR code for the authenticator app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    assert findings(page) == []
    app = pyotp.TOTP(scan.locator("code").inner_text())
    scan.get_by_label("The code that the app shows now").fill(app.now())
    press_enter(page)
    expect(page.get_by_role("region", name="Authenticator app")).to_contain_text("On")
    return app


@on_a_desktop
def test_passkey_and_app_log_in_and_confirm_a_bulk_payment(
    page: Page, desk: Desk, url: str, sign_in: Callable[..., None]
) -> None:
    sign_in(url)
    open_account(page, url)
    expect(page.get_by_text("This session")).to_be_visible()
    assert findings(page) == []
    add_passkey(page)
    codes = page.get_by_role("dialog", name="Your recovery codes")
    expect(codes).to_contain_text("Each works once")
    expect(codes.get_by_role("listitem")).to_have_count(10)
    # The second one is the Escape that browsers do not let a page prevent.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(codes).to_be_visible()
    assert findings(page) == []
    codes.get_by_role("button", name="I have stored them").click()
    expect(page.get_by_role("table", name="All passkeys")).to_contain_text("Test key")

    log_out(page)
    page.get_by_role("button", name="Use a passkey").click()
    is_in(page)

    open_account(page, url)
    app = set_up_app(page)
    log_out(page)
    page.get_by_label("Username").fill(DEMO_USERNAME)
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_role("button", name="Login").click()
    field = page.get_by_label("Code from your authenticator app, or a recovery code")
    expect(field).to_be_focused()
    assert findings(page) == []
    field.fill("000000")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Invalid username or password")
    # The code of the enrolment is used up, and the next one is accepted early.
    field.fill(app.at(int(time.time()) + 30))
    page.get_by_role("button", name="Continue").click()
    is_in(page)

    accepted = desk.claims("Accepted")
    page.goto(f"{url}/Withdraw?status=Accepted")
    page.get_by_role("row").nth(1).get_by_role("checkbox").click()
    page.get_by_role("row").nth(2).get_by_role("checkbox").click()
    page.get_by_role("button", name="Paid…", exact=True).click()
    sheet = page.get_by_role("alertdialog")
    confirm = sheet.get_by_role("button", name="Mark 2 claims Paid")
    expect(confirm).to_be_enabled()
    confirm.click()
    expect(page.get_by_role("dialog", name="Confirm that it is you")).to_contain_text("marking these claims Paid")
    assert len(desk.claims("Accepted")) == len(accepted)
    confirm_with_passkey(page)
    expect(page.get_by_text("marked Paid.").first).to_be_visible()
    assert len(desk.claims("Accepted")) == len(accepted) - 2


@on_a_desktop
def test_a_required_factor_comes_before_everything_else(
    page: Page, desk: Desk, url: str, sign_in: Callable[..., None]
) -> None:
    sign_in(url)
    assert desk.call("PUT", "/api/policy", json={"secondFactorRequired": True}).status_code == 200
    page.goto(f"{url}/Withdraw")
    expect(page.get_by_role("heading", level=1, name="My account")).to_be_visible()
    expect(page.get_by_text("This desk requires a second factor.")).to_be_visible()
    assert findings(page) == []
    add_passkey(page)
    page.get_by_role("dialog", name="Your recovery codes").get_by_role("button", name="I have stored them").click()
    page.goto(f"{url}/Withdraw")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
