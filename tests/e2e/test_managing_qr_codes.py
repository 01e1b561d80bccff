from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from countinghouse.demo.actions import DEMO_USERNAME
from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop
from tests.pictures import qr_png


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "code.png"
    path.write_bytes(qr_png("upi://pay?pa=counter.z@okdemo&pn=Counter%20Z&cu=INR"))
    return path


@pytest.fixture
def poster(tmp_path: Path) -> Path:
    """A picture from which no UPI ID can be filled in."""
    path = tmp_path / "poster.png"
    path.write_bytes(qr_png("https://example.org"))
    return path


def fill(page: Page, name: str, upi_id: str, picture: Path | None) -> None:
    page.get_by_label("QR Name").fill(name)
    page.get_by_label("UPI ID").fill(upi_id)
    if picture is not None:
        page.locator("input[type=file]").set_input_files(picture)


def press_upload(page: Page) -> None:
    page.get_by_role("button", name="Upload", exact=True).click()


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="QR Table").get_by_role("row").filter(has_text=name)


def test_a_code_is_uploaded_displayed_hidden_and_deleted(
    page: Page, desk: Desk, open_screen: Callable[..., None], picture: Path
) -> None:
    open_screen("/Qr")
    fill(page, "Counter Z", "counter.z@okdemo", picture)
    expect(page.locator("form img")).to_be_visible()
    press_upload(page)
    expect(page.get_by_role("alert")).to_contain_text("QR uploaded successfully!")
    expect(page.get_by_label("QR Name")).to_have_value("")
    expect(page.get_by_label("UPI ID")).to_have_value("")
    expect(page.locator("form img")).to_have_count(0)

    row = row_of(page, "Counter Z")
    expect(row).to_contain_text("counter.z@okdemo")
    display, hide = row.get_by_role("button", name="Display"), row.get_by_role("button", name="Hide")
    expect(hide).to_be_disabled()
    display.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Display as well").click()
    expect(page.get_by_role("alert")).to_contain_text("Counter Z is not on display yet.")
    expect(display).to_be_disabled()
    desk.sign_in_the_other()
    uploaded = next(code for code in desk.call("GET", "/api/qr").json() if code["name"] == "Counter Z")
    approved = {"status": "display"}
    assert desk.call("PATCH", f"/api/qr/status/{uploaded['_id']}", by=DEMO_USERNAME, json=approved).status_code == 200
    expect(hide).to_be_enabled()
    expect(display).to_be_disabled()
    assert "Counter Z" in [code["name"] for code in desk.call("GET", "/api/qr").json() if code["status"] == "display"]
    hide.click()
    expect(hide).to_be_disabled()

    row.get_by_role("button", name="Delete").click()
    confirm = page.get_by_role("alertdialog")
    expect(confirm).to_contain_text("Are you sure you want to delete this QR?")
    expect(confirm.get_by_role("button", name="Cancel")).to_be_focused()
    confirm.get_by_role("button", name="Cancel").click()
    expect(row).to_be_visible()
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)


@on_a_desktop
@pytest.mark.parametrize(
    ("name", "upi_id", "with_picture"),
    [("", "counter@okdemo", True), ("Counter", "", True), ("Counter", "counter@okdemo", False), ("  ", " ", False)],
)
def test_a_missing_field_shows_the_message_of_the_specification(
    page: Page, desk: Desk, open_screen: Callable[..., None], poster: Path, name: str, upi_id: str, with_picture: bool
) -> None:
    open_screen("/Qr")
    before = desk.call("GET", "/api/qr").json()
    fill(page, name, upi_id, poster if with_picture else None)
    press_upload(page)
    expect(page.get_by_role("alert")).to_contain_text("Please fill all fields and upload a QR image.")
    assert desk.call("GET", "/api/qr").json() == before


def test_a_refused_upload_shows_the_reason_and_keeps_the_typed_values(
    page: Page, open_screen: Callable[..., None], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(qr_png()[:-40])
    open_screen("/Qr")
    fill(page, "Counter", "counter@okdemo", broken)
    press_upload(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Upload failed!")
    expect(alert).to_contain_text("The image file is damaged and cannot be read. Save it again and retry.")
    expect(page.get_by_label("QR Name")).to_have_value("Counter")
    expect(page.get_by_label("UPI ID")).to_have_value("counter@okdemo")


@on_a_desktop
def test_a_file_that_is_no_image_has_no_broken_preview(
    page: Page, open_screen: Callable[..., None], tmp_path: Path
) -> None:
    renamed = tmp_path / "renamed.png"
    renamed.write_text("This is not an image.")
    open_screen("/Qr")
    page.locator("input[type=file]").set_input_files(renamed)
    form = page.get_by_role("form", name="QR Code Upload")
    expect(form.get_by_text("renamed.png")).to_be_visible()
    expect(form.get_by_role("img")).to_have_count(0)


@on_a_desktop
def test_the_file_picker_accepts_only_images(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Qr")
    expect(page.locator("input[type=file]")).to_have_attribute("accept", "image/*")


@on_a_desktop
def test_a_failed_status_change_is_reported(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    # With live updates, the row would disappear before the click.
    page.route("**/api/live", lambda route: route.abort())
    open_screen("/Qr")
    hidden = next(code for code in desk.call("GET", "/api/qr").json() if code["status"] == "hide")
    row = row_of(page, hidden["name"])
    row.wait_for()
    desk.call("DELETE", f"/api/qr/{hidden['_id']}")
    row.get_by_role("button", name="Display").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Display as well").click()
    expect(page.get_by_role("alert")).to_contain_text("Failed to update status")
    expect(row).to_have_count(0)


@on_a_desktop
def test_a_failed_deletion_is_reported(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    # With live updates, the row would disappear before the click.
    page.route("**/api/live", lambda route: route.abort())
    open_screen("/Qr")
    hidden = next(code for code in desk.call("GET", "/api/qr").json() if code["status"] == "hide")
    row = row_of(page, hidden["name"])
    row.get_by_role("button", name="Delete").click()
    desk.call("DELETE", f"/api/qr/{hidden['_id']}")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("alert")).to_contain_text("Failed to delete QR")
    expect(row).to_have_count(0)
