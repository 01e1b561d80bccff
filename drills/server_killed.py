"""Kill -9 of the server during single moves: what was acknowledged is stored, and no retry moves a claim twice."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from drills.clients import TARGETS, ask
from drills.ledger import Ledger
from drills.rows import add_claims
from tests.direct_database import DirectDatabase
from tests.servers import Server, started_server

MOVERS = 8
CLAIMS_A_CYCLE = 60
SECONDS_BEFORE_KILL = 0.4
PATIENCE_SECONDS = 30.0


@dataclass
class Kills:
    kills: int = 0
    # Moves that got no answer because of the kill.
    cut_off: list[str] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        moves = f"{len(self.ledger.acknowledged)} moves acknowledged, {len(self.cut_off)} cut off and retried"
        return f"server killed {self.kills} times during single moves: {moves}"


def kill_during_moves(database_url: str, token: str, *, kills: int, seed: int = 1) -> Kills:
    """Each claim goes to Accepted and to Paid. Interrupted moves are retried with their key on the next server."""
    random = Random(seed)  # noqa: S311 - a drill is reproducible
    found = Kills()
    database = DirectDatabase(database_url)
    try:
        left: list[list[tuple[str, str]]] = [[] for _ in range(MOVERS)]
        for _ in range(kills):
            ids = add_claims(database, CLAIMS_A_CYCLE)
            for number, moves in enumerate(left):
                moves += [(claim_id, target) for claim_id in ids[number::MOVERS] for target in TARGETS]
            _cycle(database_url, token, left, found, before_kill=random.random() * SECONDS_BEFORE_KILL)
    finally:
        database.close()
    # Nothing is left half done: the last server makes all interrupted moves.
    with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        _move_all(server, token, [moves[:1] for moves in left], found, lambda: False)
    found.faults += found.ledger.find_faults(database_url)
    return found


def _cycle(
    database_url: str, token: str, left: list[list[tuple[str, str]]], found: Kills, *, before_kill: float
) -> None:
    with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        acknowledged = len(found.ledger.acknowledged)
        killed = threading.Event()

        def kill() -> None:
            # Not before something has moved: killing an idle server shows nothing.
            deadline = time.monotonic() + PATIENCE_SECONDS
            while len(found.ledger.acknowledged) == acknowledged and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(before_kill)
            killed.set()
            server.process.kill()
            server.process.wait(PATIENCE_SECONDS)

        killer = threading.Thread(target=kill)
        killer.start()
        _move_all(server, token, left, found, killed.is_set)
        killer.join()
        found.kills += 1


def _move_all(
    server: Server, token: str, left: list[list[tuple[str, str]]], found: Kills, is_killed: Callable[[], bool]
) -> None:
    def work(moves: list[tuple[str, str]]) -> None:
        while moves:
            claim_id, target = moves[0]
            path, key = f"/api/claims/{claim_id}/status", f"{claim_id}-{target}"
            noted = ask(server.url, "PUT", path, token=token, body={"status": target}, key=key)
            if noted.status == 200:
                found.ledger.acknowledged.add(moves.pop(0))
            elif noted.status is None and is_killed():
                found.cut_off.append(key)
                return
            else:
                found.faults.append(f"{claim_id} to {target}: {noted.status} {noted.problem or noted.body}")
                return

    threads = [threading.Thread(target=work, args=(moves,)) for moves in left]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
