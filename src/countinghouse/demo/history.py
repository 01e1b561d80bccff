"""What admins did, told in the order it happened, as the real actions would have logged it."""

import heapq
import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from countinghouse.audit.actions import Actor, Verb
from countinghouse.claims.lifecycle import STATUSES, Status, Target
from countinghouse.demo.clock import to_text
from countinghouse.demo.numbers import Ids
from countinghouse.demo.writers import Cells

TRANSITION_COLUMNS = ("id", "claim_id", "from_status", "to_status", "moved_by", "moved_at")
AUDIT_COLUMNS = ("at", "actor", "address", "verb", "subject_id", "before", "after")

_STATUS_JSON = {status: json.dumps({"status": status}) for status in STATUSES}


def _to_json(part: Mapping[str, Any] | None) -> str | None:
    return None if part is None else json.dumps(part)


class Deed(NamedTuple):
    at_ms: int
    # Of two deeds in the same millisecond the one told first comes first.
    order: int
    actor: Actor
    verb: Verb
    subject_id: str
    before: str | None
    after: str | None
    move: tuple[Status, Target] | None = None


class History:
    """Keeps only deeds that lie ahead of the rows written so far: a few days' worth, whatever the size."""

    def __init__(self, rng: Random) -> None:
        self._ids = Ids(rng)
        self._ahead: list[Deed] = []
        self._told = 0
        self._moves = 0

    def tell(
        self,
        at_ms: int,
        actor: Actor,
        verb: Verb,
        subject_id: str,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        self._push(Deed(at_ms, self._told, actor, verb, subject_id, _to_json(before), _to_json(after)))

    def tell_move(self, at_ms: int, actor: Actor, claim_id: str, seen: Status, target: Target) -> None:
        before, after = _STATUS_JSON[seen], _STATUS_JSON[target]
        self._push(Deed(at_ms, self._told, actor, Verb.CLAIM_MOVED, claim_id, before, after, (seen, target)))

    def _push(self, deed: Deed) -> None:
        heapq.heappush(self._ahead, deed)
        self._told += 1

    def take_until(self, at_ms: int) -> tuple[list[Cells], list[Cells]]:
        """The transitions and the log of all that has happened by then, each thing once."""
        transitions: list[Cells] = []
        log: list[Cells] = []
        for deed in self._happened(at_ms):
            at, actor = to_text(deed.at_ms), deed.actor
            log.append((at, actor.name, actor.address, deed.verb.value, deed.subject_id, deed.before, deed.after))
            if deed.move is not None:
                move_id = self._ids.make(deed.at_ms, self._moves)
                self._moves += 1
                transitions.append((move_id, deed.subject_id, *deed.move, actor.name, at))
        return transitions, log

    def _happened(self, at_ms: int) -> Iterator[Deed]:
        while self._ahead and self._ahead[0].at_ms <= at_ms:
            yield heapq.heappop(self._ahead)
