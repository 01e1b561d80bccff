"""The status bar, the filter panel and the chips, with clicks and keys as an admin uses them."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import rupees
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.e2e.test_for_everyone import sideways


def query_of(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def totals(desk: Desk, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = desk.call("GET", "/api/claims/totals", params=query).json()
    return found


def figures(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = desk.call("GET", "/api/claims/totals").json()["figures"]
    return found


def pay(desk: Desk, count: int) -> None:
    for claim in desk.claims("Accepted")[:count]:
        answer = desk.call("PUT", f"/api/claims/{claim['_id']}/status", json={"status": "Paid"})
        assert answer.status_code == 200, answer.text


def chips(page: Page) -> Locator:
    return page.get_by_role("group", name="Active filters")


def test_paid_this_week_is_one_click_to_the_list_that_adds_up_to_it(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    pay(desk, 2)
    week = figures(desk)["paidThisWeek"]
    assert week["count"] >= 2
    open_screen("/Withdraw?status=Pending&min=5")
    page.get_by_role("button", name="Paid this week").click()
    noun = "claim" if week["count"] == 1 else "claims"
    expect(page.get_by_text(f"{week['count']} {noun} · {rupees(week['amount'])}")).to_be_visible()
    assert query_of(page) == {
        "status": "Paid",
        "movedFrom": week["since"],
        "movedTo": figures(desk)["paidToday"]["since"],
    }
    expect(chips(page)).to_contain_text("Status changed: ")
    assert findings(page) == []
    assert sideways(page) <= 0


@on_a_desktop
def test_large_pending_claims_of_the_last_days_are_exported_with_six_clicks(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("group", name="Status").get_by_role("button", name="Pending").click()
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("group", name="Requested").get_by_role("button", name="Last month").click()
    page.get_by_label("Amount from ₹").click()
    page.keyboard.type("1,000")
    # While typing: no Enter, and the field is not left.
    expect(page.get_by_role("button", name="Filters 2")).to_be_visible()
    expect(chips(page)).to_contain_text("Requested: Last monthAmount: from ₹1,000")
    asked = query_of(page)
    assert (asked["status"], asked["min"]) == ("Pending", "1000")
    found = totals(desk, status="Pending", minAmount="1000", **{name: asked[name] for name in ("from", "to")})
    page.get_by_role("button", name="Export").click()
    if found["count"] == 0:
        expect(page.get_by_role("dialog", name="Export")).to_contain_text("nothing to export")
    else:
        with page.expect_download():
            page.get_by_role("button", name="Excel").click()


@on_a_desktop
def test_an_unfinished_date_says_so_and_is_not_lost(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?from=2026-11-01")
    page.get_by_role("button", name="Filters 1").click()
    day = page.get_by_label("Requested from")
    day.focus()
    page.keyboard.press("Delete")
    # Beside the panel, which covers the middle of the row on a desktop.
    page.get_by_role("row").nth(2).click(position={"x": 90, "y": 20})
    message = page.get_by_text("This date is incomplete. Enter day, month and year. Still filtering from 1 Nov 2026.")
    expect(message).to_be_visible()
    expect(day).to_be_focused()
    # The row below was not opened.
    expect(page.get_by_role("dialog")).to_have_count(1)
    assert query_of(page) == {"from": "2026-11-01"}
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(chips(page)).to_contain_text("Requested: from 1 Nov 2026")


def test_days_are_those_of_the_desk_in_a_browser_elsewhere(browser: Browser, desk: Desk) -> None:
    context = browser.new_context(timezone_id="America/Los_Angeles")
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
    page.goto(f"{desk.url}/Withdraw?to=2026-11-01")
    found = totals(desk, to="2026-11-02T00:00:00+05:30")
    expect(page.get_by_role("group", name="Status").get_by_role("button", name="All")).to_contain_text(
        f"All {found['count']:,}"
    )
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("group", name="Status changed").get_by_role("button", name="Today").click()
    today = figures(desk)["paidToday"]["since"]
    page.wait_for_url(f"**movedFrom={today}&movedTo={today}")
    context.close()


def test_an_empty_list_says_why_and_clears_its_filters(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Pending&min=90000000000")
    expect(page.get_by_text("No claim matches Status: Pending and Amount: from ₹90,00,00,00,000.")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("dialog", name="Export")).to_contain_text("nothing to export")
    page.keyboard.press("Escape")
    page.get_by_role("table").locator("..").get_by_role("button", name="Clear filters").click()
    page.get_by_role("row").nth(1).wait_for()
    assert query_of(page) == {"status": "Pending"}


def test_the_status_bar_is_one_line_on_a_phone(page: Page, open_screen: Callable[..., None], size: str) -> None:
    open_screen("/Withdraw?status=Returned")
    status = page.get_by_role("group", name="Status")
    chosen = status.get_by_role("button", pressed=True)
    expect(chosen).to_contain_text("Returned")
    expect(chosen).to_be_in_viewport(ratio=0.9)
    box = status.bounding_box()
    assert box is not None
    assert box["height"] <= (46 if size == "phone" else 56)
    assert sideways(page) <= 0
