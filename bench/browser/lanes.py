"""The two web apps side by side: ours as the server serves it, and a react-admin list over the same API."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "react-admin-list"
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Lane:
    name: str
    origin: str
    claims: str
    endless: str


def build_react_admin(work: Path) -> Path:
    """Installs by name and builds in the benchmark's own folder; the checkout stays unchanged."""
    folder = work / "react-admin-list"
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "package-lock.json"
    is_installed = (folder / "node_modules/.package-lock.json").exists() and (
        lock.read_bytes() == (SOURCE / "package-lock.json").read_bytes()
    )
    shutil.copytree(SOURCE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "dist"))
    if not is_installed:
        _run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], folder)
    _run(["npm", "run", "--silent", "build"], folder)
    return folder / "dist"


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed in {folder}:\n{done.stdout}{done.stderr}")


@contextmanager
def front_of(server_url: str, folder: Path) -> Iterator[str]:
    command = ["node", str(HERE / "front.mjs"), server_url, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None  # noqa: S101 - a pipe was requested above
        port = process.stdout.readline().strip()
        if not port:
            raise RuntimeError("The front of the benchmark did not start.")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)


@contextmanager
def opened_lanes(server_url: str, work: Path) -> Iterator[tuple[Lane, Lane]]:
    built = build_react_admin(work)
    with front_of(server_url, built) as theirs:
        yield (
            Lane("Countinghouse", server_url, "/Withdraw", "/Withdraw"),
            Lane("react-admin", theirs, "/#/claims", "/#/endless"),
        )
