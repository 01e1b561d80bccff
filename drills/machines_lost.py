"""The loss of the leader, of a replica and of a desk instance, and rolling upgrades, all under load: nothing is lost,
and nothing doubled."""

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import choice
from urllib.parse import quote

from drills.clients import PAUSE_SECONDS, Clients, Noted, ask
from drills.ledger import Ledger
from drills.patroni_cluster import Node, PatroniCluster, patroni_cluster, wait_for
from drills.rows import add_claims
from drills.trouble import Limits, Trouble, judge
from tests.databases import PASSWORD, Place, desk_template, migrated_template
from tests.direct_database import DirectDatabase
from tests.pgbouncer import running_pgbouncer, through
from tests.servers import free_port, server_environment
from tests.warm import WarmProcess

LIMITS = Limits(refusal_seconds=15.0, return_seconds=15.0)
INSTANCES = 2
LEADER_KILLED = "leader killed"
LONGEST_RETURN_SECONDS = 60.0
CLAIMS_A_LOSS = 2_000


@dataclass
class Outcome:
    clients: int = 0
    losses: dict[str, int] = field(default_factory=dict)
    # From the kill until HAProxy leads to a primary, and from then until lists and moves succeed again.
    elections: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    # When each rolling upgrade began and ended.
    upgrades: list[tuple[float, float]] = field(default_factory=list)
    own_writes: int = 0
    notes: list[Noted] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refusals = [noted.began for noted in self.notes if noted.status == 503]
        refused_in_upgrades = sum(began <= at <= ended for at in refusals for began, ended in self.upgrades)
        return (
            f"{self.losses} under {self.clients} clients: {len(self.notes)} requests, {len(refusals)} refused, "
            f"{refused_in_upgrades} of them while instances were replaced, "
            f"{len(self.ledger.acknowledged)} moves acknowledged, {self.own_writes} own writes read, a new leader "
            f"after {max(self.elections, default=0):.0f} s at most, service then after "
            f"{max(self.returns, default=0):.1f} s at most, {len(self.faults)} faults"
        )


@dataclass
class Desks:
    """Instances on fixed ports, which HAProxy knows."""

    ports: list[int]
    environment: dict[str, str]
    folder: Path
    processes: dict[int, WarmProcess] = field(default_factory=dict)

    def start(self, port: int) -> None:
        log = self.folder / f"desk-{port}.log"
        log.touch()
        words = ["serve", "--port", str(port)]
        self.processes[port] = WarmProcess(words, env=self.environment, cwd=self.folder, given=None, out=log, err=log)
        url = f"http://127.0.0.1:{port}"
        wait_for(lambda: ask(url, "GET", "/readyz", seconds=5).status == 200, "instance that is ready")

    def kill(self, port: int) -> None:
        self.processes[port].kill()
        self.processes[port].wait(30)

    def replace(self, port: int) -> None:
        """As an upgrade does: it finishes its requests and ends, and another process takes its port."""
        self.processes[port].terminate()
        self.processes[port].wait(30)
        self.start(port)

    def stop(self) -> None:
        for port in self.processes:
            self.kill(port)


class OwnWrites:
    """An admin who moves a claim and at once looks for it in a list, through whichever instance."""

    def __init__(self, url: str, token: str, claims: list[str], outcome: Outcome) -> None:
        self._url, self._token, self._claims, self._outcome = url, token, claims, outcome
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for claim_id in self._claims:
            if self._stop.wait(PAUSE_SECONDS):
                return
            path, body = f"/api/claims/{claim_id}/status", {"status": "Accepted"}
            moved = ask(self._url, "PUT", path, token=self._token, body=body)
            self._outcome.notes.append(moved)
            if moved.status != 200:
                continue
            self._outcome.ledger.acknowledged.add((claim_id, "Accepted"))
            number = quote(str(moved.body["number"]))
            found = ask(self._url, "GET", f"/api/claims/all?limit=5&q={number}", token=self._token)
            self._outcome.notes.append(found)
            if found.status == 200:
                self._outcome.own_writes += 1
                if [row["status"] for row in found.body if row["_id"] == claim_id] != ["Accepted"]:
                    self._outcome.faults.append(f"{claim_id} was accepted, and the list then did not say so")

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(60)


