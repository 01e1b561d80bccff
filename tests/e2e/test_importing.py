"""An operator moves a spreadsheet into the desk: plan, bad rows, corrections, import."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.scanning import findings
from tests.e2e.test_keys_and_webhooks import open_settings_page

SOON_MS = 60_000

HEAD = "id,name,phone,date\n"
GOOD = "imp-1,Om Rao,9805756092,2026-01-05\nimp-2,Asha Nair,9805756093,2026-01-06\n"
BAD = "imp-3,Ravi Das,12,2026-01-07\nimp-4,,9805756095,2026-01-08\nimp-5,Ila Shah,9805756096,8th of May\n"
FIXED = (
    "imp-3,Ravi Das,9805756094,2026-01-07\nimp-4,Uma Iyer,9805756095,2026-01-08\nimp-5,Ila Shah,9805756096,2026-01-09\n"
)


def upload(page: Page, path: Path, content: str) -> None:
    path.write_text(content)
    page.get_by_label("Files to import").set_input_files(path)


def go_back(page: Page) -> None:
    page.get_by_role("link", name="All imports").click()
    expect(page.get_by_label("Files to import")).to_be_visible()


def test_three_bad_rows_are_read_downloaded_fixed_and_imported(
    page: Page, open_screen: Callable[..., None], tmp_path: Path
) -> None:
    open_screen("/Data")
    open_settings_page(page, "Import")
    expect(page.get_by_text("No imports yet")).to_be_visible()
    assert findings(page) == []
    upload(page, tmp_path / "users.csv", HEAD + GOOD + BAD)
    run = page.get_by_role("button", name="Import 2 rows")
    expect(run).to_be_enabled(timeout=SOON_MS)
    bad = page.get_by_role("region", name="3 bad rows")
    for line, reason in ((4, "mobile"), (5, "username"), (6, "createdAt")):
        expect(bad.get_by_role("listitem").filter(has_text=f"line {line}")).to_contain_text(reason)
    assert findings(page) == []

    with page.expect_download() as downloading:
        bad.get_by_role("button", name="Download all as CSV").click()
    saved = downloading.value.path().read_text("utf-8-sig").splitlines()
    assert [re.search(r"line (\d)", line)[1] for line in saved[1:]] == ["4", "5", "6"]  # type: ignore[index]

    page.get_by_label("Import nothing if a row is bad").check()
    expect(run).to_be_disabled()
    page.get_by_label("Import nothing if a row is bad").uncheck()
    run.click()
    expect(page.get_by_text("Source and desk agree, except for the 3 bad rows.")).to_be_visible(timeout=SOON_MS)
    assert findings(page) == []

    go_back(page)
    expect(page.get_by_role("row").filter(has_text="users.csv")).to_contain_text("2 rows, 3 bad")
    assert findings(page) == []
    upload(page, tmp_path / "users.csv", HEAD + GOOD + FIXED)
    page.get_by_label("Import nothing if a row is bad").check(timeout=SOON_MS)
    page.get_by_role("button", name="Import 3 rows").click()
    expect(page.get_by_text("Source and desk match: every row and every sum.")).to_be_visible(timeout=SOON_MS)
    page.reload()
    expect(page.get_by_text("Source and desk match: every row and every sum.")).to_be_visible()
    page.goto(page.url.split("/Settings")[0] + "/reg?q=Uma+Iyer")
    expect(page.get_by_text("9805756095")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop"], indirect=True)
def test_the_map_is_corrected_saved_and_loaded_for_the_next_file(
    page: Page, open_screen: Callable[..., None], tmp_path: Path
) -> None:
    open_screen("/Settings/Import")
    content = "key,called,dial,made\nmap-1,Om Rao,9805756092,05/01/2026\n"
    upload(page, tmp_path / "people.csv", content)
    expect(page.get_by_text("Nothing can be imported yet.")).to_be_visible(timeout=SOON_MS)
    page.get_by_label("Import as").select_option("Users")
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_text("people: no field for username, mobile.")).to_be_visible(timeout=SOON_MS)
    assert findings(page) == []
    for ours, theirs in {"_id": "key", "username": "called", "mobile": "dial", "createdAt": "made"}.items():
        page.get_by_label(f"Their field for {ours}", exact=True).select_option(theirs)
    page.get_by_label("Date format").fill("%d/%m/%Y")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download map").click()
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("button", name="Import 1 row", exact=True)).to_be_enabled(timeout=SOON_MS)

    # Another tab shows the same import.
    with page.context.new_page() as other:
        other.add_init_script(f"localStorage.setItem('token', '{page.evaluate('localStorage.token')}')")
        other.goto(page.url)
        expect(other.get_by_role("button", name="Import 1 row", exact=True)).to_be_enabled()
    go_back(page)
    upload(page, tmp_path / "people.csv", content)
    expect(page.get_by_text("Nothing can be imported yet.")).to_be_visible(timeout=SOON_MS)
    page.get_by_label("Map to load").set_input_files(downloading.value.path())
    page.get_by_role("button", name="Import 1 row", exact=True).click(timeout=SOON_MS)
    expect(page.get_by_text("Source and desk match: every row and every sum.")).to_be_visible(timeout=SOON_MS)
