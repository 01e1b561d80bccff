"""What each migration costs on a filled database of the first release: the numbers in migrations/costs.json.

python -m drills.migration_costs [CLAIMS]        seconds of each step, and per million rows of the tables it reads

Counted are processor seconds of the process that works, so that other programs on the machine do not matter.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import list_steps, migrate
from tests.contract.rows import fill
from tests.core.earlier_desks import desk_at
from tests.databases import Place
from tests.desk import Desk, days_before
from tests.postgres_server import running_cluster

CLAIMS = 100_000
# Workers of their own would not be counted.
SETTINGS = {"max_connections": "50", "max_parallel_maintenance_workers": "0", "max_parallel_workers_per_gather": "0"}


def measure(place: Place, folder: Path, count: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch, desk_at("0001", place.blank(), folder, monkeypatch) as desk:
        fill(desk, count, statuses=("Pending", "Accepted", "Paid"))
        _add_history(desk)
        with desk.database.reading() as connection:
            tables = ("users", "purchases", "claims", "claim_transitions", "audit_log")
            rows = {
                name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()  # noqa: S608 - our names
                for name in tables
            }
        print(rows)
        steps = {step.revision: step for step in list_steps("0001")}
        before = _processor_seconds(desk)

        def tell(revision: str) -> None:
            nonlocal before
            now = _processor_seconds(desk)
            took, before = now - before, now
            step = steps[revision]
            concerned = sum(rows.get(name, 0) for name in step.tables)
            per_million = f"{took / concerned * 1_000_000:6.1f} s per million" if concerned else ""
            print(f"{revision} {took:6.2f} s {per_million}  {step.title[:60]}", flush=True)

        migrate(desk.database, tell)


def _processor_seconds(desk: Desk) -> float:
    """Of this process, or of the one that PostgreSQL has for the connection with the lock."""
    if desk.database.is_sqlite:
        return time.process_time()
    with desk.database.reading() as connection:
        process = connection.execute(text("SELECT pid FROM pg_locks WHERE locktype = 'advisory'")).scalar_one_or_none()
    if process is None:
        return 0.0
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _add_history(desk: Desk) -> None:
    """One move of each claim that is not pending, and one audit row of each claim."""
    at = days_before(9)
    with desk.database.writing() as connection:
        found = connection.execute(select(claims.c.id, claims.c.status)).all()
        move = {"from_status": "Pending", "moved_by": "asha", "moved_at": at}
        moves = [
            move | {"id": new_id(), "claim_id": claim.id, "to_status": claim.status}
            for claim in found
            if claim.status != "Pending"
        ]
        connection.execute(insert(claim_transitions), moves)
        row = {"at": at, "actor": "asha", "verb": "claim.moved", "after": {"status": "Accepted"}}
        connection.execute(insert(audit_log), [row | {"subject_id": claim.id} for claim in found])


def main(count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="countinghouse-costs-") as made:
        for engine in ("sqlite", "postgresql"):
            folder = Path(made) / engine
            folder.mkdir()
            print(engine)
            if engine == "sqlite":
                measure(Place(folder, None), folder, count)
                continue
            with running_cluster(SETTINGS) as (_cluster, url):
                measure(Place(folder, url), folder, count)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CLAIMS)
