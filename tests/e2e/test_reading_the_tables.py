"""The four tables: columns and formats of the specification, and messages for empty lists and failed loads."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import day, rupees
from tests.e2e.held import Held
from tests.e2e.sizes import on_a_desktop
from tests.proxy import BadLine

ONLY_LOOKS = True

TABLES = {
    "/Data": (
        "Client Data",
        ["Date", "User Name", "Mobile", "Invest", "Daily Income", "Transaction ID", "Claim Type", "QR Name"],
    ),
    "/Withdraw": (
        "All Claim Requests",
        ["Date", "User Name", "Mobile", "Invest", "Amount", "Account No", "IFSC", "Address", "Action"],
    ),
    "/Qr": ("QR Table", ["Name", "UPI ID", "QR Image", "Status", "Action"]),
    "/reg": ("Registered Users", ["S.No", "Date", "User Name", "Mobile"]),
}


def first_row(page: Page, table: str) -> Locator:
    return page.get_by_role("table", name=table).get_by_role("row").nth(1)


def cells(row: Locator) -> list[str]:
    row.wait_for()
    return [" ".join(text.split()) for text in row.get_by_role("cell").all_inner_texts()]


def test_the_columns_are_those_of_the_specification(page: Page, open_screen: Callable[..., None]) -> None:
    for path, (table, columns) in TABLES.items():
        open_screen(path)
        headers = page.get_by_role("table", name=table).locator("[role=columnheader]")
        expect(headers).to_have_text(columns)


def test_client_data_shows_each_purchase(page: Page, desk: Desk, open_screen: Callable[..., None], size: str) -> None:
    newest: dict[str, Any] = desk.call("GET", "/api/purchases/all").json()[0]
    open_screen("/Data")
    shown = cells(first_row(page, "Client Data"))
    date = day(newest["createdAt"])
    expected = [
        f"{date.day}/{date.month}/{date.year}",
        newest["user"]["username"],
        newest["user"]["mobile"],
        rupees(newest["invest"]),
        rupees(newest["dailyIncome"]),
        newest["upiId"],
        newest["claimType"],
        newest["qrName"],
    ]
    # A card shows the column's name before the value; the value is the same.
    assert all(text.endswith(value) for text, value in zip(shown, expected, strict=True)), (shown, expected)
    if size == "desktop":
        assert shown == expected


def is_table(page: Page) -> bool:
    return page.evaluate("innerWidth >= 768") is True


def test_claims_show_both_buttons_and_the_status(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    newest: dict[str, Any] = desk.call("GET", "/api/claims/all").json()[0]
    open_screen("/Withdraw")
    row = first_row(page, "All Claim Requests")
    shown = cells(row)
    bank = newest["bank"]
    below = f"Check code : {bank['note']}" if bank["note"] else bank["name"]
    expected = [
        rupees(newest["purchase"]["invest"]),
        rupees(newest["amount"]),
        newest["accountNo"],
        # A card has no place for the name of the bank; the panel shows it.
        f"{newest['ifsc']} {below}".strip() if is_table(page) else newest["ifsc"],
    ]
    assert all(text.endswith(value) for text, value in zip(shown[3:7], expected, strict=True)), shown
    assert shown[7].endswith(newest["address"])
    expect(row.get_by_role("button", name="Accept")).to_be_visible()
    expect(row.get_by_role("button", name="Paid Success")).to_be_visible()
    expect(row.get_by_text(newest["status"], exact=True)).to_be_visible()


def test_registered_users_are_numbered_from_one_with_british_dates(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    users = desk.call("GET", "/api/users").json()
    open_screen("/reg")
    rows = page.get_by_role("table", name="Registered Users").get_by_role("row")
    for number, user in enumerate(users[:3], start=1):
        shown = cells(rows.nth(number))
        expected = [str(number), day(user["createdAt"]).strftime("%d/%m/%Y"), user["username"], user["mobile"]]
        assert all(text.endswith(value) for text, value in zip(shown, expected, strict=True)), (shown, expected)


def test_thumbnails_are_a_hundred_pixels_wide_and_loaded(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Qr")
    pictures = page.get_by_role("table", name="QR Table").get_by_role("img")
    expect(pictures).to_have_count(3)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") >= 200
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] == 100


LONG = {"claimType": "Daily with compounding and a lock-in fee", "qrName": "Counter " * 9, "upiId": "T" * 90}
MUCH = 12_34_56_78_90_123.25
# Pairs of cells with overlapping texts.
COLLISIONS = """row => {
  const boxes = [...row.querySelectorAll('[role=cell]')].map(cell => {
    const parts = [...cell.children].map(part => part.getBoundingClientRect()).filter(box => box.width > 0);
    const edge = (name, most) => most(...parts.map(box => box[name]));
    return { text: cell.textContent, left: edge('left', Math.min), right: edge('right', Math.max),
             top: edge('top', Math.min), bottom: edge('bottom', Math.max) };
  });
  return boxes.flatMap((one, place) => boxes.slice(place + 1)
    .filter(two => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
                && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1)
    .map(two => [one.text, two.text]));
}"""


def lengthened(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A short list; its first row has the longest words and amounts that the server accepts."""
    longest = {"amount": MUCH, "ifsc": "SBIN0012345678901234"} if "amount" in rows[0] else {**LONG, "invest": MUCH}
    rows[0] |= longest
    rows[0]["user"] |= {"username": "Venkatanarasimharaju" * 3}
    return rows[:20]


