"""The interface of everything that the benchmark measures over HTTP."""

import json
import socket
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.desks import Desk
from bench.processes import Running
from bench.tasks import Task
from bench.wire import Call

PEERS = Path(__file__).parents[1] / "peers"


@dataclass(frozen=True)
class Surroundings:
    """What a contender works with: which database, which open session, and where its files may go."""

    desk: Desk
    token: str
    folder: Path

    @property
    def bearer(self) -> tuple[str, str]:
        return ("Authorization", f"Bearer {self.token}")


class Contender(Protocol):
    name: str

    def serve(self, surroundings: Surroundings) -> AbstractContextManager[Running]: ...

    def call_for(self, task: Task) -> Call | None:
        """None if it does not offer this task."""
        ...

    def ids_in(self, body: bytes) -> list[str]:
        """The ids of the claims in an answer, in order."""
        ...


def ids_in_array(body: bytes) -> list[str]:
    return [row["_id"] for row in json.loads(body)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
