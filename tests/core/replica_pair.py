"""A PostgreSQL server and its streaming replica, and desks that use both."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from countinghouse.core.db import replica as replica_module
from countinghouse.settings import Settings
from drills.own_postgres import DURABLE
from tests.databases import Place, Template, desk_template, migrated_template
from tests.desk import Desk
from tests.exports.downloads import HEADERS, download, read_csv
from tests.postgres_cluster import Cluster
from tests.postgres_server import running_cluster, running_replica
from tests.waiting import eventually

ID = HEADERS["claims"].index("ID")


@dataclass(frozen=True)
class Pair:
    primary_url: str
    replica_url: str
    replica: Cluster
    place: Place
    template: Template

    def on_replica(self, url: str) -> str:
        return f"{self.replica_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"

    @contextmanager
    def database(self) -> Iterator[str]:
        made = self.place.copied(self.template)
        # A new database is on the replica a moment later; until then the primary answers, which is another test.
        eventually(lambda: self.has_database(made))
        try:
            yield made
        finally:
            self.place.remove(made)

    def has_database(self, url: str) -> bool:
        try:
            return bool(self.ask_replica(url, "SELECT true"))
        except psycopg.OperationalError:
            return False

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


@contextmanager
def running_pair(unused: Path) -> Iterator[Pair]:
    # Else a replica that was stopped may miss a part of the log which the primary has removed meanwhile.
    settings = {**DURABLE, "wal_keep_size": "1GB"}
    with running_cluster(settings) as (_cluster, url), running_replica(url, settings) as (replica, replica_url):
        place = Place(unused, url)
        yield Pair(url, replica_url, replica, place, desk_template(place, migrated_template(place)))


def wait_for_replica(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a replica may answer and catch up later than a server waits for it."""
    for name in ("CHECK_SECONDS", "CATCH_UP_SECONDS"):
        monkeypatch.setattr(replica_module, name, 30.0)


@contextmanager
def desk_with(
    pair: Pair, url: str, replica_url: str, direct_url: str = "", *, is_pooled: bool = False
) -> Iterator[Desk]:
    settings = Settings(database_url=url, replica_url=replica_url, transaction_pooling=is_pooled, _env_file=None)
    desk = Desk(settings, pair.template.tokens, direct_url=direct_url)
    try:
        yield desk
    finally:
        desk.close()


def ids_in_list(desk: Desk, path: str = "/api/claims/all?limit=200") -> list[str]:
    answer = desk.get(path)
    assert answer.status_code == 200, answer.text
    return sorted(row["_id"] for row in answer.json())


def reasons_not_used(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Asks the replica for each list, and expects the primary to answer."""
    monkeypatch.setattr(replica_module, "AWAY_SECONDS", 0.0)
    wait_for_replica(monkeypatch)
    with capture_logs() as logged:
        for _ in range(3):
            claim_id = desk.add_claim()
            assert desk.move(claim_id, "Accepted").status_code == 200
            assert claim_id in ids_in_list(desk, "/api/claims/all?status=Accepted")
            assert claim_id in [row[ID] for row in read_csv(download(desk))[1:]]
    return [str(line["reason"]) for line in logged if line["event"] == "replica_not_used"]
