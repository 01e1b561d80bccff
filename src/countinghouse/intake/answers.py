"""Idempotency keys: a retry of a call with the same key and body gets the stored answer of the first."""

import zlib
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, insert, select, tuple_

from countinghouse.core.db import CLOCK, Statement, Transaction, by_database, clock_of
from countinghouse.core.idempotency import LIFETIME, SWEPT_AT_ONCE, is_sweep_due, refuse_other_request
from countinghouse.core.listing.sql import number
from countinghouse.core.times import now, to_moment
from countinghouse.intake.tables import intake_answers

# Of each API key; older ones are deleted before they expire. A retry is safe even then: its rows are `unchanged`.
MOST_ANSWERS = 10_000


@dataclass(frozen=True, slots=True)
class Call:
    key_id: str
    idempotency_key: str
    asked_hash: bytes

    @classmethod
    def of(cls, key_id: str, idempotency_key: str, noun: str, body: bytes) -> "Call":
        return cls(key_id, idempotency_key, sha256(noun.encode() + b"\n" + body).digest())


_table = intake_answers.c
_OURS = (_table.key_id == bindparam("key_id"), _table.idempotency_key == bindparam("idempotency_key"))
# The clocks of servers differ, and jump: by them a key would be forgotten early, and then be good for another call.
_FIND = Statement(select(_table.asked_hash, _table.answer, _table.created_at, CLOCK).where(*_OURS))
_FORGET = Statement(delete(intake_answers).where(*_OURS))
_STORED: dict[str, ColumnElement[Any]] = {
    name: bindparam(name) for name in ("key_id", "idempotency_key", "asked_hash", "answer")
}
_STORE = Statement(insert(intake_answers).inline().values(_STORED | {"created_at": by_database("at")}))
_names = select(_table.key_id, _table.idempotency_key)
_EXPIRED = _names.where(_table.created_at <= by_database("oldest", LIFETIME)).order_by(_table.created_at)
_BEYOND = _names.where(_table.key_id == bindparam("key_id")).order_by(_table.created_at.desc())
_SWEEPS = tuple(
    Statement(delete(intake_answers).where(tuple_(_table.key_id, _table.idempotency_key).in_(chosen)))
    for chosen in (
        _EXPIRED.limit(number(SWEPT_AT_ONCE)),
        _BEYOND.limit(number(SWEPT_AT_ONCE)).offset(number(MOST_ANSWERS)),
    )
)


async def read_answer(transaction: Transaction, call: Call) -> bytes | None:
    """The stored answer for this key; None if there is none. An expired one is deleted."""
    named = {"key_id": call.key_id, "idempotency_key": call.idempotency_key}
    found = await transaction.all(_FIND, named)
    if not found:
        return None
    asked_hash, answer, created_at, clock = found[0]
    if to_moment(created_at) <= clock_of(clock) - LIFETIME:
        await transaction.execute(_FORGET, named)
        return None
    refuse_other_request(asked_hash, call.asked_hash, "call")
    return zlib.decompress(answer)


async def store_answer(transaction: Transaction, call: Call, answer: bytes) -> None:
    """Raises `AlreadyThere` if a concurrent call with the same key was faster."""
    row = {
        "key_id": call.key_id,
        "idempotency_key": call.idempotency_key,
        "asked_hash": call.asked_hash,
        "answer": zlib.compress(answer, 1),
        "at": now(),
    }
    await transaction.execute(_STORE, row)
    if is_sweep_due(call.asked_hash):
        values = {"oldest": now() - LIFETIME, "key_id": call.key_id}
        for sweep, name in zip(_SWEEPS, values, strict=True):
            await transaction.execute(sweep, {name: values[name]})
