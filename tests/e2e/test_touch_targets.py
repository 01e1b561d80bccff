"""On a phone everything that can be tapped is at least 44 px high and wide, except links inside a line of text."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from tests.waiting import eventually

ONLY_LOOKS = True

on_a_phone = pytest.mark.parametrize("size", ["phone"], indirect=True)

SCREENS = (
    *("/Data", "/Withdraw", "/Qr", "/reg", "/Home", "/Audit", "/Settings", "/Settings/Admins"),
    *("/Settings/Account", "/Settings/Keys", "/Settings/Webhooks", "/Settings/Import", "/Settings/Health"),
)

# A tap counts if it hits the control, something in it, or its label: 21 px away from its centre on every side.
TOO_SMALL = """() => [...document.querySelectorAll('button, input, select, textarea, summary')].flatMap(control => {
    if (control.disabled || control.closest('[inert], [aria-hidden]') || control.matches('[tabindex="-1"]')) return [];
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const takes = (dx, dy) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return control.contains(hit) || hit?.closest('label')?.control === control;
    };
    // Scrolled half out of view, it is as large as ever, but a tap there hits the header.
    const view = control.closest('main')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const isCut = y < Math.max(0, view.top) + 21 || y > Math.min(innerHeight, view.bottom) - 21;
    const isHidden = !takes(0, 0) || isCut || x < 21 || x > innerWidth - 21;
    const isLarge = (width >= 43.5 || (takes(-21, 0) && takes(21, 0))) &&
        (height >= 43.5 || (takes(0, -21) && takes(0, 21)));
    const name = control.ariaLabel || control.textContent || control.name;
    return isHidden || isLarge ? [] : [`${name}: ${Math.round(width)} x ${Math.round(height)}`];
})"""


def expect_large_targets(page: Page) -> None:
    with suppress(AssertionError):
        eventually(lambda: page.evaluate(TOO_SMALL) == [], 10)
    # Names what is too small, if anything still is.
    assert page.evaluate(TOO_SMALL) == []


@on_a_phone
def test_every_control_of_every_screen_is_large_enough_for_a_finger(
    page: Page, open_screen: Callable[..., None]
) -> None:
    for path in SCREENS:
        open_screen(path)
        expect(page.get_by_role("main").locator("[aria-busy=true]")).to_have_count(0)
        expect_large_targets(page)
        page.get_by_role("main").evaluate("content => { content.scrollTop = content.scrollHeight }")
        expect_large_targets(page)


@on_a_phone
def test_every_control_of_a_panel_is_large_enough_for_a_finger(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw")
    page.locator("[data-row-id]").first.get_by_text("₹").first.click()
    page.get_by_role("dialog").get_by_role("heading", name="Timeline").wait_for()
    expect_large_targets(page)
