"""A real PostgreSQL for one test run: its own cluster, port and directory, removed when the run ends."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.memory import fastest_place, folders_of_killed_runs
from tests.postgres_cluster import USER, Cluster, find_programs, owner_of_clusters

PREFIX = "countinghouse-postgres-"
# Test data may be lost when the machine crashes; waiting for the disk would only slow the tests down.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "max_connections": "200"}


@contextmanager
def running_postgres() -> Iterator[str]:
    """Starts a temporary cluster, yields its URL, and always removes it."""
    with running_cluster(SETTINGS) as (_cluster, url):
        yield url


@contextmanager
def running_cluster(settings: Mapping[str, str], folder: Path | None = None) -> Iterator[tuple[Cluster, str]]:
    programs = find_programs()
    _sweep_clusters_of_killed_runs(programs)
    made_in = tempfile.mkdtemp(prefix=PREFIX, dir=folder or fastest_place())
    cluster = Cluster(Path(made_in), programs, owner_of_clusters())
    try:
        (cluster.directory / "run.pid").write_text(str(os.getpid()))
        password = secrets.token_urlsafe(24)
        cluster.make(password)
        port = cluster.start(settings)
        yield cluster, f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
    finally:
        _remove(cluster)


@contextmanager
def running_replica(
    url: str, settings: Mapping[str, str], host: str = "127.0.0.1", on_port: int | None = None
) -> Iterator[tuple[Cluster, str]]:
    """A streaming replica of the cluster at `url`, with the same databases and passwords."""
    made_in = tempfile.mkdtemp(prefix=PREFIX, dir=fastest_place())
    cluster = Cluster(Path(made_in), find_programs(), owner_of_clusters())
    try:
        (cluster.directory / "run.pid").write_text(str(os.getpid()))
        cluster.copy(url)
        port = cluster.start(settings, host, on_port)
        yield cluster, f"{url.rsplit('@', 1)[0]}@{host}:{port}/postgres"
    finally:
        _remove(cluster)


def _remove(cluster: Cluster) -> None:
    cluster.stop("immediate")
    shutil.rmtree(cluster.directory, ignore_errors=True)


def _sweep_clusters_of_killed_runs(programs: Path) -> None:
    for directory in folders_of_killed_runs(PREFIX):
        _remove(Cluster(directory, programs, owner_of_clusters()))
