"""A real pgBouncer in transaction mode in front of a test's PostgreSQL."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.postgres_cluster import ROOT, owner_of_clusters
from tests.servers import free_port

UP_SECONDS = 30.0


@dataclass(frozen=True)
class PgBouncer:
    port: int
    process: subprocess.Popen[bytes]
    settings: Path

    def lead_to(self, server_url: str) -> None:
        """From the next transaction on. A pool with open transactions follows when they have ended."""
        parts, before = urlsplit(server_url), self.settings.read_text()
        _databases, rest = before.split("[pgbouncer]")
        self.settings.write_text(f"{_databases_at(str(parts.hostname), parts.port)}[pgbouncer]{rest}")
        self.process.send_signal(signal.SIGHUP)


@contextmanager
def running_pgbouncer(server_url: str, *, pool_size: int) -> Iterator[int]:
    """Yields its port. So few connections to PostgreSQL that every client is soon on another's."""
    with running_pooler(server_url, pool_size=pool_size) as pgbouncer:
        yield pgbouncer.port


@contextmanager
def running_pooler(server_url: str, *, pool_size: int, hosts: str = "", more: str = "") -> Iterator[PgBouncer]:
    """`hosts` are several servers with the port of `server_url`; `more` are further lines of its settings."""
    program = subprocess.run([f"{ROOT}/scripts/ensure_pgbouncer"], check=True, capture_output=True, text=True).stdout
    parts, port, owner = urlsplit(server_url), free_port(), owner_of_clusters()
    with tempfile.TemporaryDirectory(prefix="countinghouse-pgbouncer-") as made_in:
        folder = Path(made_in)
        (folder / "users").write_text(f'"{parts.username}" "{parts.password}"\n')
        (folder / "pgbouncer.ini").write_text(
            f"{_databases_at(hosts or str(parts.hostname), parts.port)}"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {folder}/users\n"
            f"pool_mode = transaction\ndefault_pool_size = {pool_size}\nmax_client_conn = 500\n"
            # Tried again soon after a failover; the default is 15 seconds.
            f"server_login_retry = 1\n{more}"
        )
        command = [program.strip(), "--quiet", f"{folder}/pgbouncer.ini"]
        if owner:
            # It refuses to run as root.
            for path in (folder, *folder.iterdir()):
                os.chown(path, owner.pw_uid, owner.pw_gid)
            command.insert(1, f"--user={owner.pw_name}")
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_until_up(f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{port}/postgres", folder / "log")
            yield PgBouncer(port, process, folder / "pgbouncer.ini")
        finally:
            # Immediately, whoever is still connected.
            process.terminate()
            process.wait(UP_SECONDS)


def _databases_at(hosts: str, port: int | None) -> str:
    return f"[databases]\n* = host={hosts} port={port}\n"


def through(port: int, url: str) -> str:
    """The same database by way of pgBouncer."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{port}").geturl()


def _wait_until_up(url: str, log: Path) -> None:
    give_up_at = time.monotonic() + UP_SECONDS
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > give_up_at:
                raise RuntimeError(f"pgBouncer does not answer:\n{log.read_text()}") from error
            time.sleep(0.05)
        else:
            return
