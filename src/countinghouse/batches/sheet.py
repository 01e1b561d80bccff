"""The summary that an admin reads before and after: what the batch holds, what cannot move and why, the outcome."""

from collections.abc import Iterable
from typing import Annotated, Any

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select
from typing_extensions import TypedDict

from countinghouse.batches.queries import (
    BLOCKED,
    CHANGED,
    FAILED,
    IS_CHOSEN,
    NOT_IN_PLAN,
    REMOVED,
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
from countinghouse.claims.same_account import a_spelling, key_of
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import Fields, ObjectQuery, Rupees, Sum
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import iso
from countinghouse.india.amounts import rupees_in_words
from countinghouse.policy.queries import read_policy
from countinghouse.users.tables import users

MOST_LISTED = 100
MOST_PROBLEMS = 500


class _Row(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000003")]
    username: Annotated[str, Example("Ananya Iyer")]
    amount: Annotated[float, Example(1937.5)]


@described
class BatchSum(TypedDict):
    count: Annotated[int, Example(500)]
    amount: Annotated[float, Example(1234500.5)]
    amountInWords: Annotated[str, Example("Twelve lakh thirty-four thousand five hundred rupees and fifty paise")]


@described
class ChangedRow(_Row):
    status: Annotated[Status, Example("Paid")]
    by: Annotated[str | None, Example("ravi")]
    at: Annotated[str | None, Example("2026-11-15T02:52:36.120Z")]


@described
class ChangedRows(TypedDict):
    count: Annotated[int, Example(1)]
    items: list[ChangedRow]


@described
class BlockedRow(_Row):
    why: Annotated[str, Example("You accepted this claim, so somebody else must mark it Paid.")]


@described
class BlockedRows(TypedDict):
    count: Annotated[int, Example(1)]
    items: list[BlockedRow]


@described
class SameAccount(TypedDict):
    accountNo: Annotated[str, Example("004512345678")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    claims: Annotated[int, Example(2)]
    amount: Annotated[float, Example(3875)]


@described
class SameAccounts(TypedDict):
    count: Annotated[int, Example(1)]
    items: list[SameAccount]


@described
class ProblemRow(BlockedRow):
    outcome: Annotated[Problem, Example("skipped")]


@described
class ProblemRows(TypedDict):
    count: Annotated[int, Example(3)]
    items: list[ProblemRow]


@described
class Sheet(BatchSum):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000007")]
    status: Annotated[Target, Example("Paid")]
    reason: Annotated[str | None, Example(None)]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    confirmedAt: Annotated[str | None, Example("2026-11-15T02:53:01.004Z")]
    endedAt: Annotated[str | None, Example(None)]
    needsReference: Annotated[bool, Example(True)]
    willMove: BatchSum
    changed: ChangedRows
    blocked: BlockedRows
    sameAccount: SameAccounts
    outcome: BatchOutcome
    problems: ProblemRows


_OF_BATCH = batch_rows.c.batch_id == bindparam("batch_id")
_SUMS = Statement(
    select(batch_rows.c.outcome, func.count(), func.sum(batch_rows.c.amount_paise))
    .where(_OF_BATCH, IS_CHOSEN)
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
_ACCOUNT = key_of(claims.c.account_no), key_of(claims.c.ifsc)
_SAME_ACCOUNTS = ObjectQuery(
    {
        "accountNo": a_spelling(claims.c.account_no),
        "ifsc": a_spelling(claims.c.ifsc),
        "claims": func.count(),
        "amount": Sum(func.sum(batch_rows.c.amount_paise)),
        # The number of all such accounts, before the list is limited.
        "accounts": func.count().over(),
    },
    lambda accounts: (
        accounts.join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
        .where(_OF_BATCH, or_(batch_rows.c.outcome.is_(None), ~_has_outcome((*NOT_IN_PLAN, REMOVED))))
        .group_by(*_ACCOUNT)
        .having(func.count() > 1)
        .order_by(func.count().desc(), *_ACCOUNT)
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
        "needsReference": batch.target == "Paid" and (await read_policy(reader)).paid_needs_reference,
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
