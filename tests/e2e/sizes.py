"""In which windows a journey is made: a desktop's and a phone's, unless it says otherwise."""

import pytest

# For what no width changes, and for what is done with a keyboard.
on_a_desktop = pytest.mark.parametrize("size", ["desktop"], indirect=True)
