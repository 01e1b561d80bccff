"""A PostgreSQL server and its streaming replica."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.databases import Place, Template
from tests.postgres_cluster import Cluster


@dataclass(frozen=True)
class Pair:
    primary_url: str
    replica_url: str
    replica: Cluster
    place: Place
    template: Template

    def on_replica(self, url: str) -> str:
        return f"{self.replica_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"

    def ask_replica(self, url: str, query: str) -> Any:
        with psycopg.connect(self.on_replica(url), autocommit=True) as connection:
            found = connection.execute(query.encode()).fetchone()
            return found[0] if found else None

    def statements_on_replica(self, url: str) -> str:
        """The last statement of each of the desk's connections."""
        return str(
            self.ask_replica(
                url,
                "SELECT string_agg(query, ' ') FROM pg_stat_activity WHERE application_name = 'countinghouse' "
                "AND datname = current_database()",
            )
        )

    @contextmanager
    def paused(self, url: str) -> Iterator[None]:
        self.ask_replica(url, "SELECT pg_wal_replay_pause()")
        try:
            yield
        finally:
            self.ask_replica(url, "SELECT pg_wal_replay_resume()")

    def signal_replica(self, sent: signal.Signals) -> None:
        postmaster = int((self.replica.directory / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in (postmaster, *map(int, children)):
            os.kill(process, sent)
