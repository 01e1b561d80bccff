"""Window sizes: every test runs in a desktop and in a phone window unless it says otherwise."""

import pytest

# For tests that do not depend on the width, and for tests with a keyboard.
on_a_desktop = pytest.mark.parametrize("size", ["desktop"], indirect=True)
on_a_phone = pytest.mark.parametrize("size", ["phone"], indirect=True)
