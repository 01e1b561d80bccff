"""Another user of the same server: sends a request now and then while a drill attacks it, and records the latency."""

import threading
import time
from types import TracebackType
from typing import Self
from urllib.request import Request, urlopen

PAUSE_SECONDS = 0.05
PATIENCE_SECONDS = 30.0
# How long others may wait during an attack. The long form runs on a quiet machine. The short form runs beside tests
# that keep the processors busy, so it requires only that they are answered.
PROMISED_SECONDS = 5.0
BESIDE_OTHER_WORK_SECONDS = PATIENCE_SECONDS


class Bystander:
    def __init__(self, url: str, path: str, token: str) -> None:
        self._request = Request(url + path, headers={"Authorization": f"Bearer {token}"})  # noqa: S310 - our own server
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self.answers = 0
        self.slowest_seconds = 0.0
        self.faults: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        if not self.answers:
            self.faults.append("Nobody else was answered.")

    def _ask(self) -> None:
        while not self._is_over.wait(PAUSE_SECONDS):
            started_at = time.monotonic()
            try:
                with urlopen(self._request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310 - see above
                    answer.read()
                self.answers += 1
            except OSError as error:
                self.faults.append(f"Another request failed: {error}")
            self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - started_at)
