from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.held import Held
from tests.e2e.sizes import on_a_desktop
from tests.waiting import eventually

ONLY_LOOKS = True

MOST_UNTIL_ROWS = 6
MOST_UNTIL_COMPLETE = 12
# Longer than the app waits for anything before its next request.
IDLE_MS = 4_000

# Seconds since 1970, like the times of the requests.
NOTE_FIRST_ROWS = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-row-id]')) return;
        observer.disconnect();
        window.firstRowsAt = Date.now() / 1000;
    }).observe(document, { childList: true, subtree: true });
"""


def test_the_claims_screen_needs_few_requests(page: Page, desk: Desk) -> None:
    token = desk.tokens["ravi"]
    # Stored by the login as well.
    permissions = desk.call("GET", "/api/admin/me", by="ravi").json()["permissions"]
    page.add_init_script(f"localStorage.setItem('token', '{token}')")
    page.add_init_script(f"localStorage.setItem('token-permissions', '{' '.join([token, *permissions])}')")
    page.add_init_script(NOTE_FIRST_ROWS)
    sent: list[tuple[float, str]] = []
    network = page.context.new_cdp_session(page)
    # Not the page's own event, which leaves out the icon of the tab.
    network.on("Network.requestWillBeSent", lambda event: sent.append((event["wallTime"], event["request"]["url"])))
    network.send("Network.enable")
    page.goto(f"{desk.url}/Withdraw")
    expect(page.get_by_role("group", name="Figures")).to_contain_text("₹")

    def is_idle() -> bool:
        before = len(sent)
        page.wait_for_timeout(IDLE_MS)
        return len(sent) == before

    eventually(is_idle)
    all_sent = "\n".join(url for _, url in sent)
    # The live connection stays open. Without it, the rest of the requests would prove nothing.
    for path in ("/api/live", "/api/claims/totals", "/api/policy"):
        assert path in all_sent
    first_rows_at = page.evaluate("window.firstRowsAt")
    assert len([url for at, url in sent if at <= first_rows_at]) <= MOST_UNTIL_ROWS, all_sent
    # A Chromium without windows does not load the icon, so it is added.
    assert len([url for _, url in sent if "/favicon.svg" not in url]) + 1 <= MOST_UNTIL_COMPLETE, all_sent


@on_a_desktop
def test_a_screen_that_cannot_be_loaded_says_so_and_reloads(context: BrowserContext, desk: Desk) -> None:
    # Not the fixture `page`, which accepts no error: React logs the one that this test causes.
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.goto(f"{desk.url}/Data")
    page.route("**/assets/UsersScreen*", lambda route: route.abort())
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("navigation", name="Screens")
    menu.get_by_role("link", name="User Registre Data").click()
    expect(page.get_by_role("alert")).to_contain_text("This screen could not be loaded.")
    # The rest of the app keeps working.
    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("link", name="Withdraw").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All Claim Requests")
    page.unroute("**/assets/UsersScreen*")
    page.go_back()
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Registered Users")


@on_a_desktop
def test_a_screen_that_could_not_be_loaded_is_loaded_when_the_network_is_back(
    context: BrowserContext, desk: Desk
) -> None:
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.goto(f"{desk.url}/Data")
    expect(page.locator("[data-row-id]").first).to_be_visible()
    page.route("**/assets/UsersScreen*", lambda route: route.abort())
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="User Registre Data").click()
    expect(page.get_by_role("alert")).to_contain_text("This screen could not be loaded.")
    page.unroute("**/assets/UsersScreen*")
    context.set_offline(True)
    context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Registered Users")


@on_a_desktop
@pytest.mark.parametrize("is_live", [False, True])
def test_the_actions_of_a_screen_need_no_further_file(
    page: Page, open_screen: Callable[..., None], is_live: bool
) -> None:
    if not is_live:
        page.route("**/assets/afterFirstRows*", lambda route: route.abort())
    open_screen("/Withdraw?status=Accepted")
    expect(page.get_by_text("Not live: reload the page.")).to_have_count(0 if is_live else 1)
    expect(page.get_by_role("group", name="Figures")).to_contain_text("₹")
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


@on_a_desktop
def test_what_is_typed_while_the_palette_loads_goes_into_its_field_and_moves_no_claim(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    held = Held(page, "**/assets/Palette*")
    pending = len(desk.claims("Pending"))
    open_screen("/Withdraw?status=Pending")
    page.locator("[data-row-id]").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("Control+k")
    page.keyboard.type("asha")
    held.let_go()
    expect(page.get_by_role("combobox")).to_have_value("asha")
    expect(page.get_by_role("combobox")).to_be_focused()
    assert len(desk.claims("Pending")) == pending


@on_a_desktop
def test_a_palette_that_cannot_be_loaded_leaves_the_screen_as_it_is(context: BrowserContext, desk: Desk) -> None:
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.route("**/assets/Palette*", lambda route: route.abort())
    page.goto(f"{desk.url}/Withdraw")
    page.locator("[data-row-id]").first.wait_for()
    page.keyboard.press("Control+k")
    expect(page.get_by_text("This part could not be loaded. Reload the page.")).to_be_visible()
    expect(page.locator("[data-row-id]").first).to_be_visible()
