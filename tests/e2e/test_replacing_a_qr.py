"""One admin replaces the code on display, from the upload on, in a few clicks."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings
from tests.e2e.sizes import on_a_desktop
from tests.pictures import qr_png

MOST_INTERACTIONS = 6
OLD, NEW, KNOWN_PAYEE = "Counter D", "Counter R", "countinghouse.demo4@okdemo"


def names_that_customers_see(desk: Desk) -> list[str]:
    return [code["name"] for code in desk.call("GET", "/api/qr").json() if code["status"] == "display"]


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="QR Table").get_by_role("row").filter(has_text=name)


def test_the_code_on_display_is_replaced_in_a_few_interactions(
    page: Page, desk: Desk, open_screen: Callable[..., None], tmp_path: Path
) -> None:
    picture = tmp_path / "new.png"
    picture.write_bytes(qr_png(f"upi://pay?pa={KNOWN_PAYEE}&pn=Counter%20R&cu=INR"))
    open_screen("/Qr")
    assert OLD in names_that_customers_see(desk)
    interactions = 0

    def click(target: Locator) -> None:
        nonlocal interactions
        interactions += 1
        target.click()

    click(page.get_by_label("QR Name"))
    page.keyboard.type(NEW)
    with page.expect_file_chooser() as chooser:
        click(page.locator("input[type=file]"))
    chooser.value.set_files(picture)
    # The picture fills it in.
    expect(page.get_by_label("UPI ID")).to_have_value(KNOWN_PAYEE)
    click(page.get_by_role("button", name="Upload", exact=True))
    expect(page.get_by_role("alert")).to_have_text("QR uploaded successfully!")
    click(row_of(page, NEW).get_by_role("button", name="Display"))
    dialog = page.get_by_role("alertdialog", name=f"Display {NEW}?")
    drawn = dialog.get_by_role("figure").get_by_role("img")
    assert drawn.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 100
    replace = dialog.get_by_role("button", name=f"Replace {OLD}")
    expect(replace).to_be_enabled()
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") == 0
    assert findings(page) == []
    click(replace)
    expect(
        page.get_by_text(f"Customers now pay {NEW} ({KNOWN_PAYEE}) instead of {OLD} ({KNOWN_PAYEE}).")
    ).to_be_visible()
    assert interactions <= MOST_INTERACTIONS
    expect(row_of(page, OLD).get_by_role("button", name="Hide")).to_be_disabled()
    expect(row_of(page, NEW).get_by_role("button", name="Hide")).to_be_enabled()
    assert NEW in names_that_customers_see(desk)
    assert OLD not in names_that_customers_see(desk)


@on_a_desktop
def test_a_code_displayed_by_another_admin_meanwhile_is_never_joined_unasked(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    """The Enter and the click that were meant for Display come right after the screen has changed."""
    codes = desk.call("GET", "/api/qr").json()
    shown = [code for code in codes if code["status"] == "display"]
    for code in shown:
        assert desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "hide"}).status_code == 200
    mine, other = shown[0], shown[1]
    open_screen("/Qr")
    row_of(page, mine["name"]).get_by_role("button", name="Display").click()
    dialog = page.get_by_role("alertdialog", name=f"Display {mine['name']}?")
    expect(dialog).to_contain_text("Nothing. Customers cannot pay yet.")
    display = dialog.get_by_role("button", name="Display", exact=True)
    expect(display).to_be_enabled()
    display.focus()
    box = display.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
    answer = desk.call("PATCH", f"/api/qr/status/{other['_id']}", json={"status": "display"})
    assert answer.status_code == 200
    dialog.get_by_role("alert").wait_for()
    page.keyboard.press("Enter")
    page.mouse.down()
    page.mouse.up()
    expect(dialog.get_by_role("alert")).to_contain_text(f"{other['name']} went on display while this was open.")
    expect(display).to_be_disabled()
    assert findings(page) == []
    dialog.get_by_role("button", name="Choose again").click()
    dialog.get_by_role("button", name=f"Replace {other['name']}").click()
    expect(page.get_by_text(f"Customers now pay {mine['name']} (")).to_be_visible()
    assert names_that_customers_see(desk) == [mine["name"]]
