"""Installs the peers into the benchmark's own folder, by name and pinned version, and remembers that it did."""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from bench.words import say

PEERS = Path(__file__).parent / "peers"
FOLDER = Path(__file__).parent / ".work" / "peers"
INSTALL_SECONDS = 1_200
OWN_FILES = ("requirements.txt", "package.json", "package-lock.json", ".npmrc")


class NotInstalled(Exception):
    """Why a peer cannot take part on this machine, as text for the report."""


def python_peers() -> Path:
    """The folder that contains their programs."""
    target = FOLDER / "python"
    find_python = PEERS.parents[1] / "scripts" / "find_python"
    python = subprocess.run([find_python], check=True, capture_output=True, text=True).stdout.strip()
    requirements = str(PEERS / "python" / "requirements.txt")
    pip = [f"{target}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    _install(PEERS / "python", target, [[python, "-m", "venv", str(target)], pip])
    return target / "bin"


def node_peers(name: str, *compiled: str) -> Path:
    """The folder that contains the peer's programs beside their packages, because Node looks for packages there.

    Install scripts are off, except those of the packages that must be compiled.
    """
    source, target = PEERS / name, FOLDER / name
    npm = ["npm", "ci" if (source / "package-lock.json").exists() else "install", "--no-audit", "--no-fund"]
    rebuild = [["npm", "rebuild", "--ignore-scripts=false", *compiled]] if compiled else []
    _install(source, target, [npm, *rebuild])
    for program in source.glob("*.mjs"):
        shutil.copy(program, target)
    return target


def _install(source: Path, target: Path, commands: list[list[str]]) -> None:
    own = [source / name for name in OWN_FILES if (source / name).exists()]
    stamp = sha256(b"".join(path.read_bytes() for path in own)).hexdigest()
    stamp_file = target / "installed"
    if stamp_file.exists():
        saved = stamp_file.read_text().partition("\n")
        if saved[0] == stamp:
            if saved[2]:
                raise NotInstalled(saved[2])
            return
    say(f"Installing the peers of {source.name}.")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in own:
        shutil.copy(path, target)
    for command in commands:
        failure = _failure_of(command, target)
        if failure:
            stamp_file.write_text(f"{stamp}\n{failure}")
            raise NotInstalled(failure)
    stamp_file.write_text(stamp)


def _failure_of(command: list[str], folder: Path) -> str:
    variables = os.environ | {"NODE_ENV": "production"}
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except FileNotFoundError:
        return f"{name} is not on this machine"
    except subprocess.TimeoutExpired:
        return f"{name} did not finish within {INSTALL_SECONDS // 60} minutes"
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if "err" in line.lower()]
    return f"{name} failed: {' '.join(errors[:3])[:300] or done.stderr[-300:]}"
