from collections.abc import Callable

from playwright.sync_api import Page, expect

from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME
from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine


def try_to_log_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Login").click()


def test_an_admin_logs_in_and_out(page: Page, desk: Desk, sign_in: Callable[..., None]) -> None:
    sign_in()
    expect(page).to_have_url(f"{desk.url}/Data")
    token = page.evaluate("localStorage.getItem('token')")
    assert token

    # The page deletes the token at once and notifies the server in the background.
    with page.expect_response("**/api/admin/logout"):
        page.get_by_role("button", name="Logout").click()
    expect(page).to_have_url(f"{desk.url}/")
    expect(page.get_by_role("heading", name="Login")).to_be_visible()
    expect(page.get_by_role("button", name="Logout")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('token')") is None
    desk.tokens["gone"] = token
    assert desk.call("GET", "/api/admin/me", by="gone").status_code == 401


@on_a_desktop
def test_the_password_can_be_shown_and_hidden(page: Page, desk: Desk) -> None:
    page.goto(desk.url)
    password = page.get_by_label("Password", exact=True)
    password.fill("secret words")
    expect(password).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show password").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide password").click()
    expect(password).to_have_attribute("type", "password")


@on_a_desktop
def test_a_wrong_password_shows_the_message_of_the_specification(page: Page, desk: Desk) -> None:
    page.goto(desk.url)
    try_to_log_in(page, DEMO_USERNAME, "wrong password")
    expect(page.get_by_role("alert")).to_have_text("Invalid username or password")
    assert page.evaluate("localStorage.getItem('token')") is None
    try_to_log_in(page, DEMO_USERNAME, DEMO_PASSWORD)
    expect(page).to_have_url(f"{desk.url}/Data")


@on_a_desktop
def test_after_too_many_attempts_the_wait_is_shown(page: Page, desk: Desk) -> None:
    page.goto(desk.url)
    for _ in range(6):
        with page.expect_response("**/api/admin/login"):
            try_to_log_in(page, DEMO_USERNAME, "wrong password")
        page.get_by_role("alert").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("Invalid username or password")
    expect(page.get_by_role("alert")).to_contain_text("Too many attempts. Try again in 15 minutes.")


@on_a_desktop
def test_an_unreachable_server_is_reported_on_a_second_line(page: Page, bad_line: BadLine) -> None:
    page.goto(bad_line.url)
    bad_line.lose("request", "POST /api/admin/login")
    try_to_log_in(page, DEMO_USERNAME, DEMO_PASSWORD)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Invalid username or password")
    expect(alert).to_contain_text("The server cannot be reached. Check your connection and try again.")
    bad_line.mend()
    try_to_log_in(page, DEMO_USERNAME, DEMO_PASSWORD)
    expect(page.get_by_role("heading", name="Client Data")).to_be_visible()


@on_a_desktop
def test_an_ended_session_leads_to_the_login_and_back_to_the_same_screen(
    page: Page, desk: Desk, sign_in: Callable[..., None]
) -> None:
    sign_in()
    page.goto(f"{desk.url}/Withdraw")
    page.get_by_role("heading", name="All Claim Requests").wait_for()
    desk.tokens["own"] = page.evaluate("localStorage.getItem('token')")
    assert desk.call("POST", "/api/admin/logout", by="own").status_code == 204

    page.reload()
    expect(page).to_have_url(f"{desk.url}/")
    expect(page.get_by_text("Your session has ended. Please log in again.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('token')") is None
    try_to_log_in(page, DEMO_USERNAME, DEMO_PASSWORD)
    expect(page).to_have_url(f"{desk.url}/Withdraw")


@on_a_desktop
def test_the_login_screen_lets_a_signed_in_admin_continue(page: Page, desk: Desk) -> None:
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.goto(desk.url)
    expect(page.get_by_text("You are signed in as ravi - continue")).to_be_visible()
    expect(page.get_by_role("heading", name="Login")).to_be_visible()
    expect(page.get_by_role("button", name="Menu")).to_have_count(0)
    page.get_by_role("link", name="continue").click()
    expect(page).to_have_url(f"{desk.url}/Data")
