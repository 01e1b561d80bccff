"""The clicks and keys of the daily tasks, counted by the browser itself.

Many claims at once, replacing a code and the filtered export are counted where they are tested:
test_moving_many_claims, test_paying_many_claims, test_replacing_a_qr and test_filters.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk, Template
from tests.e2e.keys import press_enter
from tests.e2e.sizes import on_a_desktop

MODIFIERS = ("Control", "Shift", "Alt", "Meta")
COUNT = f"""
    window.pressed = 0;
    const count = (event) => {{ if (event.isTrusted && !{list(MODIFIERS)}.includes(event.key)) window.pressed += 1 }};
    for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, count, {{ capture: true }});
"""


@pytest.fixture(scope="module")
def demo_template(busy_template: Template) -> Template:
    return busy_template


@pytest.fixture
def pressed(page: Page, open_screen: Callable[..., None]) -> Callable[[str], Callable[[], int]]:
    """Opens a screen, and returns a function that tells how often the admin has pressed something since."""

    def begin(path: str) -> Callable[[], int]:
        # The last that the screen reads, such as the rules for payments.
        last = "**/api/policy" if path.startswith("/Withdraw") else "**/api/*/totals*"
        with page.expect_response(last):
            open_screen(path)
        page.locator("[data-row-id]").first.wait_for()
        page.evaluate(COUNT)
        return lambda: int(page.evaluate("window.pressed"))

    return begin


def status_of(desk: Desk, claim: dict[str, Any]) -> str:
    return str(desk.call("GET", f"/api/claims/{claim['_id']}").json()["status"])


Begin = Callable[[str], Callable[[], int]]


@on_a_desktop
def test_accepting_a_claim_takes_two_keys(page: Page, desk: Desk, pressed: Begin) -> None:
    claim = desk.claims("Pending")[0]
    count = pressed("/Withdraw?status=Pending")
    page.keyboard.press("j")
    page.keyboard.press("a")
    row = page.locator(f"[data-row-id='{claim['_id']}']")
    expect(row.get_by_text("Accepted", exact=True)).to_be_visible()
    assert count() == 2
    assert status_of(desk, claim) == "Accepted"


@on_a_desktop
def test_paying_a_claim_with_its_reference_takes_three_keys_and_the_reference(
    page: Page, desk: Desk, pressed: Begin
) -> None:
    assert desk.call("PUT", "/api/policy", json={"paidNeedsReference": True}).status_code == 200
    claim = desk.claims("Accepted")[0]
    reference = "N321260098765432"
    count = pressed("/Withdraw?status=Accepted")
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(page.get_by_label("Bank reference")).to_be_focused()
    page.keyboard.type(reference)
    # At the speed of a hand: an Enter within half a second of the warnings does nothing.
    press_enter(page)
    expect(page.locator(f"[data-row-id='{claim['_id']}']").get_by_text("Paid", exact=True)).to_be_visible()
    assert count() <= 3 + len(reference)
    assert status_of(desk, claim) == "Paid"


@on_a_desktop
def test_a_client_is_found_by_mobile_with_two_keys_and_the_digits(page: Page, desk: Desk, pressed: Begin) -> None:
    user = desk.claims("Paid")[0]["user"]
    count = pressed("/Data")
    page.keyboard.press("Control+k")
    page.keyboard.type(user["mobile"])
    expect(page.get_by_role("option").filter(has_text=user["mobile"]).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{desk.url}/client/{user['_id']}")
    assert count() <= 3 + len(user["mobile"])


@on_a_desktop
def test_who_paid_a_claim_is_found_with_two_keys_and_its_number(page: Page, desk: Desk, pressed: Begin) -> None:
    claim = desk.claims("Paid")[0]
    number, paid = claim["number"], desk.call("GET", f"/api/claims/{claim['_id']}/details").json()
    count = pressed("/Data")
    page.keyboard.press("Control+k")
    page.keyboard.type(number)
    expect(page.get_by_role("option").filter(has_text=number).first).to_be_visible()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text(paid["timeline"][-1]["by"])
    assert count() <= 3 + len(number)


@on_a_desktop
def test_what_was_paid_this_week_takes_one_click(page: Page, pressed: Begin) -> None:
    count = pressed("/Withdraw")
    page.get_by_role("button", name="Paid this week").click()
    expect(page.get_by_role("button", name="Paid this week")).to_have_attribute("aria-pressed", "true")
    assert count() == 1
