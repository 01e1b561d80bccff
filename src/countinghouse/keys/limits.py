"""The rate limit of API keys: calls per minute, counted by each server process in its own memory.

With several processes a key may make as many times more calls. That is enough for its purpose, which is that no single
program takes all the time of a process, and it costs no write per call.
"""

import math
import time
from collections.abc import Callable

from countinghouse.core.errors import SlowDown

WINDOW_SECONDS = 60
# Far more keys than are in use. When there are more, those whose window has ended are forgotten.
MOST_COUNTED = 1000
POLICY = "calls"


class RateLimit:
    def __init__(self, calls_per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._quota = calls_per_minute
        self._clock = clock
        # By key: when its window began, and the calls since.
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, key_id: str) -> dict[str, str]:
        """Counts a call and returns the headers that say how many are left; see `check`."""
        at = self._clock()
        began_at, calls = self._windows.get(key_id, (at, 0))
        if at - began_at >= WINDOW_SECONDS:
            began_at, calls = at, 0
        if key_id not in self._windows and len(self._windows) >= MOST_COUNTED:
            self._forget_ended(at)
        # Refused calls do not count further: the number says when the quota was used up.
        self._windows[key_id] = began_at, min(calls, self._quota) + 1
        left, seconds = max(0, self._quota - calls - 1), self._seconds_left(began_at, at)
        return {
            "RateLimit-Policy": f'"{POLICY}";q={self._quota};w={WINDOW_SECONDS}',
            "RateLimit": f'"{POLICY}";r={left};t={seconds}',
        }

    def check(self, key_id: str) -> None:
        """Raises if the call that was counted last is one too many."""
        began_at, calls = self._windows[key_id]
        if calls > self._quota:
            seconds = self._seconds_left(began_at, self._clock())
            message = f"This API key has made {self._quota:,} calls in a minute. Try again in {seconds} seconds."
            raise SlowDown("too_many_calls", message, seconds)

    def _seconds_left(self, began_at: float, at: float) -> int:
        return max(1, math.ceil(began_at + WINDOW_SECONDS - at))

    def _forget_ended(self, at: float) -> None:
        self._windows = {key: one for key, one in self._windows.items() if at - one[0] < WINDOW_SECONDS}
