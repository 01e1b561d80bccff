"""The process that opens strangers' pictures: `python -m countinghouse.qr.picture_worker`, started by the server.

It reads requests from standard input and exits when that closes, so it outlives the server by one picture at most. A
picture that needs more memory or time than a genuine one costs this process and not the server.
"""

import os
import resource
import signal
import sys
from pathlib import Path
from typing import IO, Any

from countinghouse.core.errors import InvalidInput
from countinghouse.qr.drawing import draw_text
from countinghouse.qr.images import TOO_MUCH_WORK, read_picture
from countinghouse.qr.messages import NoMessage, read_message, write_message
from countinghouse.qr.picture import Picture, Seen
from countinghouse.qr.reading import read_codes

# In addition to the size of the process at start. The largest accepted picture needs about half of it.
MEMORY_BYTES = 192 * 1024 * 1024
# Only for a worker whose server died during a job; a running server kills it sooner.
LONGEST_JOB_SECONDS = 30
# Other calls have priority.
NICENESS = 5


def main() -> None:
    # The server handles Ctrl-C on the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    most = _size_in_memory() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _work(sys.stdin.buffer, sys.stdout.buffer)


def _size_in_memory() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        # The system does not report it. This is enough for everything loaded so far.
        return 512 * 1024 * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def _work(requests: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            head, content = read_message(requests)
        except NoMessage:
            return
        signal.alarm(LONGEST_JOB_SECONDS)
        answer, made = _answer(head, content)
        signal.alarm(0)
        write_message(answers, answer, made)


def _answer(head: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        match head["do"]:
            case "take":
                picture = read_picture(content)
                return _picture_fields(picture) | _seen_fields(read_codes(picture.content)), picture.content
            case "draw":
                picture = draw_text(head["text"])
                return _picture_fields(picture), picture.content
            case _:
                return _seen_fields(read_codes(content)), b""
    except InvalidInput as error:
        return {"refused": error.fields}, b""
    except MemoryError:
        return {"refused": {"qrImage": TOO_MUCH_WORK}}, b""


def _picture_fields(picture: Picture) -> dict[str, Any]:
    return {"sha256": picture.sha256, "width": picture.width, "height": picture.height}


def _seen_fields(seen: Seen) -> dict[str, Any]:
    return {
        "texts": sorted(seen.texts),
        "hasOtherLetters": seen.has_other_letters,
        "hasOtherKind": seen.has_other_kind,
        "hasUnread": seen.has_unread,
    }


if __name__ == "__main__":
    main()