def test_long_words_and_large_amounts_do_not_overlap_other_cells(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    lists = {noun: lengthened(desk.call("GET", f"/api/{noun}/all").json()) for noun in ("purchases", "claims")}
    page.route("**/api/purchases/all*", lambda route: route.fulfill(json=lists["purchases"]))
    page.route("**/api/claims/all*", lambda route: route.fulfill(json=lists["claims"]))
    for path in ("/Data", "/Withdraw"):
        open_screen(path)
        row = first_row(page, TABLES[path][0])
        expect(row).to_contain_text("Venkatanarasimharaju")
        expect(row).to_contain_text("₹12,34,56,78,90,123.25")
        assert row.evaluate(COLLISIONS) == []
        box = row.get_by_role("link" if is_table(page) else "button", name="Venkatanarasimharaju").first.bounding_box()
        assert box is not None
        assert box["width"] > 80


@on_a_desktop
def test_no_row_moves_when_the_counts_arrive(page: Page, open_screen: Callable[..., None]) -> None:
    for width in (700, 960, 1100, 1260):
        held = Held(page, "**/api/claims/totals*")
        page.set_viewport_size({"width": width, "height": 800})
        open_screen("/Withdraw")
        row = first_row(page, "All Claim Requests")
        row.wait_for()
        before = row.bounding_box()
        held.let_go()
        expect(page.get_by_role("button", name="All 120")).to_be_visible()
        assert row.bounding_box() == before, width
        assert page.get_by_role("table").evaluate("table => table.scrollTop") == 0, width


NOUNS = {
    "/Data": ("/api/purchases/all", "The purchases could not be loaded."),
    "/Withdraw": ("/api/claims/all", "The claims could not be loaded."),
    "/Qr": ("/api/qr", "The QR codes could not be loaded."),
    "/reg": ("/api/users", "The users could not be loaded."),
}


@on_a_desktop
def test_a_failed_load_is_reported_with_a_retry_button(
    page: Page, bad_line: BadLine, open_screen: Callable[..., None]
) -> None:
    # With live updates, the page would reload the list automatically once the server is back.
    page.route("**/api/live", lambda route: route.abort())
    for path, (call, sentence) in NOUNS.items():
        bad_line.lose("request", f"GET {call}")
        open_screen(path, bad_line.url)
        expect(page.get_by_role("alert")).to_contain_text(sentence, timeout=20_000)
        bad_line.mend()
        page.get_by_role("button", name="Retry").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(first_row(page, TABLES[path][0])).to_be_visible()
