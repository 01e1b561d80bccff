"""3,000 claims: search, sorting, filters, scrolling, selection and keys, with the state kept in the URL."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from countinghouse.claims.lifecycle import STATUSES
from countinghouse.demo.actions import Sizes
from tests.e2e.conftest import Desk, filled_template, opened_desk
from tests.e2e.formats import rupees
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.e2e.test_for_everyone import sideways

CLAIMS = 3_000
PRESS_AT_ONCE = """keys => keys.forEach((key) => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
))"""


@pytest.fixture(scope="module")
def long_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    template = filled_template(tmp_path_factory, "long", Sizes(users=150, purchases=250, claims=CLAIMS))
    with opened_desk(template, tmp_path_factory.mktemp("long_desk")) as desk:
        yield desk


@pytest.fixture
def desk(long_desk: Desk) -> Desk:
    return long_desk


def claims(desk: Desk, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.call("GET", "/api/claims/all", params={"limit": 10, **query}).json()
    return found


def totals(desk: Desk, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = desk.call("GET", "/api/claims/totals", params=query).json()
    return found


def table(page: Page) -> Locator:
    return page.get_by_role("table", name="All Claim Requests")


def row_at(page: Page, index: int) -> Locator:
    return table(page).locator(f"[data-row-id][aria-rowindex='{index + 2}']")


def expect_rows(page: Page, expected: list[dict[str, Any]]) -> None:
    for index, claim in enumerate(expected[:3]):
        expect(row_at(page, index)).to_have_attribute("data-row-id", claim["_id"])


def query_of(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def grouped(count: int) -> str:
    return rupees(count).removeprefix("₹").removesuffix(".00")


@on_a_desktop
def test_a_link_reproduces_the_view(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?q=an&status=Paid&min=100&sort=-amount&hide=address")
    expect_rows(page, claims(desk, q="an", status="Paid", minAmount="100", sort="-amount"))
    expect(page.get_by_role("searchbox")).to_have_value("an")
    expect(page.get_by_role("group", name="Status").get_by_role("button", pressed=True)).to_contain_text("Paid")
    expect(page.get_by_role("button", name="Filters 1")).to_be_visible()
    expect(table(page).locator("[role=columnheader]", has_text="Address")).to_have_count(0)
    expect(table(page).locator("[role=columnheader]", has_text="IFSC")).to_have_count(1)


@on_a_desktop
def test_an_invalid_link_shows_the_unfiltered_list(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Lost&sort=secret&from=2026-99-99&min=lots")
    expect_rows(page, claims(desk))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_typing_searches_and_escape_clears_the_search(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    account = claims(desk, sort="accountNo")[0]["accountNo"]
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    search = page.get_by_role("searchbox", name="Search claims")
    search.press_sequentially(account, delay=20)
    expect_rows(page, claims(desk, q=account))
    assert query_of(page) == {"q": account}
    matches = totals(desk, q=account)
    noun = "claim" if matches["count"] == 1 else "claims"
    summary = f"{grouped(matches['count'])} {noun} · {rupees(matches['amount'])}"
    expect(page.get_by_text(summary)).to_be_visible()
    # The first one leaves the field.
    search.press("Escape")
    expect(search).to_have_value(account)
    expect(search).not_to_be_focused()
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    expect_rows(page, claims(desk))
    assert query_of(page) == {}


@on_a_desktop
def test_without_matches_the_search_and_filters_can_be_cleared(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw?q=nobody%20at%20all")
    expect(page.get_by_text("No claim matches the search “nobody at all”.")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Clear filters").click()
    expect_rows(page, claims(desk))


@on_a_desktop
def test_a_column_header_sorts_and_the_back_button_undoes_it(
    page: Page, desk: Desk, open_screen: Callable[..., None], size: str
) -> None:
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    if size == "phone":
        page.get_by_role("button", name="Filters").click()
        page.get_by_label("Sort by").select_option("Amount, descending")
        page.get_by_role("button", name="Close").click()
    else:
        header = table(page).locator("[role=columnheader]", has_text="Amount")
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "ascending")
        expect_rows(page, claims(desk, sort="amount"))
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "descending")
    expect_rows(page, claims(desk, sort="-amount"))
    assert query_of(page) == {"sort": "-amount"}
    page.go_back()
    expect_rows(page, claims(desk) if size == "phone" else claims(desk, sort="amount"))


def test_the_status_bar_shows_counts_and_filters(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw")
    bar = page.get_by_role("group", name="Status").get_by_role("button")
    counts = {one["status"]: one for one in totals(desk)["byStatus"]}
    words = ["All", "Pending", "Accepted", "On hold", "Paid", "Rejected", "Returned"]
    figures = [CLAIMS, *[counts[word]["count"] for word in words[1:]]]
    expect(bar).to_have_text(
        [re.compile(f"^{word} {grouped(count)}") for word, count in zip(words, figures, strict=True)]
    )
    expect(page.get_by_text(f"{grouped(CLAIMS)} claims · {rupees(totals(desk)['amount'])}")).to_be_visible()
    page.get_by_role("group", name="Status").get_by_role("button", name="Pending").click()
    expect_rows(page, claims(desk, status="Pending"))
    pending = counts["Pending"]
    expect(page.get_by_text(f"{grouped(pending['count'])} claims · {rupees(pending['amount'])}")).to_be_visible()
    page.go_back()
    expect_rows(page, claims(desk))


def test_scrolling_to_the_middle_and_to_the_end_shows_the_right_rows(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    table(page).evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    middle = table(page).locator("[data-row-id]").first
    expect(table(page).locator("[data-row-id]").nth(5)).to_be_visible()
    expect(row_at(page, 0)).to_have_count(0)
    # Read both in one call, because the first row may still change.
    place, row_id = middle.evaluate("row => [row.getAttribute('aria-rowindex'), row.dataset.rowId]")
    index = int(place) - 2
    assert abs(index - CLAIMS / 2) < 50
    assert row_id == claims(desk, skip=index, limit=1)[0]["_id"]
    assert table(page).get_by_role("row").count() <= 60
    table(page).evaluate("element => { element.scrollTop = element.scrollHeight }")
    oldest = claims(desk, sort="createdAt", limit=1)[0]
    expect(row_at(page, CLAIMS - 1)).to_have_attribute("data-row-id", oldest["_id"])
    expect(row_at(page, CLAIMS - 1)).to_be_in_viewport()


def test_placeholders_of_loading_rows_have_the_height_of_rows(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    height = row_at(page, 0).evaluate("row => row.offsetHeight")
    page.route("**/api/claims/all**", lambda _: None)
    table(page).evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    placeholders = table(page).locator("[aria-hidden=true]:has(> [class*=placeholder])")
    expect(placeholders.nth(3)).to_be_visible()
    assert placeholders.nth(3).evaluate("row => row.offsetHeight") == height


@on_a_desktop
def test_a_key_never_acts_on_a_row_outside_the_viewport(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    bar = page.get_by_role("region", name="Selection")
    page.keyboard.press("j")
    page.keyboard.press("End")
    expect(row_at(page, CLAIMS - 1)).to_be_in_viewport()
    page.keyboard.press("x")
    expect(row_at(page, 0)).to_be_in_viewport()
    expect(bar).to_have_count(0)
    page.keyboard.press("x")
    expect(bar).to_contain_text("1 claim selected")
    page.keyboard.press("End")
    expect(row_at(page, CLAIMS - 1)).to_be_in_viewport()
    page.keyboard.press("k")
    expect(row_at(page, CLAIMS - 1)).to_be_focused()
    moved: list[str] = []
    page.on("request", lambda request: moved.append(request.url) if request.method == "PUT" else None)
    page.keyboard.press("Home")
    expect(row_at(page, 0)).to_be_in_viewport()
    accept = table(page).get_by_role("button", name="Accept", disabled=False).first
    for key in ("Enter", "Space"):
        accept.focus()
        page.keyboard.press("End")
        expect(row_at(page, CLAIMS - 1)).to_be_in_viewport()
        page.keyboard.press(key)
        expect(accept).to_be_in_viewport()
    assert moved == []


@on_a_desktop
def test_all_matching_rows_can_be_selected(page: Page, desk: Desk, open_screen: Callable[..., None], size: str) -> None:
    open_screen("/Withdraw?status=Accepted")
    expect_rows(page, claims(desk, status="Accepted"))
    if size == "phone":
        page.get_by_role("button", name="Columns").click()
        page.get_by_label("Select rows").check()
        page.get_by_role("button", name="Close").click()
    row_at(page, 0).get_by_role("checkbox").click()
    row_at(page, 2).get_by_role("checkbox").click(modifiers=["Shift"])
    bar = page.get_by_role("region", name="Selection")
    chosen = claims(desk, status="Accepted")[:3]
    expect(bar).to_contain_text(f"3 claims selected · {rupees(sum(claim['amount'] for claim in chosen))}")
    matches = totals(desk, status="Accepted")
    bar.get_by_role("button", name=f"Select all {grouped(matches['count'])} that match").click()
    expect(bar).to_contain_text(
        f"All {grouped(matches['count'])} claims that match selected · {rupees(matches['amount'])}"
    )
    assert findings(page) == []
    assert sideways(page) <= 0
    bar.get_by_role("button", name="Clear").click()
    expect(bar).to_have_count(0)


def test_a_row_opens_and_closes_its_panel(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw")
    claim = claims(desk)[0]
    row_at(page, 0).get_by_role("cell").first.click()
    panel = page.get_by_role("dialog", name=claim["user"]["username"])
    for text in (claim["accountNo"], claim["ifsc"], claim["address"], rupees(claim["amount"])):
        expect(panel.get_by_text(text, exact=True).first).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


@pytest.mark.parametrize("tool", ["Filters", "Columns"])
def test_the_tools_pass_the_accessibility_scan(page: Page, open_screen: Callable[..., None], tool: str) -> None:
    open_screen("/Withdraw?status=Pending&min=5")
    page.get_by_role("button", name=tool).click()
    page.get_by_role("dialog", name=tool).get_by_role("textbox").or_(
        page.get_by_role("dialog", name=tool).get_by_role("checkbox")
    ).first.wait_for()
    assert findings(page) == []
    assert sideways(page) <= 0


@on_a_desktop
def test_the_keyboard_can_navigate_select_open_and_search(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    expect_rows(page, claims(desk))
    for _ in range(30):
        page.keyboard.press("j")
    expect(row_at(page, 29)).to_be_focused()
    expect(row_at(page, 29)).to_be_in_viewport()
    page.keyboard.press("k")
    # With no frame between the keys: the bar that the first one opens must not hide the row from the second.
    page.evaluate(PRESS_AT_ONCE, ["x", "Enter"])
    name = claims(desk, skip=28, limit=1)[0]["user"]["username"]
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    page.keyboard.press("j")
    next_name = claims(desk, skip=29, limit=1)[0]["user"]["username"]
    expect(page.get_by_role("dialog", name=next_name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(row_at(page, 29)).to_be_focused()
    expect(row_at(page, 28).get_by_role("checkbox")).to_be_checked()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    assert {claim["status"] for claim in claims(desk, limit=40)} <= set(STATUSES)
