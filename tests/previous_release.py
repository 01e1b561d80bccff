"""The previous release, from the history of this repository: it runs beside this version on one database."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import Server, server_environment, started_server

# The commit of the previous release. The next release moves it here.
COMMIT = "fd0978361f8851d66317f63bb60062e679fbf3df"

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-c", "from countinghouse.cli import app; app(prog_name='countinghouse')")
# Much is written, and the machine may be busy.
SECONDS = 300


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, timeout=SECONDS, check=False)


@dataclass(frozen=True)
class PreviousRelease:
    folder: Path

    @classmethod
    def unpacked(cls, folder: Path) -> "PreviousRelease":
        archive_command = ("archive", "--format=tar", COMMIT, "src", "migrations")
        packed = _git(*archive_command)
        if packed.returncode != 0:
            # A shallow clone lacks it.
            _git("fetch", "--quiet", "--unshallow", "origin")
            packed = _git(*archive_command)
        assert packed.returncode == 0, (
            f"The previous release, commit {COMMIT}, is not in the history of this checkout. "
            f"Fetch it with: git fetch --unshallow. Git says: {packed.stderr.decode(errors='replace')}"
        )
        folder.mkdir()
        subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, timeout=SECONDS, check=True)
        return cls(folder)

    @property
    def path(self) -> str:
        """Before the installed package of this version."""
        return str(self.folder / "src")

    def run(self, database_url: str, *words: str) -> str:
        env = server_environment(database_url, PYTHONPATH=self.path)
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run(
                [*COMMAND, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    @contextmanager
    def server(self, database_url: str, **settings: str) -> Iterator[Server]:
        program = (*COMMAND, "serve", "--port")
        with started_server(database_url, program=program, PYTHONPATH=self.path, **settings) as server:
            yield server
