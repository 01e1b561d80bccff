"""An open screen: reads the event stream in a thread and records the events."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

# Long enough for a machine that is busy with other tests; events normally arrive within half a second.
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Event:
    name: str
    data: Any
    mark: int | None


@dataclass
class Screen:
    answer: HTTPResponse
    heard: list[Event] = field(default_factory=list)
    beats: int = 0
    # The last event id, which a browser keeps for the next connection.
    mark: int | None = None
    is_over: bool = False
    _news: threading.Condition = field(default_factory=threading.Condition)

    def listen(self) -> None:
        with suppress(HTTPException, OSError, ValueError, AttributeError):
            self._listen()
        with self._news:
            self.is_over = True
            self._news.notify_all()

    def _listen(self) -> None:
        fields: dict[str, str] = {}
        while line := self.answer.readline():
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                fields[name] = value
                continue
            with self._news:
                self._hear(fields)
                self._news.notify_all()
            fields = {}

    def _hear(self, fields: dict[str, str]) -> None:
        self.mark = int(fields["id"]) if "id" in fields else self.mark
        if "" in fields:
            self.beats += 1
        if "event" in fields:
            mark = int(fields["id"]) if "id" in fields else None
            self.heard.append(Event(fields["event"], json.loads(fields["data"]), mark))

    def named(self, name: str) -> list[Any]:
        with self._news:
            return [event.data for event in self.heard if event.name == name]

    def wait_until(self, is_so: Callable[["Screen"], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        with self._news:
            while not is_so(self):
                assert self._news.wait(max(0.0, deadline - time.monotonic())), f"only heard {self.heard}"

    def wait_for(self, name: str, count: int = 1) -> list[Any]:
        self.wait_until(lambda screen: sum(event.name == name for event in screen.heard) >= count)
        return self.named(name)

    def wait_for_change_of(self, subject_id: str) -> dict[str, Any]:
        def changes(screen: Screen) -> list[dict[str, Any]]:
            return [
                event.data for event in screen.heard if event.name == "change" and event.data["subjectId"] == subject_id
            ]

        self.wait_until(lambda screen: bool(changes(screen)))
        return changes(self)[0]

    def wait_for_the_end(self) -> None:
        self.wait_until(lambda screen: screen.is_over)


@contextmanager
def screen(port: int, token: str, after: int | None = None, *, greeted: bool = True) -> Iterator[Screen]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    headers = {"Authorization": f"Bearer {token}"}
    if after is not None:
        headers["Last-Event-ID"] = str(after)
    connection.request("GET", "/api/live", headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    opened = Screen(answer)
    thread = threading.Thread(target=opened.listen)
    thread.start()
    try:
        if greeted:
            opened.wait_for("hello")
        yield opened
    finally:
        # Shut down first: close() alone would block on the reading thread.
        with suppress(OSError):
            if connection.sock is not None:
                connection.sock.shutdown(2)
        thread.join(PATIENCE_SECONDS)
        answer.close()
        connection.close()
