from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Page, expect
from sqlalchemy import insert, select, text

from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from tests.direct_database import DirectDatabase
from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop
from tests.exports.downloads import read_rows
from tests.proxy import BadLine

# This many rows of this length exceed what the sockets between client and server can hold.
MANY = 3_000
LONG_ADDRESS = "x" * 3_000


def export(page: Page, kind: str) -> Download:
    with page.expect_download() as started:
        page.get_by_role("button", name="Export", exact=True).click()
        page.get_by_role("dialog", name="Export").get_by_role("button", name=kind).click()
    return started.value


def rows_of(download: Download, form: str) -> list[list[Any]]:
    return read_rows(Path(download.path()).read_bytes(), form)


@pytest.fixture
def many_claims(own_desk: Desk, tmp_path: Path) -> Desk:
    """Inserted directly into the database while the server runs, as an import would."""
    database = DirectDatabase(f"sqlite:///{tmp_path / 'desk.db'}")
    with database.writing() as connection:
        # Longer rows than the database allows, hence without the trigger: a few thousand make a slow download.
        connection.execute(text("DROP TRIGGER claims_types_insert"))
        model = connection.execute(select(claims).limit(1)).one()._asdict()
        # The database gives it.
        del model["number"]
        rows = [model | {"id": new_id(), "address": LONG_ADDRESS} for _ in range(MANY)]
        connection.execute(insert(claims), rows)
    database.close()
    return own_desk


@on_a_desktop
def test_a_csv_file_has_exactly_the_filtered_rows(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Accepted&sort=-amount")
    expected = sorted(desk.claims("Accepted"), key=lambda claim: claim["amount"], reverse=True)
    download = export(page, "CSV")
    assert download.failure() is None
    header, *rows = rows_of(download, "csv")
    column = {label: [row[place] for row in rows] for place, label in enumerate(header)}
    assert [float(amount) for amount in column["Amount"]] == [claim["amount"] for claim in expected]
    assert set(column["Status"]) == {"Accepted"}
    # Written as a formula, so that a spreadsheet keeps leading zeros.
    assert [account.strip('="') for account in column["Account No"]] == [claim["accountNo"] for claim in expected]

    progress = page.get_by_role("region", name="Exports")
    expect(progress).to_contain_text(f"Exported {download.suggested_filename}")
    expect(progress).to_contain_text(f"{len(expected)} claims, in your downloads.")
    progress.get_by_role("button", name="Dismiss").click()
    expect(progress.get_by_role("button")).to_have_count(0)


@on_a_desktop
def test_an_excel_file_keeps_mobile_numbers_as_text(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/reg")
    download = export(page, "Excel (XLSX)")
    assert download.suggested_filename.endswith(".xlsx")
    header, *rows = rows_of(download, "xlsx")
    mobiles = [row[header.index("Mobile")] for row in rows]
    assert mobiles == [user["mobile"] for user in desk.call("GET", "/api/users").json()]


@pytest.mark.usefixtures("many_claims")
def test_a_running_export_shows_its_progress_on_every_screen_and_can_be_cancelled(
    page: Page, open_screen: Callable[..., None], bad_line: BadLine
) -> None:
    bad_line.slow_down("GET /api/exports/")
    open_screen("/Withdraw", bad_line.url)
    download = export(page, "CSV")
    progress = page.get_by_role("region", name="Exports")
    expect(progress.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name="Client Data")).to_be_visible()
    expect(progress).to_contain_text(f"Exporting {download.suggested_filename}")
    progress.get_by_role("button", name="Cancel").click()
    expect(progress).to_contain_text(f"Cancelled {download.suggested_filename}")
    # The browser gets the bytes still in transit and must not treat them as the complete file.
    bad_line.mend()
    assert download.failure() is not None


@on_a_desktop
@pytest.mark.usefixtures("many_claims")
@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_download_and_its_progress_survive_a_reload(
    page: Page, open_screen: Callable[..., None], bad_line: BadLine, is_cancelled: bool
) -> None:
    bad_line.slow_down("GET /api/exports/")
    open_screen("/Withdraw", bad_line.url)
    download = export(page, "CSV")
    progress = page.get_by_role("region", name="Exports")
    expect(progress.get_by_role("progressbar")).to_be_visible()
    page.reload()
    expect(progress).to_contain_text(f"Exporting {download.suggested_filename}")
    if is_cancelled:
        progress.get_by_role("button", name="Cancel").click()
        expect(progress).to_contain_text(f"Cancelled {download.suggested_filename}")
    bad_line.mend()
    if not is_cancelled:
        expect(progress).to_contain_text(f"Exported {download.suggested_filename}")
        expect(progress).to_contain_text("in the downloads of the browser that started it.")
    assert (download.failure() is not None) == is_cancelled


@on_a_desktop
def test_a_refused_export_is_reported(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Data")
    for _ in range(2):
        desk.call("POST", "/api/exports", json={"list": "users", "format": "csv", "query": {}})
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("dialog", name="Export").get_by_role("button", name="CSV").click()
    progress = page.get_by_role("region", name="Exports")
    expect(progress).to_contain_text("Failed to export the purchases")
    expect(progress).to_contain_text("You already have 2 exports in progress.")
    expect(progress.get_by_role("button", name="Cancel")).to_have_count(2)
