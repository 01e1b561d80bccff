"""Idempotency keys: a retry after a lost reply gets the lost answer, by a key that the client chose for the move."""

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import and_, bindparam, delete, select, tuple_

from countinghouse.audit.actions import Actor
from countinghouse.claims.queries import Claim
from countinghouse.claims.tables import move_keys
from countinghouse.core.db import Change, NewRow, Statement
from countinghouse.core.errors import InvalidInput
from countinghouse.core.listing.sql import number
from countinghouse.core.times import now

LIFETIME = timedelta(hours=24)
# One key in this many deletes expired keys, and deletes more of them than were stored since.
SWEEPS_ONE_IN = 64
_SWEPT_AT_ONCE = 500

# In the stored answer, beside the fields of the claim.
_ALREADY = "alreadyAt"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")

# Uses the parameter names of the move that it is inserted with.
INSERT_KEY = NewRow(
    move_keys,
    {name: name for name in ("key", "asked_hash", "claim_id", "answer")}
    | {"actor": "moved_by", "created_at": "moved_at"},
)


def checked_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise InvalidInput(
            {"Idempotency-Key": "Idempotency-Key must be 1 to 200 visible ASCII characters without spaces."}
        )
    return key


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
_IS_EXPIRED = move_keys.c.created_at <= bindparam("oldest")
_FIND = Statement(select(move_keys.c.asked_hash, move_keys.c.answer, move_keys.c.created_at).where(_IS_THIS_KEY))
_FORGET = Statement(delete(move_keys).where(_IS_THIS_KEY, _IS_EXPIRED))
_SWEEP = Statement(
    delete(move_keys).where(
        tuple_(move_keys.c.actor, move_keys.c.key).in_(
            select(move_keys.c.actor, move_keys.c.key)
            .where(_IS_EXPIRED)
            .order_by(move_keys.c.created_at)
            .limit(number(_SWEPT_AT_ONCE))
        )
    )
)


class Expired:
    """The key was stored too long ago, and has been deleted."""


async def find_answer(change: Change, move: KeyedMove) -> Moved | Expired | None:
    """The stored answer for this key; None if there is none."""
    named = {"actor": move.actor.name, "key": move.key}
    found = await change.first(_FIND, named)
    if found is None:
        return None
    oldest = now() - LIFETIME
    if found.created_at <= oldest:
        await change.execute(_FORGET, named | {"oldest": oldest})
        return Expired()
    if bytes(found.asked_hash) != move.asked_hash:
        sentence = "This Idempotency-Key was used for another move. Use a new one for every move."
        raise InvalidInput({"Idempotency-Key": sentence}, "idempotency_key_reused")
    saved = json.loads(found.answer)
    return Moved(claim=saved, already_at=saved.pop(_ALREADY, None))


async def sweep_now_and_then(change: Change, move: KeyedMove) -> None:
    """Runs by chance and not by the clock, so it needs neither a timer nor coordination between servers."""
    if move.asked_hash[0] % SWEEPS_ONE_IN == 0:
        await change.execute(_SWEEP, {"oldest": now() - LIFETIME})
