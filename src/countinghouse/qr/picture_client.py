"""Passes pictures to the picture worker: one at a time, each with a deadline, and with a short queue."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Timer
from types import TracebackType
from typing import Any, Self, TypeVar

import structlog

from countinghouse.core.errors import InvalidInput
from countinghouse.core.lanes import Lane, current_caller
from countinghouse.qr.messages import NoMessage, read_message, write_message
from countinghouse.qr.picture import Picture, Seen

log = structlog.get_logger()

T = TypeVar("T")

SECONDS_A_PICTURE = 8.0
MOST_WAITING = 8
MOST_WAITING_PER_CALLER = 2
WAIT_SECONDS = 12.0

_TOO_SLOW = "This picture takes too long to read. Crop it to the code alone, and send it again."


class PictureWorker:
    """A separate process, started on first use. Callers on other threads wait for their turn."""

    def __init__(self, seconds: float = SECONDS_A_PICTURE) -> None:
        self._seconds = seconds
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def take(self, uploaded: bytes) -> tuple[Picture, Seen]:
        """Re-encodes an uploaded file, and reads the codes in the result."""
        fields, content = self._ask({"do": "take"}, uploaded)
        return _picture(fields, content), _seen(fields)

    def read(self, png: bytes) -> Seen:
        return _seen(self._ask({"do": "read"}, png)[0])

    def draw(self, text: str) -> Picture:
        """Draws a QR code of exactly this text, read back before it is returned."""
        return _picture(*self._ask({"do": "draw", "text": text}))

    def close(self) -> None:
        with self._turn:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, head: dict[str, Any], content: bytes = b"") -> tuple[dict[str, Any], bytes]:
        with self._turn:
            answer = self._exchange(self._started(), head, content)
            if answer is None:
                self._end()
        if answer is None:
            log.warning("picture_worker_ended", job=head["do"], bytes=len(content))
            raise InvalidInput({"qrImage": _TOO_SLOW})
        if "refused" in answer[0]:
            raise InvalidInput(answer[0]["refused"])
        return answer

    def _exchange(
        self, process: subprocess.Popen[bytes], head: dict[str, Any], content: bytes
    ) -> tuple[dict[str, Any], bytes] | None:
        """None if the worker died, or was killed because it took too long."""
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - see _started
        deadline = Timer(self._seconds, process.kill)
        deadline.daemon = True
        deadline.start()
        try:
            write_message(process.stdin, head, content)
            return read_message(process.stdout)
        except (OSError, NoMessage, ValueError):
            return None
        finally:
            deadline.cancel()
            # Otherwise the timer could kill the worker in the middle of the next picture.
            deadline.join()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            # -P: never import a module from the folder in which the server was started.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "countinghouse.qr.picture_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


def _picture(fields: dict[str, Any], content: bytes) -> Picture:
    return Picture(content, fields["sha256"], fields["width"], fields["height"])


def _seen(fields: dict[str, Any]) -> Seen:
    return Seen(frozenset(fields["texts"]), fields["hasOtherLetters"], fields["hasOtherKind"], fields["hasUnread"])


class Pictures:
    """The picture worker of one server. Requests queue for it in a lane, never on a thread that other calls need."""

    def __init__(self, worker: PictureWorker | None = None) -> None:
        self._worker = worker or PictureWorker()
        self._thread = ThreadPoolExecutor(1, "pictures")
        self._lane = Lane(
            1,
            most_waiting=MOST_WAITING,
            most_waiting_per_caller=MOST_WAITING_PER_CALLER,
            wait_seconds=WAIT_SECONDS,
        )

    async def run(self, caller: str, work: Callable[[PictureWorker], T]) -> T:
        """Raises `Busy` if too many requests are waiting."""
        current_caller.set(caller)
        place = await self._lane.enter()
        job = asyncio.get_running_loop().run_in_executor(self._thread, work, self._worker)
        # The place stays taken until the work has ended, even if the client has disconnected.
        job.add_done_callback(lambda _: self._lane.leave(place))
        return await asyncio.shield(job)

    def close(self) -> None:
        self._worker.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
