"""Findings about purchases and notes about bank codes are marked in the table and explained."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings


@pytest.fixture
def odd_purchases(desk: Desk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.call("GET", "/api/purchases/all?findings=only").json()
    assert found, "the made-up data has nothing odd"
    return found


@pytest.fixture
def odd_claim(desk: Desk, tmp_path: Path) -> dict[str, Any]:
    """The newest claim, changed to have an IFSC of a known bank that no branch has."""
    newest: dict[str, Any] = desk.call("GET", "/api/claims/all?limit=1").json()[0]
    with closing(sqlite3.connect(tmp_path / "desk.db")) as database, database:
        database.execute("UPDATE claims SET ifsc = 'HDFC0ZZZZZZ' WHERE id = ?", [newest["_id"]])
    odd: dict[str, Any] = desk.call("GET", f"/api/claims/{newest['_id']}").json()
    assert odd["bank"] == {"name": "HDFC Bank", "note": "No branch has this code."}
    return odd


def test_a_purchase_with_findings_explains_them_and_the_list_can_show_only_those(
    page: Page, odd_purchases: list[dict[str, Any]], open_screen: Callable[..., None], size: str
) -> None:
    open_screen("/Data")
    if size == "phone":
        page.get_by_role("button", name="Filters").click()
        page.get_by_role("checkbox", name="Needs review").check()
        page.get_by_role("button", name="Close").click()
    else:
        page.get_by_role("button", name="Needs review").click()
    expect(page).to_have_url(re.compile(r"/Data\?findings=only$"))
    rows = page.get_by_role("table", name="Client Data").locator("[data-row-id]")
    expect(rows).to_have_count(len(odd_purchases))

    sentences = [finding["sentence"] for finding in odd_purchases[-1]["findings"]]
    last = rows.last
    mark = last.get_by_role("button", name="finding")
    tip = page.get_by_role("tooltip")
    if size == "phone":
        mark.tap()
    else:
        mark.hover()
    expect(tip).to_have_text("".join(sentences))
    place, below = mark.bounding_box(), tip.bounding_box()
    assert place
    assert below
    assert below["x"] >= 0
    assert below["x"] + below["width"] <= page.viewport_size["width"]  # type: ignore[index]
    # The tooltip is not clipped by its row or by the table.
    assert below["height"] > last.bounding_box()["height"] or below["y"] > place["y"]  # type: ignore[index]
    centre = (below["x"] + below["width"] / 2, below["y"] + below["height"] / 2)
    assert page.evaluate("([x, y]) => !!document.elementFromPoint(x, y).closest('[role=tooltip]')", centre)
    assert findings(page) == []
    if size == "desktop":
        # The tooltip stays open while the mouse moves onto it.
        page.mouse.move(place["x"] + 8, place["y"] + place["height"] + 2)
        page.mouse.move(*centre)
        page.wait_for_timeout(100)
        expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)

    last.get_by_role("cell").first.click()
    for sentence in sentences:
        expect(page.get_by_role("dialog")).to_contain_text(sentence)


def test_a_claim_shows_its_bank_and_the_note_about_its_code(
    page: Page, odd_claim: dict[str, Any], open_screen: Callable[..., None], size: str
) -> None:
    user, bank = odd_claim["user"], odd_claim["bank"]
    open_screen(f"/Withdraw?q={user['mobile']}")
    row = page.locator(f"[data-row-id='{odd_claim['_id']}']")
    expect(row.get_by_title(bank["note"])).to_be_visible()
    # The sentence would be cut off.
    if size == "desktop":
        expect(row.get_by_text("Check code", exact=True)).to_be_in_viewport(ratio=1)
    row.get_by_text(odd_claim["ifsc"], exact=True).click()
    panel = page.get_by_role("dialog", name=user["username"])
    expect(panel).to_contain_text(bank["name"] + bank["note"])
    expect(panel.get_by_text("Timeline")).to_be_visible()
    assert findings(page) == []
    panel.get_by_role("link", name=user["username"]).click()
    expect(page.get_by_role("region", name="Bank accounts")).to_contain_text(bank["name"])
    expect(page.get_by_role("region", name="Bank accounts")).to_contain_text(bank["note"])
    assert findings(page) == []
