"""The numbers that say where money goes, and how much, are shown whole: in tables of any width and in cards."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop, on_a_phone, resize

ONLY_LOOKS = True

ACCOUNT = "123456789012345678"
CODE = "MAHG0001094"
TRANSACTION = "63201234567890123456"
UPI_ID = "venkatanarasimharaju.subrahmanyam.payments@okhdfcbank"
TABLES = (768, 820, 1024, 1280, 1366, 1440, 1920)
CARDS = (320, 360, 375, 390, 430)

# Whether each text is wholly inside its own element and its row, so that no part is hidden and no ellipsis is shown. A
# box around glyphs is as tall as the font wants, so its lines count: some fonts have boxes taller than the lines.
IS_WHOLE = """(row, texts) => texts.filter((text) => {
  const found = [...row.querySelectorAll('*')].findLast((element) => element.textContent.trim() === text);
  if (!found) return true;
  const range = document.createRange();
  range.selectNodeContents(found);
  const halfLine = parseFloat(getComputedStyle(found).lineHeight) / 2;
  const isInside = (outer) => [...range.getClientRects()].every((box) => {
    const middle = (box.top + box.bottom) / 2;
    return box.left >= outer.left - 0.5 && box.right <= outer.right + 0.5 &&
      middle - halfLine >= outer.top - 0.5 && middle + halfLine <= outer.bottom + 0.5;
  });
  return found.scrollWidth > found.clientWidth && getComputedStyle(found).display !== 'inline'
    || !isInside(row.getBoundingClientRect())
    || !isInside(found.closest('[role=cell]').getBoundingClientRect());
})"""


def answer_claims(page: Page, desk: Desk, **changes: Any) -> None:
    rows = desk.call("GET", "/api/claims/all?limit=20").json()
    rows[0] |= {"accountNo": ACCOUNT, "ifsc": CODE, "amount": 98_765_433.55, **changes}
    rows[0]["purchase"] |= {"invest": 987_654_321.55}
    page.route("**/api/claims/all*", lambda route: route.fulfill(json=rows))


def open_row(page: Page, open_screen: Callable[..., None], path: str) -> Locator:
    open_screen(path)
    row = page.locator("[data-row-id]").first
    row.wait_for()
    return row


@on_a_desktop
def test_a_table_of_claims_shows_whole_accounts_and_codes(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    answer_claims(page, desk)
    row = open_row(page, open_screen, "/Withdraw")
    for width in TABLES:
        resize(page, width, 900)
        texts = [ACCOUNT, CODE] if width >= 1024 else [ACCOUNT]
        assert row.evaluate(IS_WHOLE, texts) == [], width
        # On one line: it is compared with a bank's form.
        box = row.get_by_text(ACCOUNT).bounding_box()
        assert box is not None
        assert box["height"] <= 20, width
        name = page.get_by_role("columnheader", name="User Name").bounding_box()
        assert name is not None
        assert name["width"] >= 100, width


@on_a_desktop
def test_an_amount_of_crores_is_on_one_line_in_a_wide_table(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    answer_claims(page, desk)
    # The font that the login loads: the system font is wider.
    page.add_init_script("localStorage.setItem('font', 'known')")
    row = open_row(page, open_screen, "/Withdraw")
    page.wait_for_function("() => document.fonts.size > 0")
    for width in (1280, 1440):
        resize(page, width, 900)
        box = row.get_by_text("₹9,87,65,433.55").bounding_box()
        assert box is not None
        assert box["height"] <= 20, width


@on_a_phone
def test_a_card_shows_the_whole_account_and_code(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    answer_claims(page, desk)
    row = open_row(page, open_screen, "/Withdraw")
    for width in CARDS:
        resize(page, width, 900)
        assert row.evaluate(IS_WHOLE, [ACCOUNT, CODE]) == [], width
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Select rows").check()
    page.keyboard.press("Escape")
    for width in CARDS:
        resize(page, width, 900)
        assert row.evaluate(IS_WHOLE, [ACCOUNT, CODE]) == [], f"{width}, with checkboxes"


@on_a_phone
def test_a_card_shows_the_whole_transaction_id(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    rows = desk.call("GET", "/api/purchases/all?findings=only").json()
    rows[0] |= {"upiId": TRANSACTION}
    page.route("**/api/purchases/all*", lambda route: route.fulfill(json=rows))
    row = open_row(page, open_screen, "/Data")
    for width in CARDS:
        resize(page, width, 900)
        assert row.evaluate(IS_WHOLE, [TRANSACTION]) == [], width


def test_the_table_of_qr_codes_wraps_a_long_upi_id(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    codes = [code | {"upiId": UPI_ID} for code in desk.call("GET", "/api/qr").json()]
    page.route(re.compile(r"/api/qr(\?|$)"), lambda route: route.fulfill(json=codes))
    row = open_row(page, open_screen, "/Qr")
    for width in (320, 390, 768, 820, 1280, 1440):
        resize(page, width, 900)
        assert row.evaluate(IS_WHOLE, [UPI_ID]) == [], width


@on_a_phone
def test_the_search_field_of_a_phone_has_room_for_a_mobile_number(page: Page, open_screen: Callable[..., None]) -> None:
    open_row(page, open_screen, "/Withdraw")
    search = page.get_by_role("searchbox")
    for width in (320, 390, 480):
        resize(page, width, 900)
        search.fill("9" * 10)
        assert search.evaluate("input => input.scrollWidth <= input.clientWidth"), width


@on_a_desktop
def test_the_figures_beside_the_statuses_are_whole_or_hidden(page: Page, open_screen: Callable[..., None]) -> None:
    open_row(page, open_screen, "/Withdraw")
    figures = page.get_by_role("group", name="Figures")
    figures.get_by_role("button").first.wait_for(state="attached")
    for width in (720, 768, 820, 1024, 1100, 1440):
        resize(page, width, 900)
        cut = figures.evaluate("""group => {
          const { left, right, top, bottom } = group.parentElement.getBoundingClientRect();
          return [...group.querySelectorAll('button')].filter((button) => {
            const box = button.getBoundingClientRect();
            const isHidden = box.top >= bottom - 1 || box.left >= right;
            return !isHidden && (box.left < left || box.right > right || box.bottom > bottom);
          }).map((button) => button.textContent);
        }""")
        assert cut == [], width
    expect(page.get_by_role("button", name="Paid this week")).to_be_in_viewport(ratio=1)


def test_the_buttons_of_a_paid_claim_keep_their_place_and_the_reference_is_whole(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    reference = "HDFCR52026111800045127"
    rows = [desk.claims("Pending")[0], desk.claims("Paid")[0]]
    rows[1]["payout"] = {"at": rows[1]["createdAt"], "by": "admin", "reference": reference}
    page.route("**/api/claims/all*", lambda route: route.fulfill(json=rows))
    open_screen("/Withdraw")
    other, paid = (page.locator(f"[data-row-id='{row['_id']}']") for row in rows)
    for name in ("Accept", "Paid Success"):
        usual, shown = (row.get_by_role("button", name=name).bounding_box() for row in (other, paid))
        assert usual is not None
        assert shown is not None
        assert abs(usual["x"] - shown["x"]) <= 1, name
        assert abs(usual["width"] - shown["width"]) <= 1, name
        assert shown["height"] >= 20, name
    assert paid.evaluate(IS_WHOLE, [reference]) == []


@on_a_phone
def test_the_buttons_of_a_card_do_not_touch_the_line_above(page: Page, open_screen: Callable[..., None]) -> None:
    row = open_row(page, open_screen, "/Withdraw")
    button = row.get_by_role("button", name="Accept").bounding_box()
    lowest = row.evaluate("""row => Math.max(...[...row.querySelectorAll('[role=cell]')]
        .filter((cell) => !cell.querySelector('button[aria-haspopup]'))
        .map((cell) => cell.getBoundingClientRect().bottom))""")
    assert button is not None
    assert button["y"] - lowest >= 5
