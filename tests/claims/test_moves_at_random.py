"""Whatever moves several admins request, in any order, claims match the model and are paid once per payout round.

The test itself is tested too: it must detect each of eight deliberate defects.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sqlalchemy import Update, bindparam, update

from countinghouse.audit.actions import INSERT_AUDIT_ROW
from countinghouse.claims import actions, lifecycle, move_keys, rules
from countinghouse.claims.lifecycle import MOVES, Move
from countinghouse.claims.move_keys import INSERT_KEY
from countinghouse.claims.queries import select_claim
from countinghouse.claims.references import INSERT_REFERENCE
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Guarded, NewRow
from tests.claims.moves_at_random import THOROUGH, UNTIL_SEEN, run_at_random
from tests.engines import on_one_engine

Patch = Callable[[pytest.MonkeyPatch], None]

_ID = claims.c.id == bindparam("claim_id")
_STATUS = claims.c.status == bindparam("seen")
_VERSION = claims.c.version == bindparam("seen_version")
_TRANSITION = NewRow(
    claim_transitions,
    {name: name for name in ("claim_id", "moved_by", "moved_at", "number", "payout_round", "reason")}
    | {"id": "transition_id", "from_status": "seen", "to_status": "target"},
)


@pytest.fixture
def file(database_url: str) -> Path:
    return Path(database_url.removeprefix("sqlite:///"))


def _patch_moves(guard: Update, *inserts: NewRow) -> Patch:
    """A patch that makes moves use this guard and insert these rows."""
    moved = guard.values(
        status=bindparam("target"),
        version=bindparam("number"),
        payout_round=bindparam("payout_round"),
        moved_at=bindparam("moved_at"),
    )

    def build(*more: NewRow) -> Guarded:
        return Guarded(claims, moved, key="claim_id", then=(*inserts, *more), answer=select_claim)

    def patch(patching: pytest.MonkeyPatch) -> None:
        for (has_reference, has_key), _ in list(actions._MOVES.items()):
            more = (*((INSERT_REFERENCE,) if has_reference else ()), *((INSERT_KEY,) if has_key else ()))
            patching.setitem(actions._MOVES, (has_reference, has_key), build(*more))

    return patch


def _patch_attribute(module: Any, name: str, value: Any) -> Patch:
    return lambda patching: patching.setattr(module, name, value)


async def _find_nothing(*_: Any) -> None:
    return None


GUARD = update(claims).where(_ID, _STATUS, _VERSION)
DEFECTS: dict[str, Patch] = {
    "the move is not remembered": _patch_moves(GUARD, INSERT_AUDIT_ROW),
    "the move is not in the audit log": _patch_moves(GUARD, _TRANSITION),
    "a paid claim can be accepted": _patch_attribute(
        lifecycle, "MOVES", (*MOVES, Move("Paid", "Accepted", "Accept", lifecycle.ACCEPT))
    ),
    "a return does not begin a new round": _patch_attribute(
        actions, "round_after", lambda _target, payout_round: payout_round
    ),
    "anybody can undo an accept": _patch_attribute(rules, "_find_refused_undo", lambda *_: None),
    "a reference in another spelling is another one": _patch_attribute(
        actions, "normalised_reference", lambda typed: typed
    ),
    "the key is ignored": _patch_attribute(actions, "read_answer", _find_nothing),
    "a key is good for any move": _patch_attribute(move_keys, "sha256", lambda _asked: _SameForAll()),
}


class _SameForAll:
    def digest(self) -> bytes:
        return b"\x01" * 32


@on_one_engine
def test_random_moves_match_the_model(file: Path) -> None:
    run_at_random(file, THOROUGH)


@on_one_engine
def test_the_patch_without_a_defect_matches_the_model(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a defect might be detected only because of how it was injected."""
    _patch_moves(GUARD, _TRANSITION, INSERT_AUDIT_ROW)(monkeypatch)
    run_at_random(file, settings(THOROUGH, max_examples=30))


@on_one_engine
@pytest.mark.parametrize("defect", DEFECTS)
def test_each_deliberate_defect_is_detected(file: Path, monkeypatch: pytest.MonkeyPatch, defect: str) -> None:
    DEFECTS[defect](monkeypatch)
    with pytest.raises(AssertionError):
        run_at_random(file, UNTIL_SEEN)
