"""Cheap checks of how an answer was produced: with a bad query plan, a fast answer does not stay fast as data grows."""

import json
from collections.abc import Iterator
from typing import Any

from bench.contenders.contender import Surroundings
from bench.contenders.ours import Ours
from bench.desks import Desk
from bench.tasks import Task
from bench.wire import Connection

CALLS = 20
SCANS = "SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables WHERE relname IN ('claims', 'purchases', 'users')"


def bad_steps_of(desk: Desk, statement: str) -> list[str]:
    """Sorts, memoized joins and sequential scans of the long tables in a plan that needs none of them."""
    (plan,) = desk.fetch(f"EXPLAIN (FORMAT JSON) {statement}")[0]
    parsed = plan if isinstance(plan, list) else json.loads(plan)
    return [step for step in _steps(parsed[0]["Plan"]) if step in ("Sort", "Memoize", "Seq Scan")]


def _steps(node: dict[str, Any]) -> Iterator[str]:
    yield str(node["Node Type"])
    for child in node.get("Plans", []):
        yield from _steps(child)


def scans_by_our_server(surroundings: Surroundings, tasks: Iterator[Task]) -> int:
    """How often our server scanned a whole long table in twenty calls; the counts are read after it has stopped."""
    before = surroundings.desk.fetch(SCANS)[0][0]
    ours = Ours()
    with ours.serve(surroundings) as server, Connection(server.port) as connection:
        for _ in range(CALLS):
            connection.ask(ours.call_for(next(tasks)))
    return int(surroundings.desk.fetch(SCANS)[0][0] - before)
