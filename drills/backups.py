"""A backup of a large desk while admins move claims, and its restore: both are timed, and everything is compared."""

import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, insert, select

from countinghouse.audit.sealing import has_unsealed
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.core.times import now
from countinghouse.settings import Settings
from drills.clients import ask
from tests.contract.rows import fill
from tests.databases import Place, Template
from tests.desk import Desk
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.servers import server_environment, started_server
from tests.warm import WarmProcess

CLAIMS = 200_000
PROMISED_SECONDS = 60.0
PATIENCE_SECONDS = 3600.0
MOVERS = 4


@dataclass
class Kept:
    claims: int = 0
    audit_rows: int = 0
    megabytes: float = 0.0
    backup_seconds: float = 0.0
    restore_seconds: float = 0.0
    # While the backup was made.
    moves: int = 0
    slowest_move_seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        rows = f"{self.claims:,} claims and {self.audit_rows:,} audit rows in {self.megabytes:,.0f} MB"
        moves = f"{self.moves:,} moves meanwhile, the slowest {self.slowest_move_seconds:.2f} s"
        return f"{rows}: backed up in {self.backup_seconds:.1f} s ({moves}), restored in {self.restore_seconds:.1f} s"


def fill_large_desk(desk: Desk, count: int) -> None:
    """This many claims, and twice as many rows of the audit log, of a kind that records no change."""
    fill(desk, count, statuses=("Pending",))
    row = {
        "at": now(),
        "actor": "asha",
        "address": "203.0.113.9",
        "verb": "claim.revealed",
        "after": {"field": "mobile"},
    }
    with desk.database.writing() as connection:
        found = connection.execute(select(claims.c.id)).scalars().all()
        for _ in range(2):
            connection.execute(insert(audit_log), [row | {"subject_id": claim_id} for claim_id in found])


def back_up_under_load(url: str, blank_url: str, folder: Path, token: str) -> Kept:
    """Needs a desk with pending claims, and a blank database to restore it into."""
    kept, data, file = Kept(), folder / "data", folder / "desk.backup"
    database = DirectDatabase(url)
    try:
        with started_server(url, COUNTINGHOUSE_DATA_DIR=str(data), COUNTINGHOUSE_LOG_LEVEL="warning") as server:
            _wait_until_sealed(database)
            with database.reading() as connection:
                pending = select(claims.c.id).where(claims.c.status == "Pending").limit(50_000)
                waiting = iter(connection.execute(pending).scalars().all())
            is_done = threading.Event()
            movers = [
                threading.Thread(target=_move, args=(server.url, token, waiting, is_done, kept)) for _ in range(MOVERS)
            ]
            for mover in movers:
                mover.start()
            kept.backup_seconds = _timed(url, data, kept, "backup", str(file))
            is_done.set()
            for mover in movers:
                mover.join()
    finally:
        database.close()
    kept.megabytes = file.stat().st_size / 1_000_000 if file.exists() else 0.0
    kept.restore_seconds = _timed(blank_url, folder / "new", kept, "restore", str(file))
    if kept.faults:
        return kept
    restored = DirectDatabase(blank_url)
    try:
        with restored.reading() as connection:
            kept.claims = connection.execute(select(func.count()).select_from(claims)).scalar_one()
            kept.audit_rows = connection.execute(select(func.count()).select_from(audit_log)).scalar_one()
    finally:
        restored.close()
    if kept.moves == 0:
        kept.faults.append("No claim was moved while the backup was made.")
    return kept


def _wait_until_sealed(database: DirectDatabase) -> None:
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while run(database.read(has_unsealed)):
        assert time.monotonic() < give_up_at, "the server does not seal"
        time.sleep(0.2)


_lock = threading.Lock()


def _move(url: str, token: str, waiting: Iterator[str], is_done: threading.Event, kept: Kept) -> None:
    while not is_done.is_set():
        with _lock:
            claim_id = next(waiting, None)
        if claim_id is None:
            return
        moved = ask(url, "PUT", f"/api/claims/{claim_id}/status", token=token, body={"status": "Accepted"})
        with _lock:
            kept.moves += moved.status == 200
            kept.slowest_move_seconds = max(kept.slowest_move_seconds, moved.seconds)
            if moved.status != 200:
                kept.faults.append(f"A move was answered with {moved.status} {moved.problem}")


def _timed(url: str, data: Path, kept: Kept, *words: str) -> float:
    """The whole command, as an operator would run it. What it says is kept if it fails."""
    data.parent.mkdir(exist_ok=True)
    out, err = data.parent / f"{words[0]}.out", data.parent / f"{words[0]}.err"
    out.touch()
    err.touch()
    env = server_environment(url, COUNTINGHOUSE_DATA_DIR=str(data))
    began = time.monotonic()
    process = WarmProcess(words, env=env, cwd=data.parent, given=None, out=out, err=err)
    code = process.wait(PATIENCE_SECONDS)
    seconds = time.monotonic() - began
    if code or "wrong" in out.read_text():
        kept.faults.append(f"{words[0]} ended with {code}: {out.read_text()} {err.read_text()}")
    return seconds


def backups(url: str, template: Template) -> tuple[str, list[str]]:
    """The long form, beside the database of this address."""
    desk = Desk(Settings(database_url=url, _env_file=None), template.tokens)
    fill_large_desk(desk, CLAIMS)
    desk.close()
    with tempfile.TemporaryDirectory(prefix="countinghouse-backups-") as folder:
        place = Place(Path(folder), None if url.startswith("sqlite") else url)
        blank_url = place.blank()
        kept = back_up_under_load(url, blank_url, Path(folder), template.tokens["asha"])
        place.remove(blank_url)
    for what, seconds in (("backup", kept.backup_seconds), ("restore", kept.restore_seconds)):
        if seconds > PROMISED_SECONDS:
            kept.faults.append(f"The {what} took {seconds:.0f} s.")
    return str(kept), kept.faults
