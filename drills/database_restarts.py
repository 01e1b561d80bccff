"""PostgreSQL restarted, killed, cut off and frozen under load: clear refusals, a quick recovery, nothing lost."""

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice

from drills.own_postgres import OwnPostgres, own_postgres
from drills.trouble import Outcome, under_load

FROZEN_SECONDS = 8.0
# About what eight movers need between two faults, plus more for the wait at the end.
CLAIMS_A_TROUBLE = 150

FAST, IMMEDIATE, KILLED = "restarted fast", "restarted immediately", "killed and started"
TERMINATED, FROZEN = "all backends terminated", "frozen"
WAYS = (FAST, IMMEDIATE, KILLED, TERMINATED, FROZEN)


def disturb(ways: Sequence[str], *, times: int, is_long: bool) -> Outcome:
    """Runs the faults in turn, then SIGTERM while the database is frozen; the long version also while it is healthy."""
    outcome = Outcome()
    with own_postgres() as postgres:
        faults_by_name = _faults_by_name(postgres)
        claims = CLAIMS_A_TROUBLE * (times + 2)
        with under_load(postgres.desk.url, postgres.desk, outcome, claims=claims, is_long=is_long) as load:
            for way in islice(cycle(ways), times):
                load.meet(way, faults_by_name[way])
            postgres.freeze()
            # So that some requests are waiting for it.
            time.sleep(1)
            load.finish("the database frozen")
        postgres.thaw()
        postgres.wait_until_up()
        if is_long:
            with under_load(postgres.desk.url, postgres.desk, outcome, claims=CLAIMS_A_TROUBLE, is_long=True) as load:
                load.finish("the database in order")
        outcome.faults += outcome.ledger.find_faults(postgres.desk.url)
    return outcome


def _faults_by_name(postgres: OwnPostgres) -> dict[str, Callable[[], None]]:
    def freeze_for_a_while() -> None:
        postgres.freeze()
        time.sleep(FROZEN_SECONDS)
        postgres.thaw()

    faults_by_name = {
        FAST: postgres.restart_fast,
        IMMEDIATE: postgres.restart_immediate,
        KILLED: postgres.kill_and_start,
        TERMINATED: postgres.terminate_backends,
        FROZEN: freeze_for_a_while,
    }

    def and_wait(make: Callable[[], None]) -> Callable[[], None]:
        def made() -> None:
            make()
            postgres.wait_until_up()

        return made

    return {name: and_wait(make) for name, make in faults_by_name.items()}
