"""Passes pictures to the picture worker: one at a time, each with a deadline, and with a short queue."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Self, TypeVar

import structlog

from countinghouse.core.errors import InvalidInput
from countinghouse.core.lanes import Lane, current_caller
from countinghouse.qr.findings import Reading, judge
from countinghouse.qr.picture import Job, NoMessage, Picture, Refused, Seen, read_message, write_message

log = structlog.get_logger()

T = TypeVar("T")

SECONDS_A_PICTURE = 8.0
MOST_WAITING = 8
MOST_WAITING_PER_CALLER = 2
WAIT_SECONDS = 12.0

_TOO_SLOW = "This picture takes too long to read. Crop it to what matters, and send it again."


class NotRead(InvalidInput):
    """The worker was too slow, or ended: nothing is known about the picture."""

    def __init__(self) -> None:
        super().__init__({"qrImage": _TOO_SLOW})


class PictureWorker:
    """A separate process, started on first use. Callers on other threads wait for their turn."""

    def __init__(self, seconds: float = SECONDS_A_PICTURE) -> None:
        self._seconds = seconds
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def take(self, uploaded: bytes) -> tuple[Picture, Seen]:
        """Re-encodes an uploaded file, and reads the codes in the result."""
        return self._ask(Job("take", uploaded), tuple[Picture, Seen])

    def read(self, png: bytes) -> Seen:
        return self._ask(Job("read", png), Seen)

    def draw(self, text: str) -> Picture:
        """Draws a QR code of exactly this text, read back before it is returned."""
        return self._ask(Job("draw", text=text), Picture)

    def prove(self, uploaded: bytes) -> Picture:
        """Re-encodes a payment proof, as a JPEG. Codes in it are not read."""
        return self._ask(Job("prove", uploaded), Picture)

    def close(self) -> None:
        with self._turn:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, job: Job, kind: type[T]) -> T:
        with self._turn:
            process = self._started()
            assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - see _started
            deadline = Timer(self._seconds, process.kill)
            deadline.daemon = True
            deadline.start()
            try:
                write_message(process.stdin, job)
                refused = read_message(process.stdout, Refused)
                if not refused:
                    return read_message(process.stdout, kind)
            except (OSError, NoMessage, ValueError) as error:
                # The worker died, or was killed because it took too long.
                self._end()
                log.warning("picture_worker_ended", job=job.do, bytes=len(job.content))
                raise NotRead from error
            finally:
                deadline.cancel()
                # Otherwise the timer could kill the worker in the middle of the next picture.
                deadline.join()
        raise InvalidInput(refused)

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
        if process is not None:
            process.kill()
            # Closes the pipes too. What was not sent yet cannot be sent any more.
            with suppress(OSError), process:
                pass


@dataclass(frozen=True, slots=True)
class Examined:
    picture: Picture
    reading: Reading
    # None if it depends on how the code is confirmed, or if there will never be one.
    drawn: Picture | None


def examine(worker: PictureWorker, uploaded: bytes, upi_id: str) -> Examined:
    picture, seen = worker.take(uploaded)
    reading = judge(seen, upi_id)
    return Examined(picture, reading, draw_read(worker, reading))


def draw_read(worker: PictureWorker, reading: Reading) -> Picture | None:
    """A valid payment code is drawn from its own text, whoever confirms it."""
    if reading.payload is None or reading.payee is None:
        return None
    return worker.draw(reading.payload)


class Pictures:
    """The picture worker of one server. Requests queue for it in a lane, never on a thread that other calls need."""

    def __init__(self, worker: PictureWorker | None = None) -> None:
        self._worker = worker or PictureWorker()
        self._thread = ThreadPoolExecutor(1, "pictures")
        limits = {"most_waiting": MOST_WAITING, "most_waiting_per_caller": MOST_WAITING_PER_CALLER}
        self.lane = Lane(1, **limits, wait_seconds=WAIT_SECONDS)

    async def run(self, caller: str, work: Callable[[PictureWorker], T]) -> T:
        """Raises `Busy` if too many requests are waiting."""
        current_caller.set(caller)
        place = await self.lane.enter()
        job = asyncio.get_running_loop().run_in_executor(self._thread, work, self._worker)
        # The place stays taken until the work has ended, even if the client has disconnected.
        job.add_done_callback(lambda _: self.lane.leave(place))
        return await asyncio.shield(job)

    def close(self) -> None:
        self._worker.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
