"""The summary that an admin reads before and after: what the batch holds, what cannot move and why, the outcome."""

from typing import Any

from pydantic import JsonValue, with_config
from sqlalchemy import Row, Select, bindparam, func, or_, select
from typing_extensions import TypedDict

from countinghouse.batches.queries import (
    BLOCKED,
    CHANGED,
    FAILED,
    IS_LAST_MOVE,
    NOT_IN_PLAN,
    OUTCOME_EXAMPLE,
    UNDONE,
    BatchOutcome,
    Problem,
    get_batch,
    to_outcome,
)
from countinghouse.batches.tables import batch_rows
from countinghouse.claims.lifecycle import Status, Target
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import iso
from countinghouse.india.amounts import rupees_in_words
from countinghouse.users.tables import users

MOST_LISTED = 100
MOST_PROBLEMS = 500

_CLAIM: dict[str, JsonValue] = {"_id": "6917e2f4a1b2c3d4e5000003", "username": "Ananya Iyer", "amount": 1937.5}
_SUM: dict[str, JsonValue] = {
    "count": 500,
    "amount": 1234500.5,
    "amountInWords": "Twelve lakh thirty-four thousand five hundred rupees and fifty paise",
}
_CHANGED = _CLAIM | {"status": "Paid", "by": "ravi", "at": "2026-11-15T02:52:36.120Z"}
_BLOCKED = _CLAIM | {"why": "You accepted this claim, so somebody else must mark it Paid."}
_PROBLEM = _BLOCKED | {"outcome": "skipped"}
_CHANGED_ROWS_EXAMPLE: dict[str, JsonValue] = {"count": 1, "items": [_CHANGED]}
_BLOCKED_ROWS_EXAMPLE: dict[str, JsonValue] = {"count": 1, "items": [_BLOCKED]}
_PROBLEM_ROWS_EXAMPLE: dict[str, JsonValue] = {"count": 3, "items": [_PROBLEM]}
_SAME_ACCOUNT: dict[str, JsonValue] = {
    "accountNo": "004512345678",
    "ifsc": "HDFC0001234",
    "claims": 2,
    "amount": 3875,
}
_SAME_ACCOUNTS_EXAMPLE: dict[str, JsonValue] = {"count": 1, "items": [_SAME_ACCOUNT]}


@with_config(json_schema_extra={"examples": [_SUM]})
class BatchSum(TypedDict):
    count: int
    amount: float
    amountInWords: str


@with_config(json_schema_extra={"examples": [_CHANGED]})
class ChangedRow(TypedDict):
    _id: str
    username: str
    amount: float
    status: Status
    by: str | None
    at: str | None


@with_config(json_schema_extra={"examples": [_CHANGED_ROWS_EXAMPLE]})
class ChangedRows(TypedDict):
    count: int
    items: list[ChangedRow]


@with_config(json_schema_extra={"examples": [_BLOCKED]})
class BlockedRow(TypedDict):
    _id: str
    username: str
    amount: float
    why: str


@with_config(json_schema_extra={"examples": [_BLOCKED_ROWS_EXAMPLE]})
class BlockedRows(TypedDict):
    count: int
    items: list[BlockedRow]


@with_config(json_schema_extra={"examples": [_SAME_ACCOUNT]})
class SameAccount(TypedDict):
    accountNo: str
    ifsc: str
    claims: int
    amount: float


@with_config(json_schema_extra={"examples": [_SAME_ACCOUNTS_EXAMPLE]})
class SameAccounts(TypedDict):
    count: int
    items: list[SameAccount]


@with_config(json_schema_extra={"examples": [_PROBLEM]})
class ProblemRow(BlockedRow):
    outcome: Problem


@with_config(json_schema_extra={"examples": [_PROBLEM_ROWS_EXAMPLE]})
class ProblemRows(TypedDict):
    count: int
    items: list[ProblemRow]


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000007",
                "status": "Paid",
                "reason": None,
                "createdAt": "2026-11-15T02:52:36.120Z",
                "confirmedAt": "2026-11-15T02:53:01.004Z",
                "endedAt": None,
                **_SUM,
                "willMove": _SUM,
                "changed": _CHANGED_ROWS_EXAMPLE,
                "blocked": _BLOCKED_ROWS_EXAMPLE,
                "sameAccount": _SAME_ACCOUNTS_EXAMPLE,
                "outcome": OUTCOME_EXAMPLE,
                "problems": _PROBLEM_ROWS_EXAMPLE,
            }
        ]
    }
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


