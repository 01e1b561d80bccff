"""Pushers that send the same rows again and again over a connection that loses replies: every row is stored once."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

from sqlalchemy import func, select, update

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.db import Transaction
from countinghouse.purchases.checking import write_findings
from countinghouse.purchases.tables import purchase_tallies, purchases
from countinghouse.users.tables import users
from drills.clients import ask
from drills.lossy_line import Fate, lossy_line
from drills.pairs import two_servers
from drills.wire import Line, LineBroken
from tests.direct_database import DirectDatabase
from tests.event_loop import run

DELIVERIES = 3
KEYS = 10
MOST_TRIES = 200
MOST_IN_A_CALL = 200
PATIENCE_SECONDS = 120.0
# Of ten rows, two are users, five purchases and three claims.
SHARES = {"users": 2, "purchases": 5, "claims": 3}
TABLES = {"users": users, "purchases": purchases, "claims": claims}
AMOUNTS = (500, 1000, 5000)

Row = dict[str, Any]


@dataclass
class Pushed:
    rows: int
    calls: int = 0
    tries: int = 0
    with_findings: int = 0
    fates: Counter[Fate] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def expect(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            self.faults.append(f"{what}: {found} instead of {expected}")


def push_together(database_url: str, token: str, *, pushers: int, rows: int, seed: int = 1) -> Pushed:
    """`token` is that of an admin, who adds the keys."""
    made = make_rows(rows)
    result = Pushed(sum(map(len, made.values())))
    with two_servers(database_url) as servers:
        keys = [_add_key(servers[0], token, number) for number in range(KEYS)]
        asyncio.run(_push_all(servers, keys, made, pushers, seed, result))
    # Running servers would check purchases as well.
    database = DirectDatabase(database_url)
    try:
        _check(database, made, result)
    finally:
        database.close()
    return result


def make_rows(rows: int) -> dict[str, list[Row]]:
    count = {noun: rows * share // sum(SHARES.values()) for noun, share in SHARES.items()}
    buyers = count["users"]
    made_users: list[Row] = [
        {"externalId": f"u-{n}", "username": f"Client {n}", "mobile": f"98{n:08}"} for n in range(buyers)
    ]
    made_purchases: list[Row] = [
        {
            "externalId": f"p-{n}",
            "user": {"externalId": f"u-{n % buyers}"},
            "invest": AMOUNTS[n // 4 % len(AMOUNTS)],
            "dailyIncome": 62.5,
            "upiId": _reference(n),
            "claimType": "Daily",
            "qrName": "Desk 1",
            "createdAt": f"2026-11-{13 + n // 40 % 3}T{n % 24:02}:{n % 60:02}:00Z",
        }
        for n in range(count["purchases"])
    ]
    made_claims: list[Row] = [
        {
            "externalId": f"c-{n}",
            "user": {"externalId": f"u-{n % buyers}"},
            "purchase": {"externalId": f"p-{n}"},
            "amount": 1937.5,
            "accountNo": f"0045{n:08}",
            "ifsc": "HDFC0001234",
            "address": "14 MG Road, Kochi 682016",
        }
        for n in range(count["claims"])
    ]
    return {"users": made_users, "purchases": made_purchases, "claims": made_claims}


def _reference(number: int) -> str:
    """In groups of four: a reference, a typo of it, the same again, and another. Now and then a placeholder word."""
    if number % 97 == 0:
        return "NONE"
    digits = f"6319{number // 4 * 48_271 % 9_999_991:07}"
    return f"{digits}{(0, 1, 0, 5)[number % 4]}"


def _add_key(url: str, token: str, number: int) -> str:
    wish = {"name": f"pusher {number}", "scopes": ["users:write", "purchases:write", "claims:write"]}
    noted = ask(url, "POST", "/api/keys", token=token, body=wish)
    assert noted.status == 201, noted
    return str(noted.body["key"])


async def _push_all(
    servers: list[str], keys: list[str], made: dict[str, list[Row]], pushers: int, seed: int, result: Pushed
) -> None:
    random = Random(seed)  # noqa: S311 - a drill is reproducible
    async with lossy_line(servers, seed) as line:
        for noun, rows in made.items():
            calls = _calls(rows, random)
            result.calls += len(calls)
            created: Counter[str] = Counter()

            async def work(noun: str = noun, calls: list[list[Row]] = calls, created: Counter[str] = created) -> None:
                while calls:
                    call = calls.pop()
                    for row in await _push(line.url, noun, call, keys, random, result):
                        if row["outcome"] == "created":
                            created[row["externalId"]] += 1
                        elif row["outcome"] != "unchanged":
                            result.faults.append(f"{noun}: {row}")

            await asyncio.gather(*(work() for _ in range(pushers)))
            twice = [name for name, times in created.items() if times > 1]
            result.expect(f"{noun} reported as created twice", twice, [])
        result.fates = line.fates


def _calls(rows: list[Row], random: Random) -> list[list[Row]]:
    calls = []
    for _ in range(DELIVERIES):
        left = random.sample(rows, len(rows))
        while left:
            size = random.randint(1, MOST_IN_A_CALL)
            calls.append(left[:size])
            del left[:size]
    random.shuffle(calls)
    return calls


async def _push(
    url: str, noun: str, rows: list[Row], keys: list[str], random: Random, result: Pushed
) -> list[dict[str, Any]]:
    """Tries until there is an answer, sometimes as the same call and sometimes as another one."""
    api_key, name = random.choice(keys), uuid4().hex
    for _ in range(MOST_TRIES):
        result.tries += 1
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), Line(url, api_key) as line:
                answer = await line.send("POST", f"/api/intake/{noun}", rows, name)
        except (LineBroken, OSError):
            if random.random() < 0.5:
                api_key, name = random.choice(keys), uuid4().hex
            continue
        if answer.status == 200:
            results: list[dict[str, Any]] = answer.body["results"]
            result.expect("the order of the results", [one["externalId"] for one in results], _names(rows))
            return results
        result.refused[answer.status] += 1
        if answer.status not in (429, 503):
            result.faults.append(f"{noun}: {answer.status} {answer.body}")
            return []
        await asyncio.sleep(random.random())
    raise AssertionError(f"no answer in {MOST_TRIES} tries")


def _names(rows: Sequence[Row]) -> list[str]:
    return [row["externalId"] for row in rows]


def _check(database: DirectDatabase, made: dict[str, list[Row]], result: Pushed) -> None:
    for noun, rows in made.items():
        table = TABLES[noun]
        stored = _all(database, select(table.c.external_id, table.c.id))
        result.expect(f"{noun} stored", sorted(one.external_id for one in stored), sorted(_names(rows)))
        verb = f"{noun.removesuffix('s')}.added"
        audited = _all(database, select(audit_log.c.subject_id).where(audit_log.c.verb == verb))
        result.expect(
            f"audit rows of {noun}", sorted(one.subject_id for one in audited), sorted(one.id for one in stored)
        )
    for noun, tallies in (("purchases", purchase_tallies), ("claims", claim_tallies)):
        ((tallied,),) = _all(database, select(func.sum(tallies.c.entries)).where(tallies.c.day == ""))
        result.expect(f"tally of {noun}", int(tallied), len(made[noun]))
    together = _findings(database)
    result.with_findings = sum(bool(found) for found in together.values())
    _check_alone(database)
    alone = _findings(database)
    for name, found in together.items():
        result.expect(f"findings of {name}", found, alone[name])


def _check_alone(database: DirectDatabase) -> None:
    """Checks each purchase as if it was the newest one: those that are not checked yet are invisible to it."""
    with database.writing() as connection:
        connection.execute(update(purchases).values(findings=None, reference_key=None))
    ids = [one.id for one in _all(database, select(purchases.c.id).order_by(purchases.c.id))]

    async def check(transaction: Transaction, chosen: list[str]) -> None:
        for purchase_id in chosen:
            await write_findings(transaction, [purchase_id])

    for start in range(0, len(ids), MOST_IN_A_CALL):
        run(database.write(partial(check, chosen=ids[start : start + MOST_IN_A_CALL])))


def _findings(database: DirectDatabase) -> dict[str, str]:
    rows = _all(database, select(purchases.c.external_id, purchases.c.findings))
    return {one.external_id: one.findings for one in rows}


def _all(database: DirectDatabase, statement: Any) -> Sequence[Any]:
    with database.reading() as connection:
        return connection.execute(statement).all()
