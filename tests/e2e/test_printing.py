"""On paper: receipts and statements, black on white, with masked numbers; of a list its heading and a sentence."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import rupees
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop

ONLY_LOOKS = True

INK = """() => {
  const shade = (element, name) => getComputedStyle(element)[name];
  return [shade(document.body, 'backgroundColor'), shade(document.querySelector('article'), 'color')];
}"""


def expect_only_the_sheet(page: Page) -> None:
    """As printed with the dark theme on."""
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print")
    expect(page.get_by_role("article")).to_be_visible()
    for hidden in (page.get_by_role("banner"), page.get_by_role("navigation"), page.get_by_role("button")):
        for element in hidden.all():
            expect(element).to_be_hidden()
    assert page.evaluate(INK) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def pages_of(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_a_paid_claim_has_a_receipt(page: Page, desk: Desk, open_screen: Callable[..., None], size: str) -> None:
    claim = desk.claims("Paid")[0]
    open_screen(f"/Withdraw/{claim['number']}")
    page.get_by_role("dialog").get_by_role("link", name="Receipt").click()
    page.wait_for_url(f"**/Receipt/{claim['number']}")
    sheet = page.get_by_role("article")
    expect(sheet).to_contain_text(f"{rupees(claim['amount'])} paid")
    expect(sheet).to_contain_text(f"••••{claim['accountNo'][-4:]}")
    expect(sheet).not_to_contain_text(claim["accountNo"])
    details = desk.call("GET", f"/api/claims/{claim['_id']}").json()
    expect(sheet).to_contain_text(details["payout"]["reference"] or "Not recorded")
    assert findings(page) == []
    assert page.evaluate("document.querySelector('main').scrollWidth - innerWidth") <= 0
    if size == "desktop":
        expect_only_the_sheet(page)
        assert pages_of(page) == 1


@on_a_desktop
def test_a_statement_of_many_rows_is_printed_on_several_pages(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claim = desk.claims("Paid")[0]
    user_id, name = claim["user"]["_id"], claim["user"]["username"]
    open_screen(f"/client/{user_id}")
    page.get_by_role("link", name="Statement").click()
    expect(page.get_by_role("heading", level=1, name=f"Statement of {name}")).to_be_visible()
    expect(page.get_by_role("button", name="This month")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("First day").fill("2020-01-01")
    page.wait_for_url("**from=2020-01-01**")
    today = (datetime.now(UTC) + timedelta(hours=5, minutes=30)).date().isoformat()
    made = desk.call("GET", f"/api/clients/{user_id}/statement?from=2020-01-01&to={today}").json()
    expect(page.get_by_role("table", name="Paid claims")).to_contain_text(rupees(made["paid"]["amount"]))
    expect(page.get_by_role("article")).not_to_contain_text(claim["accountNo"])
    assert findings(page) == []

    # As long as a statement gets.
    item = made["paid"]["items"][0]
    many = [item | {"number": f"C-{20_000 + place}"} for place in range(200)]
    page.route("**/statement?**", lambda route: route.fulfill(json=made | {"paid": made["paid"] | {"items": many}}))
    page.reload()
    expect(page.get_by_role("table", name="Paid claims").get_by_role("row")).to_have_count(202)
    expect_only_the_sheet(page)
    assert pages_of(page) > 3


@pytest.mark.parametrize("size", ["phone"], indirect=True)
def test_a_statement_fits_a_phone(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    user_id = desk.claims("Paid")[0]["user"]["_id"]
    open_screen(f"/Statement/{user_id}?from=2020-01-01&to=2030-12-31")
    expect(page.get_by_role("table", name="Paid claims")).to_be_visible()
    assert page.evaluate("document.querySelector('main').scrollWidth - innerWidth") <= 0
    assert findings(page) == []


@on_a_desktop
@pytest.mark.parametrize("path", ["/Withdraw", "/Data", "/reg", "/Audit"])
def test_a_list_on_paper_is_its_heading_and_a_sentence(page: Page, open_screen: Callable[..., None], path: str) -> None:
    open_screen(path)
    page.locator("[data-row-id]").first.wait_for()
    page.emulate_media(media="print")
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", level=1)).to_be_visible()
    for element in (*main.locator("[data-row-id]").all(), *main.locator("button, input").all()):
        expect(element).to_be_hidden()
    sentence = page.locator("div:has(> [role=table])").evaluate("frame => getComputedStyle(frame, '::before').content")
    assert "Export" in sentence
    assert pages_of(page) == 1


@on_a_desktop
def test_the_qr_codes_are_not_printed(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Qr")
    row = page.locator("[data-row-id]").first
    row.wait_for()
    page.emulate_media(media="print")
    expect(row).to_be_hidden()
    assert pages_of(page) == 1
