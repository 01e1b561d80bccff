"""A server whose clock is wrong. On PostgreSQL the clock of the database is right; on SQLite it is the same clock."""

import sys
import time
from datetime import datetime, timedelta

import pytest

from countinghouse.core import times

true_now, true_time = times.now, time.time


class ServerClock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wrong_by = timedelta(0)
        # Each module has imported the function by its name.
        for name, module in [*sys.modules.items()]:
            if name.startswith("countinghouse.") and getattr(module, "now", None) is true_now:
                monkeypatch.setattr(module, "now", self.now)
        monkeypatch.setattr(time, "time", lambda: true_time() + self.wrong_by.total_seconds())

    def now(self) -> datetime:
        return true_now() + self.wrong_by
