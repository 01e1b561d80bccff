"""Many admins move one claim at the same time, over two servers and one database: each race has one winner."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from drills.rows import add_claims, add_signed_in_admins, find_faults_in_history
from drills.wire import Answer, Line
from tests.direct_database import DirectDatabase

RACERS = 32
TARGETS = ("Accepted", "Paid")


@dataclass(frozen=True, slots=True)
class Races:
    races: int
    # What went wrong, one sentence each; empty if every race had one winner.
    faults: tuple[str, ...]


def race(database_url: str, servers: Sequence[str], *, races: int) -> Races:
    """Each claim is raced for twice: to Accepted, then to Paid. The servers already run on this database."""
    database = DirectDatabase(database_url)
    try:
        racers = add_signed_in_admins(database, RACERS)
        ids = add_claims(database, (races + 1) // 2)
        heats = [(claim_id, target) for claim_id in ids for target in TARGETS][:races]
        faults = asyncio.run(_run_heats(servers, racers, heats))
        faults += find_faults_in_history(database, heats)
    finally:
        database.close()
    return Races(len(heats), tuple(faults))


async def _run_heats(servers: Sequence[str], racers: list[str], heats: list[tuple[str, str]]) -> list[str]:
    faults = []
    async with AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(Line(servers[number % len(servers)], racer))
            for number, racer in enumerate(racers)
        ]
        for claim_id, target in heats:
            answers = await asyncio.gather(*(line.move(claim_id, target) for line in lines))
            faults += _judge(claim_id, target, racers, answers)
    return faults


def _judge(claim_id: str, target: str, racers: list[str], answers: Sequence[Answer]) -> list[str]:
    winners = [racer for racer, answer in zip(racers, answers, strict=True) if answer.status == 200]
    if len(winners) != 1:
        return [f"{claim_id} to {target}: {len(winners)} winners"]
    named = Counter(answer.body.get("fields", {}).get("by") for answer in answers if answer.status == 409)
    if named != {winners[0]: len(racers) - 1}:
        return [f"{claim_id} to {target}: {winners[0]} won, and the others were told {dict(named)}"]
    return []
