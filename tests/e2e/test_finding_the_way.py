import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop, on_a_phone

ONLY_LOOKS = True

SCREENS = {
    "/Data": "Client Data",
    "/Withdraw": "All Claim Requests",
    "/Qr": "QR Code Upload",
    "/reg": "Registered Users",
}
# The links of the side menu, except for the screen where the tests start.
OTHER_LINKS = {
    "Withdraw": "/Withdraw",
    "QR": "/QR",
    "User Registre Data": "/reg",
    "Home": "/Home",
    "Audit": "/Audit",
    "Settings": "/Settings",
}


@on_a_desktop
def test_without_a_token_every_path_leads_to_the_login(page: Page, desk: Desk) -> None:
    for path in (*SCREENS, "/QR", "/withdraw", "/nowhere", "/Data/more", "/api-docs"):
        page.goto(desk.url + path)
        expect(page).to_have_url(f"{desk.url}/")
        expect(page.get_by_role("heading", name="Login")).to_be_visible()
        expect(page.get_by_role("button", name="Menu")).to_have_count(0)


@on_a_desktop
def test_routes_are_case_insensitive(page: Page, open_screen: Callable[..., None]) -> None:
    for path, title in (SCREENS | {"/QR": "QR Code Upload", "/REG": "Registered Users"}).items():
        open_screen(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)


@on_a_desktop
def test_an_unknown_path_leads_to_the_login_screen_even_when_signed_in(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/nowhere")
    expect(page).to_have_url(f"{desk.url}/")


@on_a_phone
@pytest.mark.parametrize("path", ["/Withdraw?status=Pending", "/Data?sort=invest"])
def test_on_a_phone_back_closes_the_row_panel_before_leaving_the_list(
    page: Page, desk: Desk, open_screen: Callable[..., None], path: str
) -> None:
    open_screen("/reg")
    page.goto(desk.url + path)
    amounts = page.locator("[data-row-id]").get_by_text("₹")
    panel = page.get_by_role("dialog")
    amounts.first.click()
    expect(panel).to_be_visible()
    page.go_back()
    expect(panel).to_be_hidden()
    expect(page).to_have_url(desk.url + path)
    # Closing it in another way leaves no history entry behind.
    amounts.first.click()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    amounts.first.click()
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.wait_for_function("!history.state?.isPanel")
    page.go_back()
    expect(page).to_have_url(f"{desk.url}/reg")


def test_the_side_menu_opens_closes_and_links_to_every_screen(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    hamburger = page.get_by_role("button", name="Menu")
    menu = page.get_by_role("navigation", name="Screens")
    links = {"Data": "/Data", **OTHER_LINKS}
    for name, path in links.items():
        hamburger.click()
        expect(menu.get_by_role("link")).to_have_text(list(links))
        menu.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(desk.url + path)
        expect(menu).to_be_hidden()
        # A screen takes the focus once it is loaded, which may be after the menu has closed.
        expect(hamburger if name == "Data" else page.get_by_role("heading", level=1)).to_be_focused()
        hamburger.click()
        expect(menu.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
        assert menu.locator("[aria-current]").count() == 1
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        expect(hamburger).to_be_focused()


def test_while_the_menu_is_open_the_content_is_blurred_and_the_overlay_closes_it(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("navigation", name="Screens")
    expect(menu).to_be_visible()
    expect(page.locator("#content")).to_have_css("filter", re.compile("blur"))
    expect(page.locator("#content")).to_have_js_property("inert", True)
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.mouse.click(width - 10, 400)
    expect(menu).to_be_hidden()
    expect(page.locator("#content")).to_have_css("filter", "none")


@on_a_desktop
def test_every_screen_can_be_reached_with_the_keyboard(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    for name, path in OTHER_LINKS.items():
        page.get_by_role("button", name="Menu").focus()
        page.keyboard.press("Enter")
        link = page.get_by_role("navigation", name="Screens").get_by_role("link", name=name, exact=True)
        for _ in range(8):
            if link.evaluate("element => element === document.activeElement"):
                break
            page.keyboard.press("Tab")
        expect(link).to_be_focused()
        page.keyboard.press("Enter")
        expect(page).to_have_url(desk.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_back_and_a_reload_return_to_the_row_and_a_new_visit_starts_at_the_top(
    page: Page, open_screen: Callable[..., None]
) -> None:
    def follow(name: str, title: str) -> None:
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("navigation", name="Screens").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)

    table = page.get_by_role("table", name="All Claim Requests")
    row = table.locator("[data-row-id][aria-rowindex='72']")
    open_screen("/Withdraw")
    height = table.locator("[data-row-id]").first.evaluate("row => row.offsetHeight")
    table.evaluate(f"element => {{ element.scrollTop = 70 * {height} }}")
    expect(row).to_be_visible()
    page.wait_for_function("() => history.state?.top === 70")
    follow("User Registre Data", "Registered Users")
    page.go_back()
    expect(row).to_be_in_viewport()
    expect(table).to_have_js_property("scrollTop", 70 * height)
    page.reload()
    expect(row).to_be_in_viewport()
    expect(table).to_have_js_property("scrollTop", 70 * height)
    follow("User Registre Data", "Registered Users")
    follow("Withdraw", "All Claim Requests")
    expect(table.locator("[data-row-id][aria-rowindex='2']")).to_be_in_viewport()
    expect(table).to_have_js_property("scrollTop", 0)


@on_a_desktop
def test_back_from_a_client_returns_to_the_current_row(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Data")
    table = page.get_by_role("table", name="Client Data")
    row = table.locator("[data-row-id][aria-rowindex='34']")
    expect(table.locator("[data-row-id]").first).to_be_visible()
    table.evaluate("element => { element.scrollTop = 30 * 40 }")
    page.wait_for_function("() => history.state?.top === 30")
    for key in ("j", "j", "j", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("dialog").get_by_role("heading").get_by_role("link").click()
    expect(table).to_have_count(0)
    page.go_back()
    expect(row).to_be_focused()
    expect(row).to_be_in_viewport()
    expect(table).to_have_js_property("scrollTop", 30 * 40)
