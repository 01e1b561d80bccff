"""A PostgreSQL server that a drill starts for itself, and faults that can happen to it."""

import os
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.databases import Place, Template, desk_template, migrated_template
from tests.postgres_cluster import Cluster
from tests.postgres_server import running_cluster

# Commits survive a crash of PostgreSQL, which is what happens here. The machine itself does not crash.
DURABLE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on", "max_connections": "100"}
UP_SECONDS = 60.0


@dataclass(frozen=True)
class OwnPostgres:
    cluster: Cluster
    # The URL of the server, and the application's database with signed-in admins.
    url: str
    desk: Template

    def restart_fast(self) -> None:
        self.cluster.restart("fast")

    def restart_immediate(self) -> None:
        self.cluster.restart("immediate")

    def kill(self) -> None:
        os.kill(self._postmaster(), signal.SIGKILL)

    def kill_and_start(self) -> None:
        self.kill()
        self.start_again()

    def start_again(self) -> None:
        """Child processes take a moment to notice that the parent is gone; before that a new server does not start."""
        deadline = time.monotonic() + UP_SECONDS
        while True:
            try:
                return self.cluster.restart("fast")
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def terminate_backends(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as operator:
            operator.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def freeze(self) -> None:
        # The parent first, because it must not start another child meanwhile.
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)

    def thaw(self) -> None:
        for process in reversed(self.processes()):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    def is_up(self) -> bool:
        try:
            with psycopg.connect(self.url, autocommit=True, connect_timeout=2) as operator:
                operator.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + UP_SECONDS
        while not self.is_up():
            assert time.monotonic() < deadline, f"PostgreSQL was not back within {UP_SECONDS:g} seconds"
            time.sleep(0.05)

    def _postmaster(self) -> int:
        return int((self.cluster.directory / "data" / "postmaster.pid").read_text().split()[0])

    def processes(self) -> list[int]:
        """The parent first; empty if it is not running."""
        try:
            postmaster = self._postmaster()
            children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        except FileNotFoundError:
            return []
        return [postmaster, *map(int, children)]


@contextmanager
def own_postgres(settings: Mapping[str, str] = DURABLE, folder: Path | None = None) -> Iterator[OwnPostgres]:
    with running_cluster(settings, folder) as (cluster, url), tempfile.TemporaryDirectory() as unused:
        place = Place(Path(unused), url)
        own = OwnPostgres(cluster, url, desk_template(place, migrated_template(place)))
        try:
            yield own
        finally:
            # A frozen server could not be stopped.
            own.thaw()
