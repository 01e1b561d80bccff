"""/Data/P-10001, /Qr/Q-10001, /Withdraw/C-10001 and /reg/ID open the list with the panel of that row."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings

ONLY_LOOKS = True

LISTS: dict[str, tuple[str, Callable[[dict[str, Any]], str], str]] = {
    "/Withdraw": ("/api/claims/all", lambda row: row["user"]["username"], "number"),
    "/Data": ("/api/purchases/all", lambda row: row["user"]["username"], "number"),
    "/Qr": ("/api/qr", lambda row: row["name"], "number"),
    "/reg": ("/api/users", lambda row: row["username"], "_id"),
}


@pytest.mark.parametrize("path", LISTS)
def test_a_row_opens_by_a_click_and_by_its_address_and_back_closes_it(
    page: Page, desk: Desk, open_screen: Callable[..., None], path: str
) -> None:
    rows, name_of, named_by = LISTS[path]
    row = desk.call("GET", rows).json()[1]
    open_screen(path)
    page.locator(f"[data-row-id='{row['_id']}']").get_by_role("cell").first.click()
    panel = page.get_by_role("dialog", name=name_of(row))
    expect(panel).to_be_visible()
    page.wait_for_url(f"**{path}/{row[named_by]}")
    assert findings(page) == []
    page.go_back()
    expect(panel).to_have_count(0)
    assert page.url.endswith(path)

    page.goto(f"{desk.url}{path}/{row[named_by]}")
    expect(panel).to_be_visible()
    page.reload()
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    page.wait_for_url(f"**{path}")
