"""The benchmark's own PostgreSQL: kept between runs, durable as in production, stopped when the run ends."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.postgres_cluster import USER, Cluster, find_programs, owner_of_clusters

# Autovacuum would run during arbitrary rounds; the databases are vacuumed when they are filled.
SETTINGS = {
    "shared_buffers": "512MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_wal_size": "4GB",
    "autovacuum": "off",
    "max_connections": "200",
}


@dataclass(frozen=True)
class Postgres:
    programs: Path
    port: int
    password: str
    postmaster: int

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def environment(self, database: str) -> dict[str, str]:
        """For libpq's programs, and for drivers that read its environment variables."""
        return {
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.port),
            "PGUSER": USER,
            "PGPASSWORD": self.password,
            "PGDATABASE": database,
        }

    @contextmanager
    def connected(self, database: str) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            yield connection

    def copy_database(self, source: str, target: str) -> None:
        with self.connected("postgres") as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')

    def remove_database(self, name: str) -> None:
        with self.connected("postgres") as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def running_replica(primary: Postgres, folder: Path) -> Iterator[Postgres]:
    """A copy of the whole cluster, which follows it and is removed afterwards."""
    cluster = Cluster(folder / "replica", primary.programs, owner_of_clusters())
    # Left by a run that was killed.
    cluster.stop("immediate")
    shutil.rmtree(cluster.directory, ignore_errors=True)
    cluster.directory.mkdir()
    try:
        cluster.copy(primary.url("postgres"))
        yield _started(cluster, primary.password)
    finally:
        cluster.stop("immediate")
        shutil.rmtree(cluster.directory)


@contextmanager
def running_cluster(folder: Path) -> Iterator[Postgres]:
    cluster = Cluster(folder / "postgres", find_programs(), owner_of_clusters())
    password_file = folder / "postgres-password"
    if not password_file.exists():
        cluster.directory.mkdir(parents=True)
        password = secrets.token_urlsafe(24)
        cluster.make(password)
        # Written last, so that a cluster whose creation was interrupted is not taken for a complete one.
        password_file.touch(mode=0o600)
        password_file.write_text(password)
    if (cluster.directory / "data" / "postmaster.pid").exists():
        # Left by a run that was killed. No other run is active, because this one holds the lock on the folder.
        cluster.stop("fast")
    try:
        yield _started(cluster, password_file.read_text())
    finally:
        cluster.stop("fast")


def _started(cluster: Cluster, password: str) -> Postgres:
    port = cluster.start(SETTINGS)
    postmaster = int((cluster.directory / "data" / "postmaster.pid").read_text().split()[0])
    return Postgres(cluster.programs, port, password, postmaster)
