"""The server with a clock that jumps: a file contains its error in seconds, and may change at any time.

Everything that reads the time of day is off by this much. What measures durations is not, as on a machine whose clock
is set.

    DRILL_CLOCK=FILE python -m drills.jumping_server PORT
"""

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import uvicorn

from countinghouse.core import times

_FILE = Path(os.environ["DRILL_CLOCK"])
_true_time = time.time


def jumping_time() -> float:
    return _true_time() + float(_FILE.read_text() or 0)


def jumping_now() -> datetime:
    return times.to_milliseconds(datetime.fromtimestamp(jumping_time(), UTC))


if __name__ == "__main__":
    setattr(time, "time", jumping_time)  # noqa: B010 - for the whole process
    setattr(times, "now", jumping_now)  # noqa: B010 - before any other module imports it
    from countinghouse.main import create_app

    uvicorn.run(create_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