_OF_BATCH = batch_rows.c.batch_id == bindparam("of_batch")
_SUMS = Statement(
    select(batch_rows.c.outcome, func.count().label("claims"), func.sum(batch_rows.c.amount_paise).label("paise"))
    .where(_OF_BATCH)
    .group_by(batch_rows.c.outcome)
)
_rows: Select[Any] = (
    select(
        batch_rows.c.claim_id,
        batch_rows.c.amount_paise,
        batch_rows.c.outcome,
        batch_rows.c.why,
        users.c.username,
        claims.c.status,
        claim_transitions.c.moved_by,
        claim_transitions.c.moved_at,
    )
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .join(users, claims.c.user_id == users.c.id)
    .outerjoin(claim_transitions, IS_LAST_MOVE)
    .where(_OF_BATCH)
    .order_by(batch_rows.c.place)
)
_CHANGED_ROWS = Statement(_rows.where(batch_rows.c.outcome == CHANGED).limit(number(MOST_LISTED)))
_BLOCKED_ROWS = Statement(_rows.where(batch_rows.c.outcome == BLOCKED).limit(number(MOST_LISTED)))
_PROBLEM_ROWS = Statement(
    _rows.where(batch_rows.c.outcome.in_([written(outcome) for outcome in UNDONE])).limit(number(MOST_PROBLEMS))
)
_IN_PLAN = or_(
    batch_rows.c.outcome.is_(None), batch_rows.c.outcome.not_in([written(outcome) for outcome in NOT_IN_PLAN])
)
_SAME_ACCOUNTS = Statement(
    select(
        claims.c.account_no,
        claims.c.ifsc,
        func.count().label("claims"),
        func.sum(batch_rows.c.amount_paise).label("paise"),
        # The number of all such accounts, before the list is limited.
        func.count().over().label("accounts"),
    )
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .where(_OF_BATCH, _IN_PLAN)
    .group_by(claims.c.account_no, claims.c.ifsc)
    .having(func.count() > 1)
    .order_by(func.count().desc(), claims.c.account_no, claims.c.ifsc)
    .limit(number(MOST_LISTED))
)


async def read_sheet(reader: Reader, admin_id: str, batch_id: str) -> Sheet:
    batch = await get_batch(reader, admin_id, batch_id)
    of_batch = {"of_batch": batch.id}
    sums = {row.outcome: (row.claims, int(row.paise)) for row in await reader.rows(_SUMS, of_batch)}
    counts = {outcome: claims for outcome, (claims, _) in sums.items()}
    in_plan = [part for outcome, part in sums.items() if outcome not in NOT_IN_PLAN]
    changed = [_to_changed(row) for row in await reader.rows(_CHANGED_ROWS, of_batch)]
    blocked = [_to_blocked(row) for row in await reader.rows(_BLOCKED_ROWS, of_batch)]
    problems = [_to_problem(row) for row in await reader.rows(_PROBLEM_ROWS, of_batch)]
    same_accounts = await reader.rows(_SAME_ACCOUNTS, of_batch)
    return {
        "_id": batch.id,
        "status": batch.target,
        "reason": batch.reason,
        "createdAt": iso(batch.created_at),
        "confirmedAt": iso(batch.confirmed_at) if batch.confirmed_at else None,
        "endedAt": iso(batch.ended_at) if batch.ended_at else None,
        **_sum_up(list(sums.values())),
        "willMove": _sum_up(in_plan),
        "changed": {"count": counts.get(CHANGED, 0), "items": changed},
        "blocked": {"count": counts.get(BLOCKED, 0), "items": blocked},
        "sameAccount": {
            "count": same_accounts[0].accounts if same_accounts else 0,
            "items": [_to_same_account(row) for row in same_accounts],
        },
        "outcome": to_outcome(counts),
        "problems": {"count": sum(counts.get(outcome, 0) for outcome in UNDONE), "items": problems},
    }


def _sum_up(parts: list[tuple[int, int]]) -> BatchSum:
    paise = sum(part[1] for part in parts)
    return {
        "count": sum(part[0] for part in parts),
        "amount": rupees(paise),
        "amountInWords": rupees_in_words(paise),
    }


def _to_changed(row: Row[Any]) -> ChangedRow:
    return {
        "_id": row.claim_id,
        "username": row.username,
        "amount": rupees(row.amount_paise),
        "status": row.status,
        "by": row.moved_by,
        "at": iso(row.moved_at) if row.moved_at else None,
    }


def _to_blocked(row: Row[Any]) -> BlockedRow:
    return {
        "_id": row.claim_id,
        "username": row.username,
        "amount": rupees(row.amount_paise),
        "why": row.why,
    }


def _to_problem(row: Row[Any]) -> ProblemRow:
    return {**_to_blocked(row), "outcome": "failed" if row.outcome == FAILED else "skipped"}


def _to_same_account(row: Row[Any]) -> SameAccount:
    return {
        "accountNo": row.account_no,
        "ifsc": row.ifsc,
        "claims": row.claims,
        "amount": rupees(int(row.paise)),
    }
