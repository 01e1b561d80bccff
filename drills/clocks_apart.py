"""Two servers on one database, and the clock of one of them jumps by minutes or hours while both are in use.

Claims move at both, webhooks are sent, and an import and an export run. On PostgreSQL another program holds a row of
the audit log open across each jump. Every row is sealed in the end: `audit verify` exits with 0 after each jump.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import psycopg
from sqlalchemy import func, select

from countinghouse.audit.sealing import has_work
from countinghouse.audit.tables import audit_seals
from drills.pairs import IMPORTS_FROM
from drills.rows import add_claims, find_faults_in_history
from tests.cli.command import countinghouse
from tests.databases import PASSWORD
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.servers import running_server
from tests.waiting import eventually
from tests.webhooks.receiver import Receiver

JUMPING = (sys.executable, "-m", "drills.jumping_server")
TARGETS = ("Accepted", "Paid")
# Which server is wrong, and by how many seconds.
JUMPS = [(server, by * seconds) for server in (0, 1) for seconds in (20 * 60, 20 * 3600) for by in (1, -1)]
LATE = "INSERT INTO audit_log (at, actor, verb, subject_id) VALUES (now(), 'drill', 'claim.revealed', %s) RETURNING seq"


@dataclass
class ClocksApart:
    jumps: int = 0
    moves: int = 0
    late_rows: int = 0
    imported: int = 0
    exported: int = 0
    # One sentence for each answer that was wrong, and for each thing that `audit verify` found.
    faults: list[str] = field(default_factory=list)


def set_apart(database_url: str, *, claims_a_jump: int, jumps: Sequence[tuple[int, int]] = JUMPS) -> ClocksApart:
    result = ClocksApart()
    with ExitStack() as stack:
        database = DirectDatabase(database_url)
        stack.callback(database.close)
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="countinghouse-clocks-")))
        settings = {
            "PYTHONPATH": IMPORTS_FROM,
            "COUNTINGHOUSE_LOG_LEVEL": "warning",
            "COUNTINGHOUSE_DATA_DIR": str(folder / "data"),
            "COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS": "127.0.0.0/8",
        }
        receiver = stack.enter_context(Receiver())
        desks = [stack.enter_context(_desk(database_url, folder / f"clock{one}", settings)) for one in (0, 1)]
        for desk in desks:
            desk.log_in()
        endpoint = {"url": receiver.url, "events": ["claim.accepted", "claim.paid"]}
        receiver.secrets.append(desks[0].ask("POST", "/api/webhooks", json=endpoint).json()["secret"])
        ids: list[str] = []
        for number, (wrong, seconds) in enumerate(jumps):
            ids += _jump(database, desks, desks[wrong], seconds, claims_a_jump, number, result)
            verified = countinghouse(database_url, "audit", "verify", **settings)
            if verified.returncode != 0:
                result.faults.append(f"server {wrong}, {seconds:+} s: {verified.stdout}{verified.stderr}")
        result.faults += find_faults_in_history(database, [(one, target) for one in ids for target in TARGETS])
    return result


def _jump(
    database: DirectDatabase,
    desks: list["_Desk"],
    wrong: "_Desk",
    seconds: int,
    claims: int,
    number: int,
    result: ClocksApart,
) -> list[str]:
    """Returns the claims that were moved.

    One late row begins before the jump and commits while the clock is wrong; the other one begins while it is wrong and
    commits when it is right again.
    """
    ids = add_claims(database, 2 * claims)
    with ExitStack() as early, ExitStack() as late, ThreadPoolExecutor(4) as pool:
        numbers = [_hold_row(database, early)]
        wrong.set_clock(seconds)
        if database.is_sqlite:
            # There both go by the clock of one machine, and a session that began while it was behind is an old one when
            # it is right again. Each server stands for a machine of its own.
            for desk in desks:
                desk.log_in()
        else:
            # One session for both servers, until the next jump.
            wrong.log_in()
            for desk in desks:
                desk.token = wrong.token
        numbers.append(_hold_row(database, late))
        work = [pool.submit(desk.move, ids[place::2]) for place, desk in enumerate(desks)]
        work += [pool.submit(wrong.import_user, number), pool.submit(wrong.export)]
        moved, more, imported, exported = (one.result(120) for one in work)
        result.moves += moved + more
        result.imported += imported
        result.exported += exported
        # The gap was seen.
        eventually(lambda: _newest_sealed(database) > max(numbers))
        early.close()
        wrong.set_clock(0)
    result.late_rows += len(numbers) if not database.is_sqlite else 0
    result.jumps += 1
    eventually(lambda: not run(database.read(has_work)))
    for desk in desks:
        result.faults += desk.wrong
        desk.wrong.clear()
    return ids


def _hold_row(database: DirectDatabase, until: ExitStack) -> int:
    """The number of a row that commits when the stack is closed."""
    if database.is_sqlite:
        return 0
    connection = until.enter_context(psycopg.connect(database.plain_url))
    found = connection.execute(LATE, ("x",)).fetchone()
    assert found is not None
    return int(found[0])


def _newest_sealed(database: DirectDatabase) -> int:
    with database.reading() as connection:
        return int(connection.execute(select(func.coalesce(func.max(audit_seals.c.seq), 0))).scalar_one())


@contextmanager
def _desk(database_url: str, clock: Path, settings: dict[str, str]) -> Iterator["_Desk"]:
    clock.write_text("0")
    with (
        running_server(database_url, JUMPING, **settings, DRILL_CLOCK=str(clock)) as server,
        httpx2.Client(base_url=server, timeout=30) as client,
    ):
        yield _Desk(client, clock)


@dataclass
class _Desk:
    """An admin at one of the servers."""

    client: httpx2.Client
    clock: Path
    token: str = "none"  # noqa: S105 - until the first login
    wrong: list[str] = field(default_factory=list)

    def set_clock(self, wrong_by: int) -> None:
        self.clock.write_text(str(wrong_by))

    def log_in(self) -> None:
        self.client.cookies.clear()
        answer = self.ask("POST", "/api/admin/login", json={"username": "asha", "password": PASSWORD})
        self.token = answer.json().get("token", "none")

    def ask(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"} | more.pop("headers", {})
        answer = self.client.request(method, path, headers=headers, **more)
        if not answer.is_success:
            self.wrong.append(f"clock {self.clock.read_text()} s: {method} {path} {answer.status_code} {answer.text}")
        return answer

    def move(self, ids: Sequence[str]) -> int:
        for claim_id in ids:
            for target in TARGETS:
                key = {"Idempotency-Key": f"{claim_id}-{target}"}
                self.ask("PUT", f"/api/claims/{claim_id}/status", json={"status": target}, headers=key)
        return len(ids) * len(TARGETS)

    def export(self) -> int:
        made = self.ask("POST", "/api/exports", json={"list": "claims", "format": "csv", "query": {}}).json()
        return len(self.ask("GET", made.get("url", "/")).content.splitlines()) - 1

    def import_user(self, number: int) -> int:
        user = {"id": f"u{number}", "username": "Om Rao", "mobile": f"98057{number:05}", "createdAt": "2026-01-05"}
        content = json.dumps(user).encode()
        files = [{"name": "users.json", "size": len(content)}]
        path = f"/api/imports/{(one := self.ask('POST', '/api/imports', json={'files': files}).json()['_id'])}"
        self.ask("PUT", f"/api/imports/parts?import={one}&number=0", content=content)
        self.ask("POST", f"{path}/plan", json={})
        planned = self._ended(path)
        self.ask("POST", f"{path}/run", json={"map": planned["map"]})
        return int(self._ended(path)["report"]["outcomes"]["users"].get("created", 0))

    def _ended(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = {}

        def is_over() -> bool:
            found.update(self.ask("GET", path).json())
            return found["state"] not in ("planning", "running")

        eventually(is_over)
        return found
