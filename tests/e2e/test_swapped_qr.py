"""A QR code with another payee is reported before the upload, and displayed only after a confirmation."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from countinghouse.demo.actions import DEMO_USERNAME
from tests.e2e.conftest import DESKTOP, PATIENCE_MS, Desk
from tests.e2e.sizes import on_a_desktop
from tests.pictures import qr_png

OURS = "counter.q@okdemo"
PAYS = "This code pays mallory@okbank, Mallory Stores."
FOUND = f"This code pays mallory@okbank, not {OURS}."
NEEDED = "Needs a second admin's approval."
REASON = "Our second account, by the letter of the bank."


@pytest.fixture
def swapped(tmp_path: Path) -> Path:
    path = tmp_path / "swapped.png"
    path.write_bytes(qr_png("upi://pay?pa=mallory@okbank&pn=Mallory%20Stores&cu=INR"))
    return path


def row_of(page: Page) -> Locator:
    return page.get_by_role("table", name="QR Table").get_by_role("row").filter(has_text="Counter Q")


def upload(desk: Desk, picture: Path, *, by: str) -> str:
    with picture.open("rb") as file:
        files, data = {"qrImage": file}, {"name": "Counter Q", "upiId": OURS}
        return str(desk.call("POST", "/api/qr/upload", by=by, data=data, files=files).json()["_id"])


@on_a_desktop
def test_a_swapped_code_is_explained_and_displayed_only_after_a_second_admin_confirms_it(
    page: Page, browser: Browser, desk: Desk, open_screen: Callable[..., None], swapped: Path, tmp_path: Path
) -> None:
    with page.expect_response("**/api/live"):
        open_screen("/Qr")
    page.get_by_label("QR Name").fill("Counter Q")
    page.get_by_label("UPI ID").fill(OURS)
    page.locator("input[type=file]").set_input_files(swapped)
    form = page.get_by_role("form", name="QR Code Upload")
    expect(form.get_by_role("listitem")).to_have_text([FOUND])
    # The payee is said once.
    expect(form.get_by_text("mallory@okbank")).to_have_count(1)
    expect(form).to_contain_text("It will be stored, but can only be displayed after a second admin has confirmed it.")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("alert").locator("p")).to_have_text(["QR uploaded successfully!", FOUND, NEEDED])

    row = row_of(page)
    expect(row.get_by_text(FOUND, exact=True)).to_be_visible()
    display = row.get_by_role("button", name="Display")
    expect(display).to_be_disabled()
    note = row.get_by_text(NEEDED)
    expect(note).to_be_visible()
    expect(row.get_by_text("mallory@okbank")).to_have_count(1)
    expect(display).to_have_attribute("aria-describedby", note.get_attribute("id") or "no id")
    expect(row.get_by_role("button", name="Confirm…")).to_have_count(0)

    desk.sign_in_the_other()
    elsewhere = browser.new_context(viewport=DESKTOP, locale="en-IN", reduced_motion="reduce")  # type: ignore[arg-type]
    elsewhere.set_default_timeout(PATIENCE_MS)
    second = elsewhere.new_page()
    second.add_init_script(f"localStorage.setItem('token', '{desk.tokens[DEMO_USERNAME]}')")
    second.goto(f"{desk.url}/Qr")
    row_of(second).get_by_role("button", name="Confirm…").click()
    dialog = second.get_by_role("alertdialog", name="Confirm this QR code?")
    expect(dialog).to_contain_text(OURS)
    expect(dialog).to_contain_text("Mallory Stores")
    expect(dialog).to_contain_text(FOUND)
    dialog.get_by_label("Reason").fill(REASON)
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_have_count(0)
    expect(row_of(second).get_by_text(f": {REASON}")).to_contain_text(f"Confirmed by {DEMO_USERNAME}, ")

    with sqlite3.connect(tmp_path / "desk.db") as database:
        logged = database.execute("SELECT actor, after FROM audit_log WHERE verb = 'qr.confirmed'").fetchall()
    assert [actor for actor, _ in logged] == [DEMO_USERNAME]
    assert REASON in logged[0][1]

    # The uploader's page updates live, and the notices to both admins state the actual payee.
    expect(display).to_be_enabled()
    row_of(second).get_by_role("button", name="Display").click()
    second.get_by_role("alertdialog").get_by_role("button", name="Display as well").click()
    asked = f"{DEMO_USERNAME} asked to display Counter Q ({OURS}). You can approve it. {PAYS}"
    expect(page.get_by_text(asked)).to_be_visible()
    display.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Display as well").click()
    expect(page.get_by_text(asked)).to_have_count(0)
    expect(second.get_by_text(f"ravi put Counter Q ({OURS}) on display. {PAYS}")).to_be_visible()
    expect(row.get_by_role("button", name="Hide")).to_be_enabled()
    elsewhere.close()

    page.get_by_role("button", name="Counter Q", exact=True).click()
    page.get_by_role("dialog", name="Counter Q").get_by_role("button", name="History").click()
    past = page.get_by_role("dialog", name="History of Counter Q")
    expect(past.get_by_role("listitem").first).to_contain_text(f"ravi put Counter Q ({OURS}) on display")
    expect(past.get_by_role("listitem").nth(2)).to_contain_text(REASON)
    expect(past.get_by_text("Since ")).to_be_visible()


@pytest.mark.parametrize("size", ["phone"], indirect=True)
def test_on_a_phone_the_text_of_a_card_fits_inside_it(
    page: Page, desk: Desk, open_screen: Callable[..., None], swapped: Path
) -> None:
    desk.sign_in_the_other()
    upload(desk, swapped, by=DEMO_USERNAME)
    open_screen("/Qr")
    card = row_of(page)
    parts = [card.get_by_text(FOUND, exact=True), card.get_by_text(NEEDED), card.get_by_role("button").last]
    frame = card.bounding_box()
    assert frame is not None
    for part in parts:
        expect(part).to_be_visible()
        box = part.bounding_box()
        assert box is not None
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"]
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
        # No text is cut off with an ellipsis.
        assert part.evaluate("element => element.scrollHeight <= element.clientHeight + 1")
    card.get_by_role("button", name="Confirm…").click()
    confirm = page.get_by_role("alertdialog").get_by_role("button", name="Confirm")
    expect(confirm).to_be_in_viewport()
