"""Waiting for what is still settling: ask until it is so, and give up only after far longer than it can take."""

import time
from collections.abc import Callable

# Generous, for shared machines: what is tested is that it comes true, not how soon.
PATIENCE_SECONDS = 30.0


def eventually(is_so: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Use it for whatever another thread, process or page has still to do when an answer is already here."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so within {seconds:g} seconds"
        time.sleep(0.01)
