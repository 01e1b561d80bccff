"""Moves over a connection that loses replies, retried with their keys: none happens twice or is reported as failed."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from drills.lossy_line import Fate, LossyLine, lossy_line
from drills.rows import add_claims, add_signed_in_admins, find_faults_in_history
from drills.wire import Answer, Line, LineBroken
from tests.direct_database import DirectDatabase

CLIENTS = 16
TARGETS = ("Accepted", "Paid")
# Nine out of ten succeed within six tries; nobody needs this many.
MOST_TRIES = 200


@dataclass
class LostReplies:
    moves: int
    tries: int = 0
    fates: Counter[Fate] = field(default_factory=Counter)
    # Final answers other than success.
    misled: list[str] = field(default_factory=list)
    # Claims whose history lacks a move, or contains it more than once.
    faults: list[str] = field(default_factory=list)


def lose_replies(
    database_url: str, servers: list[str], *, moves: int, with_keys: bool = True, seed: int = 1
) -> LostReplies:
    """Each claim goes to Accepted and then to Paid, each time by another admin. The servers are already running."""
    database = DirectDatabase(database_url)
    try:
        admins = add_signed_in_admins(database, CLIENTS)
        ids = add_claims(database, moves // len(TARGETS))
        result = LostReplies(len(ids) * len(TARGETS))
        asyncio.run(_move_all(servers, admins, ids, result, with_keys, seed))
        wanted = [(claim_id, target) for claim_id in ids for target in TARGETS]
        result.faults = find_faults_in_history(database, wanted)
    finally:
        database.close()
    return result


async def _move_all(
    servers: list[str], admins: list[str], ids: list[str], result: LostReplies, with_keys: bool, seed: int
) -> None:
    async with lossy_line(servers, seed) as line:

        async def work(number: int) -> None:
            for claim_id in ids[number::CLIENTS]:
                for step, target in enumerate(TARGETS):
                    token = admins[(number + step) % CLIENTS]
                    key = f"{claim_id}-{target}" if with_keys else None
                    next_admin = admins[(number + step + 1) % CLIENTS]
                    answer = await _move_with_retries(line, servers, token, next_admin, claim_id, target, key, result)
                    if answer.status != 200 or answer.body["status"] != target:
                        result.misled.append(f"{claim_id} to {target}: {answer.status} {answer.body}")

        await asyncio.gather(*(work(number) for number in range(CLIENTS)))
        result.fates = line.fates


async def _move_with_retries(
    line: LossyLine,
    servers: list[str],
    token: str,
    next_admin: str,
    claim_id: str,
    target: str,
    key: str | None,
    result: LostReplies,
) -> Answer:
    for _ in range(MOST_TRIES):
        result.tries += 1
        try:
            async with Line(line.url, token) as connection:
                return await connection.move(claim_id, target, key)
        except (LineBroken, OSError):
            if target == TARGETS[0]:
                await _pay_meanwhile(servers, next_admin, claim_id, with_keys=key is not None)
    raise AssertionError(f"{claim_id} to {target}: no answer in {MOST_TRIES} tries")


async def _pay_meanwhile(servers: list[str], token: str, claim_id: str, *, with_keys: bool) -> None:
    """While one admin waits for the reply, the next one pays the claim if possible; a retry then finds it moved on."""
    async with Line(servers[0], token) as connection:
        await connection.move(claim_id, TARGETS[1], f"{claim_id}-{TARGETS[1]}" if with_keys else None)
