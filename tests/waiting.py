"""Polls until a condition is true, and gives up only after far longer than it can take."""

import time
from collections.abc import Callable

# Generous, for shared machines: the tests check that the condition becomes true, not how soon.
PATIENCE_SECONDS = 30.0


def eventually(is_so: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """For work that another thread, process or page may still have to do after the answer has arrived."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so within {seconds:g} seconds"
        time.sleep(0.01)
