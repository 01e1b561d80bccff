"""Describes the system that the run used, without anything that identifies this one machine."""

import os
import platform
import re
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from bench.cluster import Postgres
from bench.installing import FOLDER, PEERS


def describe(postgres: Postgres) -> dict[str, str]:
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": f"{_processor()}, {os.cpu_count()} cores, {platform.machine()}",
        "memory": f"{_memory_gib():.0f} GiB",
        "system": f"{_system()}, Linux {re.sub(r'[-+].*', '', platform.release())}",
        "databases": f"{_output(str(postgres.programs / 'postgres'), '--version')}, SQLite {sqlite3.sqlite_version}",
        "languages": f"Python {platform.python_version()}, Node {_output('node', '--version').removeprefix('v')}",
        "peers": ", ".join(_peers()),
    }


def _processor() -> str:
    written = Path("/proc/cpuinfo").read_text()
    named = re.search(r"^model name\s*:\s*(.+)$", written, re.MULTILINE)
    if named:
        return named[1]
    found = re.search(r"^\s*Model name:\s*(.+)$", _output("lscpu"), re.MULTILINE)
    return found[1] if found else "unnamed processor"


def _memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _peers() -> list[str]:
    pinned = [line.strip().replace("==", " ") for line in (PEERS / "python" / "requirements.txt").read_text().split()]
    for name in ("node", "directus"):
        pinned += [
            f"{package} {version}"
            for package, version in re.findall(r'"([a-z-]+)": "([0-9.]+)"', (PEERS / name / "package.json").read_text())
        ]
    return pinned if FOLDER.exists() else []


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return "none"
