"""Kill -9 in the middle of an import, again and again: the last run completes it, and every total agrees."""

import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Table, func, select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase
from tests.importing.command import read_outcomes, read_report
from tests.importing.synthetic import Service
from tests.servers import server_environment
from tests.warm import WarmProcess

PATIENCE_SECONDS = 3600.0
MOST_MEGABYTES = 200
_TABLES = {"users": users, "purchases": purchases, "claims": claims}


@dataclass
class Outcome:
    rows: int
    kills: int = 0
    rows_per_second: float = 0.0
    megabytes: float = 0.0
    faults: list[str] = field(default_factory=list)

    def expect(self, what: str, found: Any, expected: Any) -> None:
        if found != expected:
            self.faults.append(f"{what}: {found} instead of {expected}")


def import_and_kill(
    database_url: str,
    service: Service,
    write: Callable[[Service, Path], Path],
    folder: Path,
    *,
    kills: int,
    seed: int = 1,
    longest_wait_seconds: float = 0.5,
) -> Outcome:
    """Needs a migrated database without rows: plans the import, runs and kills it, completes it, and runs it again.

    A small import ends within half a second: `longest_wait_seconds` must be shorter then.
    """
    source = write(service, folder)
    outcome = Outcome(service.users + service.purchases + service.claims)
    planned = _run(database_url, folder / "planned", source, outcome, "--dry-run")
    database = DirectDatabase(database_url)
    try:
        random = Random(seed)  # noqa: S311 - reproducible on purpose
        for number in range(1, kills + 1):
            share, killed = number / (kills + 1), folder / f"killed{number}"
            _run_and_kill(database, database_url, killed, source, outcome, share, random, longest_wait_seconds)
        began, before = time.monotonic(), _count(database)
        last = _run(database_url, folder / "last", source, outcome)
        outcome.rows_per_second = (_count(database) - before) / (time.monotonic() - began)
        again = _run(database_url, folder / "again", source, outcome)
        _check(database, service, outcome)
    finally:
        database.close()
    for noun, good in service.good().items():
        created, unchanged, conflicts, bad = last[noun]
        outcome.expect(f"{noun} in the last run", (created + unchanged, conflicts), (good, 0))
        outcome.expect(f"{noun} in the dry run", planned[noun], (good, 0, 0, bad))
        outcome.expect(f"{noun} in another run", again[noun], (0, good, 0, bad))
    if outcome.megabytes > MOST_MEGABYTES:
        outcome.faults.append(f"It needed {outcome.megabytes:.0f} MB.")
    return outcome


def _started(database_url: str, folder: Path, source: Path, *words: str) -> WarmProcess:
    folder.mkdir()
    env = server_environment(database_url) | {"COLUMNS": "250"}
    out, err = folder / "out", folder / "err"
    for written in (out, err):
        written.touch()
    return WarmProcess(["import", str(source), *words], env=env, cwd=folder, given=None, out=out, err=err)


def _peak_megabytes(pid: int) -> float:
    """Asked of the process itself: what `wait` reports of a child includes the memory of its parent before `exec`."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    peak = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(peak[1]) / 1024 if peak else 0.0


def _run(database_url: str, folder: Path, source: Path, outcome: Outcome, *words: str) -> dict[str, tuple[int, ...]]:
    process = _started(database_url, folder, source, *words)
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while (code := process.poll()) is None and time.monotonic() < give_up_at:
        outcome.megabytes = max(outcome.megabytes, _peak_megabytes(process.pid))
        time.sleep(0.1)
    outcome.expect("the exit code", code, 4)
    outcomes = read_outcomes((folder / "out").read_text())
    (report,) = folder.glob("import-errors-*.csv")
    reported = {(row["Collection"], row["Place"]) for row in read_report(report) if row["Outcome"] != "imported"}
    outcome.expect(
        "bad rows in the report", len(reported), sum(conflicts + bad for *_, conflicts, bad in outcomes.values())
    )
    return outcomes


def _run_and_kill(
    database: DirectDatabase,
    database_url: str,
    folder: Path,
    source: Path,
    outcome: Outcome,
    share: float,
    random: Random,
    longest_wait_seconds: float,
) -> None:
    process = _started(database_url, folder, source)
    deadline = time.monotonic() + PATIENCE_SECONDS
    took = 0.0
    while True:
        began = time.monotonic()
        if _count(database) >= outcome.rows * share:
            break
        took = time.monotonic() - began
        assert process.poll() is None, (folder / "err").read_text()
        assert time.monotonic() < deadline, "the import does not go on"
        # Counting takes long when there are many, and would take the processor from the import.
        time.sleep(max(0.02, 5 * took))
    # At a random time within a transaction, and not always just after a commit.
    time.sleep(random.random() * longest_wait_seconds)
    process.kill()
    outcome.kills += process.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def _count(database: DirectDatabase) -> int:
    return sum(_scalar(database, select(func.count()).select_from(table)) for table in _TABLES.values())


def _scalar(database: DirectDatabase, statement: Any) -> int:
    with database.reading() as connection:
        return int(connection.execute(statement).scalar_one())


def _check(database: DirectDatabase, service: Service, outcome: Outcome) -> None:
    for noun, good in service.good().items():
        outcome.expect(noun, _scalar(database, select(func.count()).select_from(_TABLES[noun])), good)
        outcome.expect(f"findings of {noun}", *_unchecked(database, _TABLES[noun]))
    outcome.expect("invested", _scalar(database, select(func.sum(purchases.c.invest_paise))), service.invested_paise())
    with database.reading() as connection:
        by_status = select(claims.c.status, func.sum(claims.c.amount_paise)).group_by(claims.c.status)
        sums = {status: int(paise) for status, paise in connection.execute(by_status)}
        outcome.expect("claimed", sums, service.paise_by_status())
        movers = Counter(connection.execute(select(claim_transitions.c.moved_by)).scalars())
        decided = _scalar(database, select(func.count()).select_from(claims).where(claims.c.status != "Pending"))
        outcome.expect("moves", dict(movers), {"imported": decided})
        added = audit_log.c.verb.in_(("user.added", "purchase.added", "claim.added"))
        subjects = connection.execute(select(audit_log.c.subject_id).where(added)).scalars().all()
    outcome.expect("audit rows", (len(subjects), len(set(subjects))), (sum(service.good().values()),) * 2)


def _unchecked(database: DirectDatabase, table: Table) -> tuple[int, int]:
    if table is not purchases:
        return 0, 0
    return _scalar(database, select(func.count()).select_from(table).where(table.c.findings.is_(None))), 0
