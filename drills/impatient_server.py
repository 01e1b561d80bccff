"""`countinghouse serve` with short deadlines, because the short version of a drill does not wait for the real ones."""

import sys

from countinghouse.cli import app
from countinghouse.core.http.protocol import DeadlineProtocol

IMPATIENT = (sys.executable, "-m", "drills.impatient_server")

DeadlineProtocol.header_seconds = 2.0
DeadlineProtocol.body_seconds = 4.0
DeadlineProtocol.reader_seconds = 3.0

if __name__ == "__main__":
    app(["serve", "--port", *sys.argv[1:]])
