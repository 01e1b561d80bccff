"""Kill -9 of servers while they send webhooks: each event arrives at least once, and in order per claim."""

import threading
import time
from collections import Counter, defaultdict
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import null, update

from countinghouse.core.times import now
from countinghouse.webhooks.events import EVENT_TYPES
from countinghouse.webhooks.tables import webhook_deliveries
from drills.clients import ask
from drills.rows import add_claims
from tests.direct_database import DirectDatabase
from tests.servers import Server, started_server
from tests.waiting import eventually
from tests.webhooks.receiver import Answer, HalfFailing, Received, Receiver

TARGETS = ("Accepted", "Paid", "Returned", "On hold", "Rejected")
TYPES = ["claim.accepted", "claim.paid", "claim.returned", "claim.held", "claim.rejected"]
CLAIMS_A_CYCLE = 8
SECONDS_BEFORE_KILL = 0.6
# Slow enough that a kill meets requests under way.
SLOWEST_ANSWER_SECONDS = 0.05
PATIENCE_SECONDS = 60.0


@dataclass
class Sent:
    kills: int = 0
    events: int = 0
    requests: int = 0
    repeated: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"servers killed {self.kills} times while they sent {self.events} events to a receiver that fails half of "
            f"the time: {self.requests} requests, {self.repeated} events taken more than once"
        )


def kill_while_sending(database_url: str, token: str, *, kills: int, seed: int = 1) -> Sent:
    random = Random(seed)  # noqa: S311 - a drill is reproducible
    found = Sent()
    database = DirectDatabase(database_url)
    half_failing = HalfFailing(seed)

    def answer(received: Received) -> Answer:
        time.sleep(SLOWEST_ANSWER_SECONDS * random.random())
        return half_failing(received)

    with Receiver(answer) as receiver:
        try:
            claim_ids: list[str] = []
            _add_endpoint(database_url, token, receiver)
            for _ in range(kills):
                new = add_claims(database, CLAIMS_A_CYCLE)
                claim_ids += new
                _cycle(database_url, database, token, new, receiver, random.random() * SECONDS_BEFORE_KILL)
                found.kills += 1
            receiver.answer = lambda _: Answer()
            _send_the_rest(database_url, database, receiver, claim_ids)
        finally:
            database.close()
    found.events = len(claim_ids) * len(TYPES)
    found.requests = len(receiver.received)
    found.faults += _find_faults(receiver, claim_ids)
    found.repeated = sum(count > 1 for count in Counter(one.id for one in receiver.taken).values())
    return found


def _started(database_url: str) -> AbstractContextManager[Server]:
    return started_server(
        database_url,
        COUNTINGHOUSE_LOG_LEVEL="warning",
        COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS="127.0.0.0/8",
    )


def _add_endpoint(database_url: str, token: str, receiver: Receiver) -> None:
    with _started(database_url) as server:
        body = {"url": receiver.url, "events": list(EVENT_TYPES)}
        noted = ask(server.url, "POST", "/api/webhooks", token=token, body=body)
        assert noted.status == 201, noted
        receiver.secrets.append(noted.body["secret"])


def _cycle(
    database_url: str, database: DirectDatabase, token: str, claim_ids: list[str], receiver: Receiver, wait: float
) -> None:
    """Two servers send. One of them is killed in the middle; the other makes the moves and goes on."""
    with ExitStack() as opened:
        doomed = opened.enter_context(_started(database_url))
        staying = opened.enter_context(_started(database_url))
        before = len(receiver.received)

        def kill() -> None:
            eventually(lambda: len(receiver.received) > before, PATIENCE_SECONDS)
            time.sleep(wait)
            doomed.process.kill()
            doomed.process.wait(PATIENCE_SECONDS)

        killer = threading.Thread(target=kill)
        killer.start()
        _move_all(staying, token, claim_ids)
        killer.join()
    # Both have ended, so whatever is leased is nobody's: this stands for the end of the lease.
    make_due(database)


def _move_all(server: Server, token: str, claim_ids: list[str]) -> None:
    for target in TARGETS:
        for claim_id in claim_ids:
            body = {"status": target} | ({} if target in ("Accepted", "Paid") else {"reason": "Account closed."})
            noted = ask(server.url, "PUT", f"/api/claims/{claim_id}/status", token=token, body=body)
            assert noted.status == 200, noted


def make_due(database: DirectDatabase) -> None:
    rows = webhook_deliveries.c
    with database.writing() as connection:
        due = update(webhook_deliveries).where(rows.state == "waiting", rows.due_at.is_not(None))
        connection.execute(due.values(due_at=now(), lease=null()))


def _send_the_rest(database_url: str, database: DirectDatabase, receiver: Receiver, claim_ids: list[str]) -> None:
    make_due(database)
    events = len(claim_ids) * len(TYPES)
    # Not those about the claims' purchases, which get findings meanwhile.
    about_claims = set(claim_ids)
    with _started(database_url):
        eventually(
            lambda: len({one.id for one in list(receiver.taken) if one.subject in about_claims}) >= events,
            PATIENCE_SECONDS,
        )


def _find_faults(receiver: Receiver, claim_ids: list[str]) -> list[str]:
    faults = [f"{event_id} was sent twice at once" for event_id in receiver.overlapping]
    taken: dict[str, list[Received]] = defaultdict(list)
    for one in receiver.taken:
        # A repetition of what arrived before is allowed: the sender was killed before it could note the success.
        if one.id not in {earlier.id for earlier in taken[one.subject]}:
            taken[one.subject].append(one)
    for claim_id in claim_ids:
        types = [one.type for one in taken[claim_id]]
        if types != TYPES:
            faults.append(f"{claim_id} got {types}")
    return faults
