import re
from collections.abc import Callable

from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop

ONLY_LOOKS = True

MOST_UNTIL_ROWS = 6
MOST_UNTIL_COMPLETE = 12
QUIET_MS = 500


def sent_requests(page: Page, until: Callable[[], None]) -> list[str]:
    """The requests of the page itself. The browser also fetches the icon of the tab, whenever it likes."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if not request.url.endswith("/favicon.svg"):
            sent.append(request.url)

    page.on("request", note)
    until()
    page.remove_listener("request", note)
    return sent


def test_the_claims_screen_needs_few_requests(page: Page, desk: Desk) -> None:
    # Notes the number of requests in the page itself, when the first row is in the document.
    page.add_init_script(
        f"""localStorage.setItem('token', '{desk.tokens["ravi"]}');
        new MutationObserver((_, observer) => {{
            if (!document.querySelector('[data-row-id]')) return;
            observer.disconnect();
            window.untilRows = performance.getEntries().filter(({{ entryType, name }}) =>
                ['navigation', 'resource'].includes(entryType) && !name.endsWith('/favicon.svg')).length;
        }}).observe(document, {{ childList: true, subtree: true }});"""
    )

    def open_until_quiet() -> None:
        with page.expect_response(re.compile("/api/claims/queues")):
            page.goto(f"{desk.url}/Withdraw")
        expect(page.get_by_role("group", name="Queues")).to_contain_text("₹")
        page.wait_for_load_state("networkidle")

    sent = sent_requests(page, open_until_quiet)
    assert page.evaluate("window.untilRows") <= MOST_UNTIL_ROWS
    assert len(sent) <= MOST_UNTIL_COMPLETE, "\n".join(sent)


@on_a_desktop
def test_a_screen_that_cannot_be_loaded_says_so_and_reloads(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    page.route("**/assets/UsersScreen*", lambda route: route.abort())
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="User Registre Data").click()
    expect(page.get_by_role("alert")).to_contain_text("This screen could not be loaded.")
    # The rest of the app keeps working.
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Withdraw").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All Claim Requests")
    page.unroute("**/assets/UsersScreen*")
    page.go_back()
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Registered Users")


@on_a_desktop
def test_the_actions_of_a_screen_need_no_further_file(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Accepted")
    page.locator("[data-row-id]").first.wait_for()
    page.route("**/assets/**", lambda route: route.abort())
    page.get_by_role("button", name="Paid Success").first.click()
    expect(page.get_by_role("alertdialog").or_(page.get_by_role("dialog"))).to_be_visible()
    page.keyboard.press("Escape")
    for name in ("Filters", "Views", "Columns", "Export"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("navigation", name="Screens")).to_be_visible()
