"""Batches of a thousand rows: our intake against bulk inserts of the peers, and our rates on both engines."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import Any

from bench.comparison import Comparison, Work, compare
from bench.contenders.ours import add_key, push, serving
from bench.cpu import CpuMeter
from bench.desks import Desk
from bench.run import ENGINES, Run
from bench.tasks import Push
from bench.wire import Connection, ask_many
from bench.works import peers

BATCH = 1000
WITH_INTAKE = ("drf", "express")
# Of each noun on each engine, for its rate.
BATCHES = 10
# A second one keeps the server busy while the first waits; a server works on two calls at once.
PUSHERS = (1, 2)


@dataclass(frozen=True)
class Rate:
    engine: str
    noun: str
    pushers: int
    by_clock: float
    by_cpu: float


@dataclass
class IntakeComparison(Comparison):
    """A batch has a thousand rows, so its milliseconds are the microseconds of a row."""

    rates: list[Rate] = field(default_factory=list)


def compare_intake(run: Run) -> IntakeComparison:
    with run.copy_of(run.desk("postgresql", run.plan.listed)) as desk:
        _make_room_for_answers(desk)
        sent: list[Push] = []
        tasks = _batches(desk, sent)
        work = Work(f"Batch of {BATCH:,} claims with validation and audit rows", desk, tasks)
        found = compare(work, peers(run, *WITH_INTAKE), [], run.plan, run.token(desk), run.folder)
        _check_stored(desk, len(sent) * BATCH)
    result = IntakeComparison(found.title, found.engine, found.samples, found.left_out, found.findings)
    for engine in ENGINES:
        with run.copy_of(run.desk(engine, run.plan.listed)) as desk:
            result.rates += _measure_rates(run, desk)
    return result


def _make_room_for_answers(desk: Desk) -> None:
    """The peers keep their answers by idempotency key too; our own table refers to our API keys."""
    if desk.postgres is None:
        raise ValueError("the peers store their answers on PostgreSQL only")
    with desk.postgres.connected(desk.name) as connection:
        connection.execute(
            "CREATE TABLE bench_answers (idempotency_key varchar(200) PRIMARY KEY, asked_hash bytea NOT NULL, "
            "answer bytea NOT NULL, created_at timestamptz NOT NULL)"
        )
        connection.execute("CREATE INDEX ON bench_answers (created_at)")


def _batches(desk: Desk, sent: list[Push]) -> Iterator[Push]:
    """The same rows for every contender: claims on stored purchases, under external ids that are new."""
    bought = cycle(desk.fetch("SELECT id, user_id FROM purchases ORDER BY id"))
    for number in count():
        rows = [
            _claim(number * BATCH + place, {"user": user_id, "purchase": purchase_id})
            for place, (purchase_id, user_id) in zip(range(BATCH), bought, strict=False)
        ]
        sent.append(Push(number, json.dumps(rows).encode()))
        yield sent[-1]


def _check_stored(desk: Desk, rows: int) -> None:
    """Every row of every contender, and one audit row for each."""
    stored = "SELECT count(*), count(DISTINCT id) FROM claims WHERE external_id IS NOT NULL"
    audited = "SELECT count(*), count(DISTINCT subject_id) FROM audit_log WHERE verb = 'claim.added'"
    for statement in (stored, audited):
        counted = desk.fetch(statement)[0]
        if counted != (rows, rows):
            raise RuntimeError(f"{rows} claims were sent, and {counted} are there: {statement}")


def _measure_rates(run: Run, desk: Desk) -> Iterator[Rate]:
    key = add_key(desk, run.folder)
    with serving(desk, run.folder) as server:
        meter = CpuMeter(server.process, desk.postmasters)
        for pushers in PUSHERS:
            for noun, make in MADE.items():
                first = pushers * BATCH * BATCHES
                bodies = [
                    json.dumps([make(first + number * BATCH + place) for place in range(BATCH)]).encode()
                    for number in range(BATCHES)
                ]
                calls = [push(noun, key, f"{noun}-{pushers}-{number}", body) for number, body in enumerate(bodies)]
                connections = [Connection(server.port) for _ in range(pushers)]
                before, began = meter.read(), time.perf_counter()
                ask_many(connections, calls)
                seconds, cpu = time.perf_counter() - began, (meter.read() - before).total_ns / 1e9
                for connection in connections:
                    connection.close()
                rows = BATCH * BATCHES
                yield Rate(desk.engine, noun, pushers, rows / seconds, rows / cpu)


def _claim(number: int, related: dict[str, Any]) -> dict[str, Any]:
    return {
        "externalId": f"bench-{number}",
        **related,
        "amount": 100 + number % 5_000 / 4,
        "accountNo": f"0045{number:08}",
        "ifsc": "HDFC0001234",
        "address": f"{number % 900 + 1} MG Road, Kochi 682016",
    }


def _made_user(number: int) -> dict[str, Any]:
    return {"externalId": f"u-{number}", "username": f"Client {number} Rao", "mobile": f"98{number:08}"}


def _made_purchase(number: int) -> dict[str, Any]:
    return {
        "externalId": f"p-{number}",
        "user": {"externalId": f"u-{number}"},
        "invest": (500, 1_000, 2_000, 5_000, 10_000)[number % 5],
        "dailyIncome": 62.5,
        # All of one day, and in no order.
        "upiId": f"6319{number * 48_271 % 99_999_989:08}",
        "claimType": "Daily",
        "qrName": f"Desk {number % 3}",
    }


def _made_claim(number: int) -> dict[str, Any]:
    return _claim(number, {"user": {"externalId": f"u-{number}"}, "purchase": {"externalId": f"p-{number}"}})


# In an order in which each refers to rows that are there.
MADE = {"users": _made_user, "purchases": _made_purchase, "claims": _made_claim}
