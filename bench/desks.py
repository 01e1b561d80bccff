"""The databases for the measurements: filled by `countinghouse demo`, and kept until sizes or migrations change."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.cluster import Postgres
from bench.plan import Size
from bench.words import say
from countinghouse.audit.sealing import seal_some
from countinghouse.core.db import Database

ROOT = Path(__file__).parents[1]
# Set BENCH_COMMAND to the command of another build to measure that one.
COMMAND = os.environ.get("BENCH_COMMAND") or str(Path(sys.executable).with_name("countinghouse"))
# The admin that `countinghouse demo` creates.
USERNAME, PASSWORD = "admin", "countinghouse-demo"


@dataclass(frozen=True)
class Desk:
    engine: str
    name: str
    url: str
    claims: int
    postgres: Postgres | None

    def fetch(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """For choosing tasks and checking answers; `?` is the placeholder on both engines."""
        if self.postgres is not None:
            with self.postgres.connected(self.name) as connection:
                found = connection.execute(statement.replace("%", "%%").replace("?", "%s"), values)
                return found.fetchall()
        with sqlite3.connect(f"file:{self.path}?mode=ro", uri=True) as reader:
            return reader.execute(statement, values).fetchall()

    @property
    def postmasters(self) -> tuple[int, ...]:
        return () if self.postgres is None else (self.postgres.postmaster,)

    @property
    def path(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))


def environment_of_command(url: str, folder: Path) -> dict[str, str]:
    """Without the Countinghouse settings of the current shell. Sessions last longer than the benchmark."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COUNTINGHOUSE_")}
    return clean | {
        "COUNTINGHOUSE_DATABASE_URL": url,
        "COUNTINGHOUSE_DATA_DIR": str(folder),
        # The peers write no log line per request either.
        "COUNTINGHOUSE_LOG_LEVEL": "warning",
        "COUNTINGHOUSE_SESSION_HOURS": "720",
        "COUNTINGHOUSE_SESSION_IDLE_MINUTES": "10080",
    }


def prepare_desk(folder: Path, engine: str, size: Size, postgres: Postgres) -> Desk:
    name = f"desk_{size.claims}"
    if engine == "postgresql":
        desk = Desk(engine, name, postgres.url(name), size.claims, postgres)
    else:
        desk = Desk(engine, name, f"sqlite:///{folder}/{name}.db", size.claims, None)
    stamp_file = folder / f"{engine}-{name}.stamp"
    stamp = f"{size.users}/{size.purchases}/{size.claims} {_migrations_hash()}"
    if stamp_file.exists() and stamp_file.read_text() == stamp:
        return desk
    say(f"Filling {engine} with {size.claims:,} claims; the next run finds it filled.")
    stamp_file.unlink(missing_ok=True)
    _empty(desk)
    sizes = [f"--users={size.users}", f"--purchases={size.purchases}", f"--claims={size.claims}"]
    subprocess.run(
        [COMMAND, "demo", *sizes],
        env=environment_of_command(desk.url, folder),
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    asyncio.run(_seal(desk.url))
    if desk.postgres is not None:
        with desk.postgres.connected(name) as connection:
            connection.execute("VACUUM (ANALYZE)")
    stamp_file.write_text(stamp)
    return desk


async def _seal(url: str) -> None:
    """Otherwise our servers would seal the audit log while they are measured, for minutes."""
    database = Database(url)
    while await database.write(seal_some):
        pass
    database.close()


def copy_desk(desk: Desk, name: str) -> Desk:
    """For tasks that change data."""
    if desk.postgres is not None:
        desk.postgres.copy_database(desk.name, name)
        return Desk(desk.engine, name, desk.postgres.url(name), desk.claims, desk.postgres)
    target = desk.path.with_name(f"{name}.db")
    shutil.copyfile(desk.path, target)
    return Desk(desk.engine, name, f"sqlite:///{target}", desk.claims, None)


def remove_desk(desk: Desk) -> None:
    if desk.postgres is not None:
        desk.postgres.remove_database(desk.name)
    else:
        for ending in ("", "-wal", "-shm"):
            desk.path.with_name(desk.path.name + ending).unlink(missing_ok=True)


def _empty(desk: Desk) -> None:
    remove_desk(desk)
    if desk.postgres is not None:
        with desk.postgres.connected("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{desk.name}" TEMPLATE template0')


def _migrations_hash() -> str:
    content = b"".join(path.read_bytes() for path in sorted((ROOT / "migrations" / "versions").glob("*.py")))
    return sha256(content).hexdigest()[:16]
