"""Somebody with write access to the database alters the audit log, or the records. `audit verify` finds everything.

Each attack runs in a transaction that is checked before it commits and then rolled back, so the next one finds the log
as it was. The triggers that refuse such changes are removed first, as the owner of the database could.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from sqlalchemy import delete, insert, select, text, update

from countinghouse.admins.actions import add_admin
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import Actor, record
from countinghouse.audit.chain import COLUMNS, GENESIS, canonical, row_of, seal_after
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.proof import read_proof
from countinghouse.audit.sealing import read_head, seal_some
from countinghouse.audit.tables import audit_log, audit_seals
from countinghouse.audit.verifying import verify
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.tables import claims
from countinghouse.cli.upgrading import KINDS
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.intake.nouns import CLAIMS, PURCHASES, USERS
from countinghouse.intake.storing import store_rows
from countinghouse.keys.actions import NewKey, add_key
from countinghouse.keys.tables import api_keys
from countinghouse.users.tables import users
from countinghouse.webhooks.actions import NewEndpoint, add_endpoint
from countinghouse.webhooks.tables import webhook_endpoints
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.intake.pushing import a_claim, a_purchase, a_user

# How much the attacker covers up: nothing, the seal of the row, or the whole chain, computed again.
Depth = Literal["row", "seal", "chain"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
ROWS = 40


class _Undo(Exception):
    pass


@dataclass
class Tampering:
    found: Counter[str] = field(default_factory=Counter)
    # One sentence for each alteration that was not found.
    missed: list[str] = field(default_factory=list)


def tamper(database_url: str, *, each: int, seed: int = 1) -> Tampering:
    """Every kind of attack, this many times."""
    result, rng = Tampering(), Random(seed)  # noqa: S311 - reproducible on purpose
    database = DirectDatabase(database_url)
    try:
        with TemporaryDirectory(prefix="countinghouse-audit-") as folder:
            checkpoints = Checkpoints(Path(folder) / "key.pem", Path(folder) / "checkpoints.jsonl")
            run(database.write(_fill))
            while run(database.write(seal_some)):
                pass
            checkpoints.write(run(database.read(read_head)))
            clean = run(database.read(lambda reader: verify(read_proof(reader, KINDS, checkpoints), KINDS)))
            assert (clean.problems, clean.sealed >= ROWS) == ([], True), clean
            for kind, attack in ATTACKS.items():
                for _ in range(each):
                    _try_one(database, checkpoints, rng, kind, attack, result)
    finally:
        database.close()
    return result


async def _fill(transaction: Transaction) -> None:
    """Rows about records that the check does not look at: only the chain and the checkpoints can tell. And a few
    records that it compares."""
    actor = Actor("asha", "203.0.113.9")
    for number in range(ROWS):
        after = {"number": number, "accountNo": f"0045{number:08}"}
        await record(transaction, actor, ClaimVerb.REVEALED, new_id(), after=after)
    await add_admin(transaction, actor, "Drill", "$argon2id$")
    await add_key(transaction, actor, NewKey(name="till", scopes=["users:write"]))
    await add_endpoint(transaction, actor, NewEndpoint(url="https://shop.example.in/hooks", events=["claim.paid"]), ())
    for noun, rows in (
        (USERS, [a_user(1), a_user(2)]),
        (PURCHASES, [a_purchase(dailyIncome=62)]),
        (CLAIMS, [a_claim(amount=1937)]),
    ):
        await store_rows(transaction, actor, noun, [noun.row.model_validate(row) for row in rows])


_thief = select(users.c.id).where(users.c.external_id == "u-2").scalar_subquery()
CHANGES = (
    update(admins).where(admins.c.username == "Drill").values({"password_hash": "$argon2id$other"}),
    update(admins).where(admins.c.username == "Drill").values(role="viewer"),
    update(admins).where(admins.c.username == "Drill").values(has_factor=True),
    update(api_keys).values(scopes="users:write claims:write"),
    update(api_keys).values(expires_at=now()),
    update(webhook_endpoints).values(url="https://thief.example.in/hooks"),
    update(claims).values(user_id=_thief),
    update(claims).values(address="1 Thief Road, Pune"),
    update(claims).values(account_no="009999999999"),
    update(claims).values(amount_paise=1),
)


def _try_one(
    database: DirectDatabase, checkpoints: Checkpoints, rng: Random, kind: str, attack: "Attack", result: Tampering
) -> None:
    depth = rng.choice(DEPTHS)
    problems: list[str] = []

    async def attack_and_check(transaction: Transaction) -> None:
        await _let_history_be_altered(transaction)
        log = _Log(transaction, rng, depth, await _rows(transaction))
        await attack(log)
        if depth == "chain":
            await log.seal_again()
        problems.extend((await verify(read_proof(transaction, KINDS, checkpoints), KINDS)).problems)
        raise _Undo

    with suppress(_Undo):
        run(database.write(attack_and_check))
    if problems:
        result.found[kind] += 1
    else:
        result.missed.append(f"{kind} ({depth}) was not found")


async def _let_history_be_altered(transaction: Transaction) -> None:
    if not transaction.is_sqlite:
        await transaction.command("ALTER TABLE audit_log ALTER COLUMN seq SET GENERATED BY DEFAULT")
    for table in ("audit_log", "audit_seals"):
        if not transaction.is_sqlite:
            await transaction.command(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            continue
        found = text(f"SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '{table}'")  # noqa: S608
        for name in await transaction.scalars(found):
            await transaction.command(f"DROP TRIGGER {name}")


async def _rows(transaction: Transaction) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in await transaction.rows(select(audit_log).order_by(audit_log.c.seq))]


@dataclass
class _Log:
    transaction: Transaction
    rng: Random
    depth: Depth
    rows: list[dict[str, Any]]

    def pick(self) -> dict[str, Any]:
        return self.rng.choice(self.rows)

    async def set(self, seq: int, values: dict[str, Any]) -> None:
        await self.transaction.execute(update(audit_log).where(audit_log.c.seq == seq).values(values))

    async def remove(self, seq: int) -> None:
        await self.transaction.execute(delete(audit_log).where(audit_log.c.seq == seq))
        if self.depth == "seal":
            await self.transaction.execute(delete(audit_seals).where(audit_seals.c.seq == seq))

    async def seal(self, seq: int) -> None:
        """Seals one row again, as if the chain ended there."""
        if self.depth != "seal":
            return
        cells = await self.transaction.all(select(*COLUMNS).where(audit_log.c.seq == seq))
        place = await self.transaction.scalar(select(audit_seals.c.position).where(audit_seals.c.seq == seq))
        before = select(audit_seals.c.seal).where(audit_seals.c.position == place - 1)
        seal = seal_after(await self.transaction.scalar(before) or GENESIS, canonical(row_of(cells[0])))
        await self.transaction.execute(update(audit_seals).where(audit_seals.c.seq == seq).values(seal=seal))

    async def seal_again(self) -> None:
        await self.transaction.execute(delete(audit_seals))
        seal = GENESIS
        for position, cells in enumerate(await self.transaction.all(select(*COLUMNS).order_by(audit_log.c.seq)), 1):
            seal = seal_after(seal, canonical(row_of(cells)))
            await self.transaction.execute(insert(audit_seals).values(position=position, seq=cells[0], seal=seal))


async def edit(log: _Log) -> None:
    row = log.pick()
    others = {
        "actor": "ravi",
        "address": "198.51.100.7",
        "verb": "claim.corrected",
        "subject_id": new_id(),
        "before": {"status": "Accepted"},
        "after": {"status": "Rejected"},
        "at": row["at"].replace(year=row["at"].year - 1),
    }
    column = log.rng.choice(list(others))
    await log.set(row["seq"], {column: others[column]})
    await log.seal(row["seq"])


async def remove(log: _Log) -> None:
    await log.remove(log.pick()["seq"])


async def add(log: _Log) -> None:
    """Below a sealed row; or at any place of the chain, with a seal."""
    forged = {**log.pick(), "actor": "ravi"}
    forged["seq"] = -log.rng.randrange(0, 1000) if log.depth != "row" else log.rows[0]["seq"] - 1
    await log.transaction.execute(insert(audit_log).values(forged))
    if log.depth == "seal":
        top = len(log.rows)
        place = log.rng.randrange(1, top + 1)
        for position in range(top, place - 1, -1):
            at = audit_seals.c.position == position
            await log.transaction.execute(update(audit_seals).where(at).values(position=position + 1))
        await log.transaction.execute(insert(audit_seals).values(position=place, seq=forged["seq"], seal=GENESIS))
        await log.seal(forged["seq"])


async def reorder(log: _Log) -> None:
    one, other = log.rng.sample(log.rows, 2)
    if log.depth == "seal":
        # The rows stay, and their seals change places.
        free = -1
        for seq, becomes in ((one["seq"], free), (other["seq"], one["seq"]), (free, other["seq"])):
            await log.transaction.execute(update(audit_seals).where(audit_seals.c.seq == seq).values(seq=becomes))
        return
    for seq, values in ((one["seq"], other), (other["seq"], one)):
        await log.set(seq, {name: value for name, value in values.items() if name != "seq"})


async def truncate(log: _Log) -> None:
    for row in log.rows[-log.rng.randrange(1, len(log.rows)) :]:
        await log.remove(row["seq"])


async def replace(log: _Log) -> None:
    row, other = log.rng.sample(log.rows, 2)
    await log.transaction.execute(delete(audit_log).where(audit_log.c.seq == row["seq"]))
    await log.transaction.execute(insert(audit_log).values({**other, "seq": row["seq"]}))
    await log.seal(row["seq"])


async def change(log: _Log) -> None:
    """A record instead of its history."""
    await log.transaction.execute(log.rng.choice(CHANGES))


Attack = Callable[[_Log], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    "edit": edit,
    "delete": remove,
    "insert": add,
    "reorder": reorder,
    "truncate": truncate,
    "replace": replace,
    "change": change,
}
