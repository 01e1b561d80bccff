"""A real PostgreSQL for one test run: its own cluster, port and directory, gone when the run ends."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
PREFIX = "countinghouse-postgres-"
MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp below makes a private directory in it
ENOUGH_MEMORY = 2 * 1024**3
USER = "countinghouse"
# A test run may lose its data when the machine dies; waiting for the disk would only slow it down.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "200",
    "listen_addresses": "127.0.0.1",
}


@contextmanager
def running_postgres() -> Iterator[str]:
    """Start a temporary cluster, give its URL, and remove it whatever happens in between."""
    programs = Path(_output_of([f"{ROOT}/scripts/ensure_postgres"]))
    owner = _owner()
    _sweep_clusters_of_killed_runs(programs, owner)
    directory = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_fastest_place()))
    try:
        (directory / "run.pid").write_text(str(os.getpid()))
        if owner:
            os.chown(directory, owner.pw_uid, owner.pw_gid)
        password = secrets.token_urlsafe(24)
        _make_cluster(programs, directory, owner, password)
        port = _start(programs, directory, owner)
        yield f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
    finally:
        _remove(programs, directory, owner)


def _fastest_place() -> Path:
    """In memory where there is room: a test's own database is then made in a tenth of the time."""
    roomy = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY
    return MEMORY if roomy else Path(tempfile.gettempdir())


def _make_cluster(programs: Path, directory: Path, owner: pwd.struct_passwd | None, password: str) -> None:
    password_file = directory / "password"
    password_file.touch(mode=0o600)
    password_file.write_text(password)
    if owner:
        os.chown(password_file, owner.pw_uid, owner.pw_gid)
    command = [f"{programs}/initdb", "--no-sync", "--auth=scram-sha-256", f"--username={USER}"]
    command += [
        f"--pwfile={password_file}",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        f"--pgdata={directory}/data",
    ]
    _output_of(command, owner)
    password_file.unlink()


def _start(programs: Path, directory: Path, owner: pwd.struct_passwd | None) -> int:
    settings = SETTINGS | {"unix_socket_directories": str(directory)}
    command = [f"{programs}/pg_ctl", "start", "--wait", "--timeout=60"]
    command += [f"--pgdata={directory}/data", f"--log={directory}/log"]
    attempts = 5
    for attempt in range(1, attempts + 1):
        port = _free_port()
        options = " ".join(f"-c {name}={value}" for name, value in (settings | {"port": str(port)}).items())
        try:
            _output_of([*command, "-o", options], owner)
        except RuntimeError as error:
            # Another program may take the port between our look and the server's start.
            log = (directory / "log").read_text() if (directory / "log").exists() else ""
            if attempt == attempts or "could not bind" not in log:
                raise RuntimeError(f"PostgreSQL did not start: {error}\n{log}") from error
        else:
            return port
    raise AssertionError("the last attempt either returned or raised")


def _remove(programs: Path, directory: Path, owner: pwd.struct_passwd | None) -> None:
    with suppress(RuntimeError):
        _output_of([f"{programs}/pg_ctl", "stop", "--mode=immediate", f"--pgdata={directory}/data"], owner)
    shutil.rmtree(directory, ignore_errors=True)


def _sweep_clusters_of_killed_runs(programs: Path, owner: pwd.struct_passwd | None) -> None:
    """A run ended by SIGKILL cannot clean up; the next run does it when the process that made it is gone."""
    places = (Path(tempfile.gettempdir()), MEMORY)
    for directory in [found for place in places for found in place.glob(f"{PREFIX}*")]:
        with suppress(OSError, ValueError):
            maker = int((directory / "run.pid").read_text())
            if not _is_alive(maker):
                _remove(programs, directory, owner)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _owner() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root: give it another user then, and None when we are not root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _output_of(command: list[str], owner: pwd.struct_passwd | None = None) -> str:
    # The server outlives pg_ctl and would hold a pipe open for ever, so the words go through files.
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as complaints:
        finished = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=complaints,
            cwd=tempfile.gettempdir(),
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
            check=False,
        )
        output.seek(0)
        complaints.seek(0)
        if finished.returncode != 0:
            raise RuntimeError(f"{Path(command[0]).name} failed: {complaints.read()}{output.read()}")
        return output.read().strip()
