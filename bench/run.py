"""What one run uses: its options, databases and tokens. Databases are filled on first use."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from bench.cluster import Postgres
from bench.contenders.ours import log_in
from bench.desks import Desk, copy_desk, prepare_desk, remove_desk
from bench.plan import Plan, Size

ENGINES = ("postgresql", "sqlite")


@dataclass
class Run:
    plan: Plan
    folder: Path
    postgres: Postgres
    # The peers to measure beside our own server; empty means all of them.
    lanes: frozenset[str]
    _desks: dict[tuple[str, Size], Desk] = field(default_factory=dict)
    _tokens: dict[str, str] = field(default_factory=dict)

    def desk(self, engine: str, size: Size) -> Desk:
        if (engine, size) not in self._desks:
            self._desks[engine, size] = prepare_desk(self.folder, engine, size, self.postgres)
        return self._desks[engine, size]

    def token(self, desk: Desk) -> str:
        if desk.url not in self._tokens:
            self._tokens[desk.url] = log_in(desk, self.folder)
        return self._tokens[desk.url]

    def token_hash(self, desk: Desk) -> bytes:
        return sha256(self.token(desk).encode()).digest()

    def wants(self, lane: str) -> bool:
        return not self.lanes or lane in self.lanes

    @contextmanager
    def copy_of(self, desk: Desk, name: str = "changed") -> Iterator[Desk]:
        copy = copy_desk(desk, f"{desk.name}_{name}")
        try:
            yield copy
        finally:
            remove_desk(copy)
