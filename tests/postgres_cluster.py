"""Creates, starts and stops a PostgreSQL cluster in its own folder, whichever user runs this."""

import hashlib
import hmac
import os
import pwd
import secrets
import socket
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
USER = "countinghouse"


def find_programs() -> Path:
    return Path(_output_of([f"{ROOT}/scripts/ensure_postgres"]))


def owner_of_clusters() -> pwd.struct_passwd | None:
    """The user to run PostgreSQL as, because it refuses to run as root; None if this process is not root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


@dataclass(frozen=True)
class Cluster:
    directory: Path
    programs: Path
    owner: pwd.struct_passwd | None

    def make(self, password: str) -> None:
        if self.owner:
            os.chown(self.directory, self.owner.pw_uid, self.owner.pw_gid)
        password_file = self.directory / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(_quick_verifier(password))
        if self.owner:
            os.chown(password_file, self.owner.pw_uid, self.owner.pw_gid)
        command = [f"{self.programs}/initdb", "--no-sync", "--auth=scram-sha-256", f"--username={USER}"]
        command += [
            f"--pwfile={password_file}",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            f"--pgdata={self.directory}/data",
        ]
        _output_of(command, self.owner)
        password_file.unlink()

    def copy(self, url: str) -> None:
        """Makes this cluster a replica of the server at `url`, which it follows once it is started."""
        if self.owner:
            os.chown(self.directory, self.owner.pw_uid, self.owner.pw_gid)
        command = [f"{self.programs}/pg_basebackup", f"--dbname={url}", f"--pgdata={self.directory}/data", "--no-sync"]
        _output_of([*command, "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast"], self.owner)

    def start(self, settings: Mapping[str, str], host: str = "127.0.0.1", on_port: int | None = None) -> int:
        """Returns the port it listens on, which is a free one unless it is given."""
        command = [f"{self.programs}/pg_ctl", "start", "--wait", "--timeout=60"]
        command += [f"--pgdata={self.directory}/data", f"--log={self.directory}/log"]
        attempts = 5
        for attempt in range(1, attempts + 1):
            port = on_port or _free_port()
            places = {"listen_addresses": host, "unix_socket_directories": str(self.directory)}
            chosen = {**settings, **places, "port": str(port)}
            options = " ".join(f"-c {name}={value}" for name, value in chosen.items())
            try:
                _output_of([*command, "-o", options], self.owner)
            except RuntimeError as error:
                # Another program may take the port between our check and the server's start.
                log = (self.directory / "log").read_text() if (self.directory / "log").exists() else ""
                if attempt == attempts or "could not bind" not in log:
                    raise RuntimeError(f"PostgreSQL did not start: {error}\n{log}") from error
            else:
                return port
        raise AssertionError("the last attempt either returned or raised")

    def restart(self, mode: str) -> None:
        """Keeps the settings and the port it was started with; also starts a server that is not running."""
        _output_of(
            [
                f"{self.programs}/pg_ctl",
                "restart",
                f"--mode={mode}",
                "--wait",
                "--timeout=60",
                f"--pgdata={self.directory}/data",
                f"--log={self.directory}/log",
            ],
            self.owner,
        )

    def stop(self, mode: str) -> None:
        with suppress(RuntimeError):
            _output_of(
                [f"{self.programs}/pg_ctl", "stop", f"--mode={mode}", f"--pgdata={self.directory}/data"], self.owner
            )


def _quick_verifier(password: str) -> str:
    """What PostgreSQL stores of a password, with one iteration instead of 4,096.

    The tests open thousands of connections, which took 8 ms each. The iterations protect passwords that can be guessed;
    those of the tests are long and random.
    """
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1)
    client_key, server_key = (hmac.digest(salted, name, "sha256") for name in (b"Client Key", b"Server Key"))
    parts = (salt, hashlib.sha256(client_key).digest(), server_key)
    return "SCRAM-SHA-256$1:{}${}:{}".format(*(b64encode(part).decode() for part in parts))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _output_of(command: list[str], owner: pwd.struct_passwd | None = None) -> str:
    # The server outlives pg_ctl and would hold a pipe open forever, so the output goes to files.
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        finished = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            cwd=tempfile.gettempdir(),
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
            check=False,
        )
        output.seek(0)
        errors.seek(0)
        if finished.returncode != 0:
            raise RuntimeError(f"{Path(command[0]).name} failed: {errors.read()}{output.read()}")
        return output.read().strip()
