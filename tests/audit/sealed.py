"""Seals the log of a desk as its server would, and runs `countinghouse audit` on it."""

import subprocess
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select, text

from countinghouse.audit.actions import Actor, record
from countinghouse.audit.chain import COLUMNS, GENESIS, canonical, row_of, seal_after
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.sealing import read_head, seal_some
from countinghouse.audit.tables import audit_seals
from countinghouse.claims.resource import ClaimVerb
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.event_loop import run


def checkpoints_in(folder: Path) -> Checkpoints:
    return Checkpoints(folder / "audit-key.pem", folder / "audit-checkpoints.jsonl")


# A row as another session inserts it, which commits later.
INSERT = "INSERT INTO audit_log (at, actor, verb, subject_id) VALUES (now(), 'ravi', 'claim.revealed', 'x')"


def seal(desk: Desk) -> int:
    sealed = 0
    while some := run(desk.app_database.write(seal_some)):
        sealed += some
    return sealed


def seal_and_sign(desk: Desk, folder: Path) -> None:
    seal(desk)
    checkpoints_in(folder).write(run(desk.app_database.read(read_head)))


def disable_triggers(desk: Desk, *tables: str) -> None:
    """As the owner of the database could, to change anything in them."""
    for table in tables:
        if desk.database.is_sqlite:
            named = f"SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '{table}'"
            for (name,) in desk.rows(text(named)):
                desk.change(text(f"DROP TRIGGER {name}"))
        else:
            desk.change(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))


def seals(desk: Desk) -> list[Row[Any]]:
    return desk.rows(select(audit_seals).order_by(audit_seals.c.position))


def audit(database_url: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return countinghouse(database_url, "audit", *words, COUNTINGHOUSE_DATA_DIR=str(folder))


def verified(database_url: str, folder: Path, *words: str) -> tuple[int, str]:
    """The exit code of `audit verify`, and what it said."""
    ended = audit(database_url, folder, "verify", *words)
    return ended.returncode, ended.stdout + ended.stderr


def write(desk: Desk, count: int = 1) -> None:
    """Rows about records that nothing else compares with the log."""

    async def record_all(transaction: Transaction) -> None:
        for _ in range(count):
            await record(transaction, Actor("ravi"), ClaimVerb.REVEALED, new_id(), after={"naïve": "₹"})

    run(desk.database.write(record_all))


def assert_chained(desk: Desk) -> None:
    found = {row[0]: row for row in desk.rows(select(*COLUMNS))}
    previous = GENESIS
    for position, sealed in enumerate(seals(desk), 1):
        assert sealed.position == position
        previous = seal_after(previous, canonical(row_of(tuple(found.pop(sealed.seq)))))
        assert sealed.seal == previous
    assert found == {}
