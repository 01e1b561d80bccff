"""The four tables: the specification's columns and formats, and what they say when there is nothing or no answer."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.formats import day, rupees
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
    # A card writes the column's name before the value; the value is the same.
    assert all(text.endswith(value) for text, value in zip(shown, expected, strict=True)), (shown, expected)
    if size == "desktop":
        assert shown == expected


def test_claims_show_both_buttons_and_the_status(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    newest: dict[str, Any] = desk.call("GET", "/api/claims/all").json()[0]
    open_screen("/Withdraw")
    row = first_row(page, "All Claim Requests")
    shown = cells(row)
    bank = newest["bank"]
    expected = [
        rupees(newest["purchase"]["invest"]),
        rupees(newest["amount"]),
        newest["accountNo"],
        f"{newest['ifsc']} {bank['note'] or bank['name']}".strip(),
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


def test_thumbnails_are_a_hundred_wide_and_loaded(page: Page, open_screen: Callable[..., None]) -> None:
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


NOUNS = {
    "/Data": ("/api/purchases/all", "The purchases could not be loaded."),
    "/Withdraw": ("/api/claims/all", "The claims could not be loaded."),
    "/Qr": ("/api/qr", "The QR codes could not be loaded."),
    "/reg": ("/api/users", "The users could not be loaded."),
}


@on_a_desktop
def test_a_server_that_goes_away_while_the_table_loads_is_told_with_retry(
    page: Page, bad_line: BadLine, open_screen: Callable[..., None]
) -> None:
    # Who is live reads the list anew by itself once the server is back.
    page.route("**/api/live", lambda route: route.abort())
    for path, (call, sentence) in NOUNS.items():
        bad_line.lose("request", f"GET {call}")
        open_screen(path, bad_line.url)
        expect(page.get_by_role("alert")).to_contain_text(sentence, timeout=20_000)
        bad_line.mend()
        page.get_by_role("button", name="Retry").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(first_row(page, TABLES[path][0])).to_be_visible()
