from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop
from tests.waiting import eventually

ONLY_LOOKS = True

MOST_UNTIL_ROWS = 6
MOST_UNTIL_COMPLETE = 12
MOST_REPEATED = 5
SETTLE_MS = 2_000

# Counted in the page when its first row is in the document: the files that have arrived, and all calls of the API,
# answered or not. Here and below, the icon of the tab does not count: the browser itself asks for it.
COUNT_UNTIL_ROWS = """
    let calls = 0;
    const send = window.fetch;
    window.fetch = (...request) => {
        calls += 1;
        return send(...request);
    };
    const isFile = ({ entryType, name }) =>
        ['navigation', 'resource'].includes(entryType) && !/\\/api\\/|favicon/.test(name);
    new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-row-id]')) return;
        observer.disconnect();
        window.untilRows = performance.getEntries().filter(isFile).length + calls;
    }).observe(document, { childList: true, subtree: true });
"""


def test_the_claims_screen_needs_few_requests(page: Page, desk: Desk) -> None:
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.add_init_script(COUNT_UNTIL_ROWS)
    sent: list[str] = []
    page.on("request", lambda request: None if "favicon" in request.url else sent.append(request.url))
    page.goto(f"{desk.url}/Withdraw")
    expect(page.get_by_role("group", name="Queues")).to_contain_text("₹")
    assert page.evaluate("window.untilRows") <= MOST_UNTIL_ROWS

    # Complete: the screen has all its data, the jobs of this admin are known and the live connection is requested.
    last = {f"{desk.url}/api/{path}" for path in ("live", "batches", "exports")}

    def is_complete() -> bool:
        page.wait_for_timeout(100)
        return last <= set(sent)

    eventually(is_complete)
    until_complete = 1 + max(sent.index(url) for url in last)
    assert until_complete <= MOST_UNTIL_COMPLETE, "\n".join(sent)

    # The live connection begins later than the first reads, so it repeats them once: a change in between is not missed.
    page.wait_for_timeout(SETTLE_MS)
    assert len(sent) <= until_complete + MOST_REPEATED, "\n".join(sent)


@on_a_desktop
def test_a_screen_that_cannot_be_loaded_says_so_and_reloads(context: BrowserContext, desk: Desk) -> None:
    # Not the fixture `page`, which accepts no error: React logs the one that this test causes.
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.goto(f"{desk.url}/Data")
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
def test_the_actions_of_a_screen_need_no_further_file(page: Page, open_screen: Callable[..., None]) -> None:
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
