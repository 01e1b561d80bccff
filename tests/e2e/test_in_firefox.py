"""The web client in Firefox, the other browser that admins use: the daily steps. The Chromium tests cover more."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME
from tests.e2e.conftest import Desk
from tests.e2e.firefox import Firefox, Node, Tab, started_firefox
from tests.e2e.formats import rupees
from tests.pictures import qr_png
from tests.postgres_cluster import ROOT

BACKSPACE, RIGHT = "\ue003", "\ue014"


OpenTab = Callable[[], Tab]


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    found = os.environ.get("FIREFOX") or subprocess.check_output([f"{ROOT}/scripts/ensure_firefox"], text=True)
    with started_firefox(found.strip(), tmp_path_factory.mktemp("firefox")) as started:
        yield started


@pytest.fixture
def open_tab(firefox: Firefox) -> Iterator[OpenTab]:
    """Opens tabs of one admin with separate storage. None may throw or violate its Content-Security-Policy."""
    firefox.complaints.clear()
    with firefox.own_storage() as storage:
        yield lambda: firefox.open_tab(storage)
    assert firefox.complaints == []


def sign_in(tab: Tab, desk: Desk) -> None:
    tab.go_to(desk.url)
    tab.type_into(tab.field("Username"), DEMO_USERNAME)
    tab.type_into(tab.field("Password"), DEMO_PASSWORD)
    tab.click(tab.find("button", "Login"))
    tab.find("heading", "Client Data")


def row_of(tab: Tab, row_id: str) -> Node:
    return tab.select(f"[data-row-id='{row_id}']")


def test_an_admin_signs_in_and_pays_a_claim(open_tab: OpenTab, desk: Desk) -> None:
    tab = open_tab()
    sign_in(tab, desk)
    claim = desk.claims("Pending")[0]
    # Not the Pending ones only: a list that is read again after the move would no longer have it.
    tab.go_to(f"{desk.url}/Withdraw?q={claim['number']}")
    tab.find("heading", "All Claim Requests")
    row = row_of(tab, claim["_id"])
    of_claim = f"{claim['user']['username']}, {rupees(claim['amount']).removesuffix('.00')}"
    tab.click(tab.find("button", f"Accept, {of_claim}", row))
    tab.wait_for_text("Accepted", row)
    tab.click(tab.find("button", f"Paid Success, {of_claim}", row))
    confirm = tab.select("[role=alertdialog]")
    tab.click(tab.find("button", "Paid Success", confirm))
    tab.wait_until("() => !document.querySelector('[role=alertdialog]')")
    tab.wait_for_text("Paid", row)
    assert desk.call("GET", f"/api/claims/{claim['_id']}").json()["status"] == "Paid"


def test_two_tabs_receive_live_updates_at_the_same_time(open_tab: OpenTab, desk: Desk) -> None:
    first, second = (claim["_id"] for claim in desk.claims("Pending")[:2])
    tabs = [open_tab(), open_tab()]
    sign_in(tabs[0], desk)
    for tab, claim_id in zip(tabs, (first, second), strict=True):
        tab.bring_to_front()
        tab.go_to(f"{desk.url}/Withdraw?status=Pending")
        row = row_of(tab, claim_id)
        desk.call("PUT", f"/api/claims/{claim_id}/status", json={"status": "Accepted"})
        # The live connection may be open already or open meanwhile. The limit must stay below 20 seconds: then Firefox
        # itself gives up waiting for a locked cache entry.
        tab.wait_for_text("Accepted", row, seconds=16)


def test_correcting_the_day_of_a_date_keeps_month_and_year(open_tab: OpenTab, desk: Desk) -> None:
    tab = open_tab()
    sign_in(tab, desk)
    tab.go_to(f"{desk.url}/Withdraw?from=2026-11-01")
    tab.click(tab.find("button", "Filters 1"))
    day = tab.field("Requested from")
    tab.wait_until("day => day.value === '2026-11-01'", day)
    # The first part of the date field is the month.
    tab.call("day => day.focus()", day)
    tab.press(RIGHT, BACKSPACE)
    tab.wait_until("day => day.validity.badInput", day)
    assert "from=2026-11-01" in tab.call("() => location.search")
    tab.press("1", "5")
    tab.wait_until("day => day.value === '2026-11-15'", day)
    tab.wait_until("() => location.search.includes('from=2026-11-15')")


def test_a_code_is_uploaded_and_displayed_once_a_second_admin_approves(
    open_tab: OpenTab, desk: Desk, tmp_path: Path
) -> None:
    picture = tmp_path / "code.png"
    picture.write_bytes(qr_png("upi://pay?pa=counter.z@okdemo&pn=Counter%20Z&cu=INR"))
    tab = open_tab()
    sign_in(tab, desk)
    tab.go_to(f"{desk.url}/Qr")
    tab.type_into(tab.field("QR Name"), "Counter Z")
    tab.choose_file(tab.select("input[type=file]"), picture)
    tab.wait_until("input => input.value === 'counter.z@okdemo'", tab.field("UPI ID"))
    tab.click(tab.find("button", "Upload"))
    tab.wait_for_text("QR uploaded successfully!")
    uploaded = next(code for code in desk.call("GET", "/api/qr").json() if code["name"] == "Counter Z")
    row = row_of(tab, uploaded["_id"])
    tab.click(tab.find("button", "Display, Counter Z", row))
    tab.click(tab.find("button", "Display as well"))
    tab.wait_for_text("Counter Z is not on display yet.")
    tab.wait_for_text("Another admin has to approve it.", row)
    answer = desk.call("PATCH", f"/api/qr/status/{uploaded['_id']}", json={"status": "display"})
    assert answer.json()["status"] == "display"
    tab.wait_until("row => !row.innerText.includes('Another admin')", row)
    hide = tab.find("button", "Hide, Counter Z", row)
    tab.click(hide)
    tab.wait_until("hide => hide.disabled && hide.ariaBusy !== 'true'", hide)
    hidden = desk.call("GET", "/api/qr").json()
    assert [code["status"] for code in hidden if code["name"] == "Counter Z"] == ["hide"]
