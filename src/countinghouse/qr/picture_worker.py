"""The process that opens strangers' pictures: `python -m countinghouse.qr.picture_worker`, started by the server.

It reads requests from standard input and exits when that closes, so it outlives the server by one picture at most. A
picture that needs more memory or time than a genuine one costs this process and not the server.
"""

import io
import os
import signal
import sys
from hashlib import sha256
from typing import IO, Any

import segno

from countinghouse.core.errors import InvalidInput
from countinghouse.core.memory import limit_memory
from countinghouse.qr.images import TOO_MUCH_WORK, read_picture, read_proof
from countinghouse.qr.picture import Job, NoMessage, Picture, Refused, Seen, read_message, write_message
from countinghouse.qr.reading import read_codes

# In addition to the size of the process at start. The largest accepted picture with
# transparency needs four fifths of it, others half.
MEMORY_BYTES = 192 * 1024 * 1024
# Only for a worker whose server died during a job; a running server kills it sooner.
LONGEST_JOB_SECONDS = 30
# Other calls have priority.
NICENESS = 5

_PIXELS_PER_MODULE = 8
_QUIET_MODULES = 4
# The strongest error correction that keeps the code coarse enough for an old phone. For longer texts, whatever fits.
_CORRECTIONS = ("h", "q", "m", "l")
_LARGEST_COMFORTABLE_VERSION = 15

_CANNOT_BE_DRAWN = (
    "The desk cannot redraw this code so that it scans the same, so it could not be shown to customers. "
    "Ask the bank for a simpler code, or draw one from the UPI ID."
)


def main() -> None:
    # The server handles Ctrl-C on the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    limit_memory(MEMORY_BYTES)
    _work(sys.stdin.buffer, sys.stdout.buffer)


def _work(jobs: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            job = read_message(jobs, Job)
        except NoMessage:
            return
        signal.alarm(LONGEST_JOB_SECONDS)
        refused, result = _do(job)
        signal.alarm(0)
        write_message(answers, refused)
        if not refused:
            write_message(answers, result)


def _do(job: Job) -> tuple[Refused, Any]:
    try:
        match job.do:
            case "take":
                picture = read_picture(job.content)
                return {}, (picture, read_codes(picture.content))
            case "read":
                return {}, read_codes(job.content)
            case "draw":
                return {}, _draw(job.text)
            case "prove":
                return {}, read_proof(job.content)
    except InvalidInput as error:
        return error.fields, None
    except MemoryError:
        return {"qrImage": TOO_MUCH_WORK}, None


def _draw(text: str) -> Picture:
    """The QR code that customers get, from the exact text that was checked. Reads it back before returning it."""
    code, out = _make_code(text.encode()), io.BytesIO()
    if code is not None:
        code.save(out, kind="png", scale=_PIXELS_PER_MODULE, border=_QUIET_MODULES)
    content = out.getvalue()
    if code is None or read_codes(content) != Seen(frozenset({text})):
        raise InvalidInput({"qrImage": _CANNOT_BE_DRAWN})
    side = (len(code.matrix) + 2 * _QUIET_MODULES) * _PIXELS_PER_MODULE
    return Picture(content, sha256(content).hexdigest(), side, side)


def _make_code(exact: bytes) -> segno.QRCode | None:
    """Encodes the bytes as they are. With another mode or a charset marker, some readers decode another text."""
    for correction in _CORRECTIONS:
        is_last = correction == _CORRECTIONS[-1]
        try:
            code = segno.make_qr(exact, error=correction, mode="byte", boost_error=is_last)
        except segno.DataOverflowError:
            continue
        if is_last or int(code.version) <= _LARGEST_COMFORTABLE_VERSION:
            return code
    return None


if __name__ == "__main__":
    main()
