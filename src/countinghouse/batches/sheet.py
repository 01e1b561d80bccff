"""The summary that an admin reads before and after: what the batch holds, what cannot move and why, the outcome."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select
from typing_extensions import TypedDict

from countinghouse.batches.queries import (
    BLOCKED,
    CHANGED,
    FAILED,
    NOT_IN_PLAN,
    SKIPPED,
    UNDONE,
    BatchOutcome,
    Problem,
    get_batch,
    to_outcome,
)
from countinghouse.batches.tables import batch_rows
from countinghouse.claims.lifecycle import Status, Target
from countinghouse.claims.queries import IS_LAST_MOVE
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import example, example_of
from countinghouse.core.listing.items import Fields, ObjectQuery, Rupees, Sum
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import iso
from countinghouse.india.amounts import rupees_in_words
from countinghouse.users.tables import users

MOST_LISTED = 100
MOST_PROBLEMS = 500

_CLAIM = {"_id": "6917e2f4a1b2c3d4e5000003", "username": "Ananya Iyer", "amount": 1937.5}


@example(
    count=500,
    amount=1234500.5,
    amountInWords="Twelve lakh thirty-four thousand five hundred rupees and fifty paise",
)
class BatchSum(TypedDict):
    count: int
    amount: float
    amountInWords: str


@example(**_CLAIM, status="Paid", by="ravi", at="2026-11-15T02:52:36.120Z")
class ChangedRow(TypedDict):
    _id: str
    username: str
    amount: float
    status: Status
    by: str | None
    at: str | None


@example(count=1, items=[example_of(ChangedRow)])
class ChangedRows(TypedDict):
    count: int
    items: list[ChangedRow]


@example(**_CLAIM, why="You accepted this claim, so somebody else must mark it Paid.")
class BlockedRow(TypedDict):
    _id: str
    username: str
    amount: float
    why: str


@example(count=1, items=[example_of(BlockedRow)])
class BlockedRows(TypedDict):
    count: int
    items: list[BlockedRow]


@example(accountNo="004512345678", ifsc="HDFC0001234", claims=2, amount=3875)
class SameAccount(TypedDict):
    accountNo: str
    ifsc: str
    claims: int
    amount: float


@example(count=1, items=[example_of(SameAccount)])
class SameAccounts(TypedDict):
    count: int
    items: list[SameAccount]


@example(**example_of(BlockedRow), outcome="skipped")
class ProblemRow(BlockedRow):
    outcome: Problem


@example(count=3, items=[example_of(ProblemRow)])
class ProblemRows(TypedDict):
    count: int
    items: list[ProblemRow]


@example(
    _id="6917e2f4a1b2c3d4e5000007",
    status="Paid",
    reason=None,
    createdAt="2026-11-15T02:52:36.120Z",
    confirmedAt="2026-11-15T02:53:01.004Z",
    endedAt=None,
    **example_of(BatchSum),
    willMove=example_of(BatchSum),
    changed=example_of(ChangedRows),
    blocked=example_of(BlockedRows),
    sameAccount=example_of(SameAccounts),
    outcome=example_of(BatchOutcome),
    problems=example_of(ProblemRows),
)
class Sheet(BatchSum):
    _id: str
    status: Target
    reason: str | None
    createdAt: str
    confirmedAt: str | None
    endedAt: str | None
    willMove: BatchSum
    changed: ChangedRows
    blocked: BlockedRows
    sameAccount: SameAccounts
    outcome: BatchOutcome
    problems: ProblemRows


_OF_BATCH = batch_rows.c.batch_id == bindparam("batch_id")
_SUMS = Statement(
    select(batch_rows.c.outcome, func.count(), func.sum(batch_rows.c.amount_paise))
    .where(_OF_BATCH)
    .group_by(batch_rows.c.outcome)
)


def _has_outcome(outcomes: Iterable[str]) -> ColumnElement[bool]:
    return batch_rows.c.outcome.in_([written(outcome) for outcome in outcomes])


def _rows_with(outcomes: tuple[str, ...], most: int, more: Fields) -> ObjectQuery:
    return ObjectQuery(
        {
            "_id": batch_rows.c.claim_id,
            "username": users.c.username,
            "amount": Rupees(batch_rows.c.amount_paise),
            **more,
        },
        lambda rows: (
            rows.join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
            .join(users, claims.c.user_id == users.c.id)
            .outerjoin(claim_transitions, IS_LAST_MOVE)
            .where(_OF_BATCH, _has_outcome(outcomes))
            .order_by(batch_rows.c.place)
            .limit(number(most))
        ),
    )


_move = claim_transitions.c
_CHANGED_ROWS = _rows_with(
    (CHANGED,),
    MOST_LISTED,
    # Labels, because there may be no such move.
    {"status": claims.c.status, "by": _move.moved_by, "at": _move.moved_at.label("at")},
)
_BLOCKED_ROWS = _rows_with((BLOCKED,), MOST_LISTED, {"why": batch_rows.c.why})
_problem = case((batch_rows.c.outcome == written(FAILED), written(FAILED)), else_=written(SKIPPED))
_PROBLEM_ROWS = _rows_with(UNDONE, MOST_PROBLEMS, {"why": batch_rows.c.why, "outcome": _problem})
_SAME_ACCOUNTS = ObjectQuery(
    {
        "accountNo": claims.c.account_no,
        "ifsc": claims.c.ifsc,
        "claims": func.count(),
        "amount": Sum(func.sum(batch_rows.c.amount_paise)),
        # The number of all such accounts, before the list is limited.
        "accounts": func.count().over(),
    },
    lambda accounts: (
        accounts.join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
        .where(_OF_BATCH, or_(batch_rows.c.outcome.is_(None), ~_has_outcome(NOT_IN_PLAN)))
        .group_by(claims.c.account_no, claims.c.ifsc)
        .having(func.count() > 1)
        .order_by(func.count().desc(), claims.c.account_no, claims.c.ifsc)
        .limit(number(MOST_LISTED))
    ),
)


async def read_sheet(reader: Reader, admin_id: str, batch_id: str) -> Sheet:
    batch = await get_batch(reader, admin_id, batch_id)
    of_batch = {"batch_id": batch.id}
    sums = {outcome: (claims, int(paise)) for outcome, claims, paise in await reader.all(_SUMS, of_batch)}
    counts = {outcome: claims for outcome, (claims, _) in sums.items()}
    in_plan = [part for outcome, part in sums.items() if outcome not in NOT_IN_PLAN]
    accounts: list[Any] = await _SAME_ACCOUNTS.read(reader, of_batch)
    all_accounts = [account.pop("accounts") for account in accounts]
    return {
        "_id": batch.id,
        "status": batch.target,
        "reason": batch.reason,
        "createdAt": iso(batch.created_at),
        "confirmedAt": iso(batch.confirmed_at) if batch.confirmed_at else None,
        "endedAt": iso(batch.ended_at) if batch.ended_at else None,
        **_sum_up(list(sums.values())),
        "willMove": _sum_up(in_plan),
        "changed": {"count": counts.get(CHANGED, 0), "items": await _CHANGED_ROWS.read(reader, of_batch)},
        "blocked": {"count": counts.get(BLOCKED, 0), "items": await _BLOCKED_ROWS.read(reader, of_batch)},
        "sameAccount": {"count": all_accounts[0] if all_accounts else 0, "items": accounts},
        "outcome": to_outcome(counts),
        "problems": {
            "count": sum(counts.get(outcome, 0) for outcome in UNDONE),
            "items": await _PROBLEM_ROWS.read(reader, of_batch),
        },
    }


def _sum_up(parts: list[tuple[int, int]]) -> BatchSum:
    paise = sum(part[1] for part in parts)
    return {
        "count": sum(part[0] for part in parts),
        "amount": rupees(paise),
        "amountInWords": rupees_in_words(paise),
    }
