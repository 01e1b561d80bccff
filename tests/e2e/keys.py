"""Keys in dialogs, at the speed of a hand."""

from playwright.sync_api import Page, expect

# Longer than letters reach nothing after a dialog has closed.
QUIET_MS = 600


def press_enter(page: Page) -> None:
    """Presses Enter in the dialog with the focus, once it is not too early to confirm."""
    expect(page.locator("[data-armed]:focus-within")).to_be_visible()
    page.keyboard.press("Enter")
