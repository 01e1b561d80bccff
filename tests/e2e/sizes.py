"""Window sizes: every test runs in a desktop and in a phone window unless it says otherwise."""

import pytest
from playwright.sync_api import Page

# For tests that do not depend on the width, and for tests with a keyboard.
on_a_desktop = pytest.mark.parametrize("size", ["desktop"], indirect=True)
on_a_phone = pytest.mark.parametrize("size", ["phone"], indirect=True)


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    # Two frames: in the first the table observes the resize, by the second it has rendered its rows again.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