def lose_machines(
    *, leaders: int, replicas: int, desks: int, upgrades: int, groups: int = 1, is_pooled: bool = False
) -> Outcome:
    """`groups` of 20 clients each, and an admin who checks their own writes. `is_pooled`: through pgBouncer.

    In an upgrade each instance is replaced, one after the other, by this same version: the previous release does not
    know yet that it may start on a newer database. tests/core/test_rolling_upgrade.py has both versions.
    """
    outcome = Outcome(clients=20 * groups + 1)
    ports = [free_port() for _ in range(INSTANCES)]
    with ExitStack() as stack:
        cluster = stack.enter_context(patroni_cluster(ports))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="countinghouse-desks-")))
        place = Place(folder, cluster.url(cluster.primary_port))
        template = desk_template(place, migrated_template(place))
        database = DirectDatabase(template.url)
        ids = add_claims(database, CLAIMS_A_LOSS * (leaders + replicas + desks + upgrades + 1))
        database.close()
        name = template.url.rsplit("/", 1)[1]
        primary, replica = template.url, cluster.url(cluster.replica_port, name)
        if is_pooled:
            primary, replica = (
                through(stack.enter_context(running_pgbouncer(url, pool_size=20)), url) for url in (primary, replica)
            )
        environment = server_environment(
            primary,
            COUNTINGHOUSE_REPLICA_URL=replica,
            COUNTINGHOUSE_TRANSACTION_POOLING="on" if is_pooled else "off",
            COUNTINGHOUSE_LOG_LEVEL="warning",
        )
        running = Desks(ports, environment, folder)
        stack.callback(running.stop)
        for port in ports:
            running.start(port)
        url, token = f"http://127.0.0.1:{cluster.desk_port}", template.tokens["asha"]
        wait_for(lambda: ask(url, "GET", "/readyz", seconds=5).status == 200, "desk behind HAProxy")
        troubles: list[Trouble] = []
        with _load(url, token, ids, outcome, groups):
            losing = Losing(cluster, running, url, token, outcome, troubles)
            for _ in range(replicas):
                losing.lose("replica killed", losing.kill_replica)
            for number in range(desks):
                losing.lose("desk killed", partial(losing.kill_desk, ports[number % INSTANCES]))
            for _ in range(upgrades):
                losing.lose("rolling upgrade", losing.replace_desks)
            for _ in range(leaders):
                losing.lose(LEADER_KILLED, losing.kill_leader)
        outcome.faults += judge(outcome.notes, troubles, LIMITS)
        cluster.wait_until_served()
        outcome.faults += outcome.ledger.find_faults(template.url)
    return outcome


@contextmanager
def _load(url: str, token: str, ids: list[str], outcome: Outcome, groups: int) -> Iterator[None]:
    shares = [ids[number :: groups + 1] for number in range(groups + 1)]
    every = [Clients(url, token, "asha", PASSWORD, share, outcome.ledger) for share in shares[1:]]
    for clients in every:
        clients.start()
    own = OwnWrites(url, token, shares[0], outcome)
    time.sleep(2)
    try:
        yield
    finally:
        own.stop()
        for clients in every:
            clients.stop()
            outcome.notes += clients.notes


@dataclass
class Losing:
    cluster: PatroniCluster
    desks: Desks
    url: str
    token: str
    outcome: Outcome
    troubles: list[Trouble]
    killed: list[Node] = field(default_factory=list)

    def lose(self, name: str, kill: Callable[[], None]) -> None:
        """`kill` returns when the service can be expected to work again."""
        began = time.monotonic()
        kill()
        elected = time.monotonic()
        in_a_row = 0
        while in_a_row < 3 and time.monotonic() < elected + LONGEST_RETURN_SECONDS:
            answer = ask(self.url, "GET", "/api/claims/all?limit=50", token=self.token)
            in_a_row = in_a_row + 1 if answer.status == 200 else 0
        took = time.monotonic() - elected
        if in_a_row < 3 or took > LIMITS.return_seconds:
            self.outcome.faults.append(f"{name}: normal service only {took:.1f} s after the election")
        self.outcome.returns.append(took)
        if name == LEADER_KILLED:
            self.outcome.elections.append(elected - began)
        self.outcome.losses[name] = self.outcome.losses.get(name, 0) + 1
        while self.killed:
            self.cluster.start_node(self.killed.pop())
        # A change waits while another node becomes the synchronous replica, so it may be refused until then.
        self.cluster.wait_until_whole()
        self.troubles.append(Trouble(name, began, time.monotonic()))

    def kill_leader(self) -> None:
        leader = self.cluster.find_leader()
        assert leader is not None
        leader.kill()
        self.killed.append(leader)
        wait_for(lambda: self.cluster.find_leader() not in (None, leader), "new leader")
        self.cluster.wait_until_served()

    def kill_replica(self) -> None:
        leader = self.cluster.find_leader()
        replica = choice([node for node in self.cluster.nodes if node is not leader])  # noqa: S311 - either will do
        replica.kill()
        self.killed.append(replica)

    def kill_desk(self, port: int) -> None:
        self.desks.kill(port)
        self.desks.start(port)

    def replace_desks(self) -> None:
        began = time.monotonic()
        for port in self.desks.ports:
            self.desks.replace(port)
            wait_for(partial(self.cluster.is_balanced_to, port), "instance that HAProxy sends requests to")
        self.outcome.upgrades.append((began, time.monotonic()))


if __name__ == "__main__":
    # The short version.
    found = lose_machines(leaders=1, replicas=1, desks=2, upgrades=1, is_pooled="pooled" in sys.argv)
    print(found, *found.faults, sep="\n  ")
    sys.exit(1 if found.faults else 0)
