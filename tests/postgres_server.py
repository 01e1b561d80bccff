"""A real PostgreSQL for one test run: its own cluster, port and directory, removed when the run ends."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.postgres_cluster import USER, Cluster, find_programs, owner_of_clusters

PREFIX = "countinghouse-postgres-"
MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp below makes a private directory in it
ENOUGH_MEMORY = 2 * 1024**3
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
    made_in = tempfile.mkdtemp(prefix=PREFIX, dir=folder or _fastest_place())
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
    made_in = tempfile.mkdtemp(prefix=PREFIX, dir=_fastest_place())
    cluster = Cluster(Path(made_in), find_programs(), owner_of_clusters())
    try:
        (cluster.directory / "run.pid").write_text(str(os.getpid()))
        cluster.copy(url)
        port = cluster.start(settings, host, on_port)
        yield cluster, f"{url.rsplit('@', 1)[0]}@{host}:{port}/postgres"
    finally:
        _remove(cluster)


def _fastest_place() -> Path:
    """In memory if there is room: creating a test's database then takes a tenth of the time."""
    roomy = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY
    return MEMORY if roomy else Path(tempfile.gettempdir())


def _remove(cluster: Cluster) -> None:
    cluster.stop("immediate")
    shutil.rmtree(cluster.directory, ignore_errors=True)


def _sweep_clusters_of_killed_runs(programs: Path) -> None:
    """A run killed by SIGKILL cannot clean up; the next run does, once the process that created the cluster is gone."""
    places = (Path(tempfile.gettempdir()), MEMORY)
    for directory in [found for place in places for found in place.glob(f"{PREFIX}*")]:
        with suppress(OSError, ValueError):
            maker = int((directory / "run.pid").read_text())
            if not _is_alive(maker):
                _remove(Cluster(directory, programs, owner_of_clusters()))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
