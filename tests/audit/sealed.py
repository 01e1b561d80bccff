"""Seals the log of a desk as its server would, and runs `countinghouse audit` on it."""

import subprocess
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select

from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.sealing import read_head, seal_some
from countinghouse.audit.tables import audit_seals
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.event_loop import run


def checkpoints_in(folder: Path) -> Checkpoints:
    return Checkpoints(folder / "audit-key.pem", folder / "audit-checkpoints.jsonl")


def seal(desk: Desk) -> int:
    sealed = 0
    while some := run(desk.app_database.write(seal_some)):
        sealed += some
    return sealed


def seal_and_sign(desk: Desk, folder: Path) -> None:
    seal(desk)
    checkpoints_in(folder).write(run(desk.app_database.read(read_head)))


def seals(desk: Desk) -> list[Row[Any]]:
    return desk.rows(select(audit_seals).order_by(audit_seals.c.position))


def audit(database_url: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return countinghouse(database_url, "audit", *words, COUNTINGHOUSE_DATA_DIR=str(folder))


def verified(database_url: str, folder: Path, *words: str) -> tuple[int, str]:
    """The exit code of `audit verify`, and what it said."""
    ended = audit(database_url, folder, "verify", *words)
    return ended.returncode, ended.stdout + ended.stderr
