"""Every screen and state passes an accessibility scan in light and dark; nothing overflows a small phone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine
from tests.waiting import eventually

ONLY_LOOKS = True


def expect_styled(page: Page) -> None:
    """Assert that the styles are loaded: without them a page would pass the scan."""
    assert page.evaluate("document.styleSheets.length") > 0
    assert page.locator("h1").evaluate("title => getComputedStyle(title).fontWeight") == "600"


def test_every_screen_passes_the_accessibility_scan(page: Page, open_screen: Callable[..., None]) -> None:
    for path in ("/", "/Data", "/Withdraw", "/Qr", "/reg"):
        open_screen(path)
        if path != "/":
            page.get_by_role("row").nth(1).wait_for()
        expect_styled(page)
        assert findings(page) == []


def test_the_menu_and_the_confirm_dialogs_pass_the_accessibility_scan(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("row").nth(1).wait_for()
    page.get_by_role("button", name="Menu").click()
    assert findings(page) == []
    page.keyboard.press("Escape")
    due = page.locator("button:enabled", has_text="Paid Success").first
    while not due.count():
        page.get_by_role("table").evaluate("element => element.scrollBy(0, 300)")
        page.wait_for_timeout(30)
    due.click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    assert findings(page) == []

    page.goto(page.url.replace("/Withdraw", "/QR"))
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    assert findings(page) == []


def test_load_and_form_errors_pass_the_accessibility_scan(
    page: Page, bad_line: BadLine, open_screen: Callable[..., None]
) -> None:
    open_screen("/Qr", bad_line.url)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("alert").wait_for()
    assert findings(page) == []
    bad_line.lose("request", "GET /api/users")
    page.goto(f"{bad_line.url}/reg")
    expect(page.get_by_role("button", name="Retry")).to_be_visible(timeout=20_000)
    assert findings(page) == []


WIDTHS = {"phone": (360, 390, 430), "desktop": (768, 1024, 1100, 1280, 1920)}


def sideways(page: Page) -> int:
    """By how many pixels the page, or a table in it, is wider than its box."""
    most: int = page.evaluate(
        """() => Math.max(...[document.documentElement, ...document.querySelectorAll('[role=table]')]
            .map(element => element.scrollWidth - element.clientWidth))"""
    )
    return most


def test_nothing_scrolls_horizontally_at_any_width(page: Page, open_screen: Callable[..., None], size: str) -> None:
    for path in ("/", "/Data", "/Withdraw", "/Qr", "/reg"):
        open_screen(path)
        if path != "/":
            page.get_by_role("row").nth(1).wait_for()
        for width in WIDTHS[size]:
            page.set_viewport_size({"width": width, "height": 800})
            # The table lays out its rows again after a resize; only the final layout counts.
            eventually(lambda: sideways(page) <= 0)


@on_a_desktop
def test_the_theme_can_be_switched_and_is_remembered(page: Page, open_screen: Callable[..., None]) -> None:
    page.emulate_media(color_scheme="light")
    open_screen("/reg")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Dark theme").click()
    expect(page.locator("body")).not_to_have_css("background-color", light)
    dark = page.evaluate(ground)
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate(ground) == dark
