"""Idempotency keys: a retry after a lost reply gets the lost answer, by a key that the client chose for the move."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import and_, bindparam, delete, select, tuple_

from countinghouse.audit.actions import Actor
from countinghouse.claims.queries import Claim
from countinghouse.claims.tables import move_keys
from countinghouse.core.db import CLOCK, Change, NewRow, Statement, by_database, clock_of
from countinghouse.core.idempotency import LIFETIME, SWEPT_AT_ONCE, is_sweep_due, refuse_other_request
from countinghouse.core.listing.sql import number
from countinghouse.core.times import now

# In the stored answer, beside the fields of the claim.
_ALREADY = "alreadyAt"

# Uses the parameter names of the move that it is inserted with.
INSERT_KEY = NewRow(
    move_keys,
    {name: name for name in ("key", "asked_hash", "claim_id", "answer")}
    | {"actor": "moved_by", "created_at": by_database("moved_at")},
)


@dataclass(frozen=True, slots=True)
class Moved:
    """The answer to a move. `already_at` is when this admin had made the same move, if nothing was left to do."""

    claim: Claim
    already_at: str | None = None


@dataclass(frozen=True, slots=True)
class KeyedMove:
    """`asked` is the whole request: the same key must come with the same request."""

    actor: Actor
    key: str
    claim_id: str
    asked: tuple[Any, ...]

    @property
    def asked_hash(self) -> bytes:
        return sha256(json.dumps([self.claim_id, *self.asked]).encode()).digest()

    def beside(self, answer: Moved) -> dict[str, Any]:
        """The values that INSERT_KEY binds in addition to those of the move."""
        saved = answer.claim if answer.already_at is None else answer.claim | {_ALREADY: answer.already_at}
        return {"key": self.key, "asked_hash": self.asked_hash, "answer": json.dumps(saved)}


_IS_THIS_KEY = and_(move_keys.c.actor == bindparam("actor"), move_keys.c.key == bindparam("key"))
# The clocks of servers differ, and jump: by them a key would be forgotten early, and then be good for another move.
_IS_EXPIRED = move_keys.c.created_at <= by_database("oldest", LIFETIME)
_FIND = Statement(select(move_keys.c.asked_hash, move_keys.c.answer, move_keys.c.created_at, CLOCK).where(_IS_THIS_KEY))
_FORGET = Statement(delete(move_keys).where(_IS_THIS_KEY, _IS_EXPIRED))
_SWEEP = Statement(
    delete(move_keys).where(
        tuple_(move_keys.c.actor, move_keys.c.key).in_(
            select(move_keys.c.actor, move_keys.c.key)
            .where(_IS_EXPIRED)
            .order_by(move_keys.c.created_at)
            .limit(number(SWEPT_AT_ONCE))
        )
    )
)


class Expired:
    """The key was stored too long ago, and has been deleted."""


async def read_answer(change: Change, move: KeyedMove) -> Moved | Expired | None:
    """The stored answer for this key; None if there is none. An expired one is deleted."""
    named = {"actor": move.actor.name, "key": move.key}
    found = await change.first(_FIND, named)
    if found is None:
        return None
    oldest = clock_of(found.clock) - LIFETIME
    if found.created_at <= oldest:
        await change.execute(_FORGET, named | {"oldest": oldest})
        return Expired()
    refuse_other_request(found.asked_hash, move.asked_hash, "move")
    saved = json.loads(found.answer)
    return Moved(claim=saved, already_at=saved.pop(_ALREADY, None))


async def sweep_now_and_then(change: Change, move: KeyedMove) -> None:
    if is_sweep_due(move.asked_hash):
        await change.execute(_SWEEP, {"oldest": now() - LIFETIME})
