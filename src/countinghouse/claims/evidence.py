"""Reads the evidence from which the facts about a claim are derived."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, FromClause, Select, and_, bindparam, case, func, or_, select

from countinghouse.claims.alike import ALIKE_WITHIN
from countinghouse.claims.arithmetic import newest, rows_of_client
from countinghouse.claims.facts import (
    Account,
    ClaimBefore,
    ClaimedPurchase,
    ClaimsAlike,
    Evidence,
    LastPayout,
    OtherPurchase,
    Payouts,
    RepeatedReference,
)
from countinghouse.claims.lifecycle import IN_FLIGHT
from countinghouse.claims.named_clients import Clients
from countinghouse.claims.rules import CurrentClaim
from countinghouse.claims.same_account import key_of
from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import Moment, around, to_moment
from countinghouse.india.references import reference_key
from countinghouse.purchases.findings import FINDINGS
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users

# A sentence names at most this many, and gives the total.
MOST_NAMES = 3
# A value on more rows than this is not an account or reference but a word for "none". Counting stops here.
MOST_CHECKED = 10_000

T = TypeVar("T")
Known = dict[str, Any]


async def read_evidence(
    reader: Reader, current: CurrentClaim, claimable_paise: int, *, hides_numbers: bool
) -> Evidence:
    claim = current.claim
    first_at, last_at = around(to_moment(claim["createdAt"]), ALIKE_WITHIN)
    # Everything that the statements below bind.
    known = {
        "claim_id": claim["_id"],
        "user_id": claim["user"]["_id"],
        "account_no": claim["accountNo"],
        "ifsc": claim["ifsc"],
        "amount_paise": current.amount_paise,
        "from": first_at,
        "to": last_at,
    }
    payouts = await reader.one(_PAYOUTS, known)
    purchase = await reader.one(_PURCHASE, known)
    return Evidence(
        status=current.status,
        amount_paise=current.amount_paise,
        account=Account(claim["accountNo"], claim["ifsc"]),
        sharers=await _read_sharers(reader, known),
        before=await _find(
            reader, _BEFORE, known, lambda at, account_no, ifsc: ClaimBefore(at, Account(account_no, ifsc))
        ),
        claimable_paise=claimable_paise,
        repeated=await _find_repeated_reference(reader, known),
        payouts=Payouts(*map(int, payouts)),
        alike=await _find(reader, _ALIKE, known, ClaimsAlike),
        purchase=ClaimedPurchase(purchase.upi_id, FINDINGS[purchase.findings]),
        last_payout=await _find_last_payout(reader, known),
        hides_numbers=hides_numbers,
    )


async def _find(reader: Reader, statement: Statement, known: Known, to_evidence: Callable[..., T]) -> T | None:
    found = await reader.first(statement, known)
    return None if found is None else to_evidence(*found)


def _is_this_account(claim: FromClause) -> ColumnElement[bool]:
    return and_(
        key_of(claim.c.account_no) == key_of(bindparam("account_no")), key_of(claim.c.ifsc) == key_of(bindparam("ifsc"))
    )


_THIS_ACCOUNT = _is_this_account(claims)


def _users_of(rows: Select[Any]) -> Statement:
    """Whose these rows are: this client and the first few others, each with the number of their rows."""
    checked = rows.limit(number(MOST_CHECKED)).subquery("checked")
    is_other = case((checked.c.user_id == bindparam("user_id"), number(0)), else_=number(1))
    found = (
        select(
            checked.c.user_id,
            func.count().label("entries"),
            func.count().over().label("clients"),
            func.sum(func.count()).over().label("looked_at"),
        )
        .group_by(checked.c.user_id)
        .order_by(is_other, checked.c.user_id)
        .limit(number(1 + MOST_NAMES))
        .subquery("found")
    )
    named = select(found, users.c.username).join_from(found, users, found.c.user_id == users.c.id)
    return Statement(named.order_by(found.c.user_id))


_SHARERS = _users_of(select(claims.c.user_id).where(_THIS_ACCOUNT, claims.c.user_id != bindparam("user_id")))
_USERS_OF_REFERENCE = _users_of(select(purchases.c.user_id).where(purchases.c.upi_id == bindparam("reference")))


async def _read_sharers(reader: Reader, known: Known) -> Clients:
    found = await reader.rows(_SHARERS, known)
    if not found:
        return Clients(0, ())
    names = [row.username for row in found[:MOST_NAMES]]
    return Clients(found[0].clients, names, or_more=found[0].looked_at == MOST_CHECKED)


_earlier = rows_of_client(claims)
# The stored value, not the formatted one: several claims may be made within one millisecond.
_made_at = select(claims.c.created_at).where(claims.c.id == bindparam("claim_id")).scalar_subquery()
_BEFORE = Statement(
    newest(select(_earlier.c.created_at, _earlier.c.account_no, _earlier.c.ifsc), _earlier, 1).where(
        or_(
            _earlier.c.created_at < _made_at,
            and_(_earlier.c.created_at == _made_at, _earlier.c.id < bindparam("claim_id")),
        )
    )
)

_own = rows_of_client(purchases)
_other = purchases.alias("other")
# One lookup per purchase instead of EXISTS, which PostgreSQL may turn into a join with all purchases.
_twin = (
    select(_other.c.id)
    .where(_other.c.upi_id == _own.c.upi_id, _other.c.id != _own.c.id)
    .limit(number(1))
    .scalar_subquery()
)
_of_claim = select(claims.c.purchase_id).where(claims.c.id == bindparam("claim_id")).scalar_subquery()
_REPEATED = Statement(
    select(_own.c.upi_id, func.count().over())
    .where(_own.c.upi_id != written(""), _twin.is_not(None))
    .group_by(_own.c.upi_id)
    # Prefers the reference of the purchase that the claim is for.
    .order_by(func.max(case((_own.c.id == _of_claim, number(1)), else_=number(0))).desc(), _own.c.upi_id)
    .limit(number(1))
)


async def _find_repeated_reference(reader: Reader, known: Known) -> RepeatedReference | None:
    repeated = await reader.all(_REPEATED, known)
    if not repeated:
        return None
    reference, references = repeated[0]
    found = await reader.rows(_USERS_OF_REFERENCE, known | {"reference": reference})
    if not found:
        # Unreadable, see `is_unreadable`.
        return None
    of_this_client = sum(row.entries for row in found if row.user_id == known["user_id"])
    names = [row.username for row in found if row.user_id != known["user_id"]]
    clients, purchases = found[0].clients - (1 if of_this_client else 0), int(found[0].looked_at)
    return RepeatedReference(
        reference=reference,
        purchases=purchases,
        by_others=purchases - of_this_client,
        others=Clients(clients, names[:MOST_NAMES], or_more=purchases == MOST_CHECKED),
        more=references - 1,
    )


_PAYOUTS = Statement(
    select(
        func.coalesce(func.sum(case((claims.c.status == written("Paid"), number(1)), else_=number(0))), number(0)),
        func.coalesce(func.sum(claims.c.payout_round), number(0)),
    ).where(claims.c.user_id == bindparam("user_id"), _THIS_ACCOUNT)
)

# Claims of the same client and amount, made at about the same time or in flight to the same account.
_same = rows_of_client(claims)
_ALIKE = Statement(
    newest(select(func.count().over(), _same.c.created_at, _same.c.status), _same, 1).where(
        _same.c.id != bindparam("claim_id"),
        _same.c.amount_paise == bindparam("amount_paise"),
        or_(
            _same.c.created_at.between(bindparam("from", type_=Moment), bindparam("to", type_=Moment)),
            and_(_is_this_account(_same), _same.c.status.in_([written(status) for status in IN_FLIGHT])),
        ),
    )
)

_PURCHASE = Statement(
    select(purchases.c.upi_id, purchases.c.findings)
    .join_from(claims, purchases, claims.c.purchase_id == purchases.c.id)
    .where(claims.c.id == bindparam("claim_id"))
)

_LAST_PAYOUT = Statement(
    select(payout_references.c.reference, payout_references.c.recorded_at)
    .where(payout_references.c.claim_id == bindparam("claim_id"))
    .order_by(payout_references.c.number.desc())
    .limit(number(1))
)
_PURCHASE_WITH_REFERENCE = Statement(
    select(users.c.username, purchases.c.invest_paise, purchases.c.created_at)
    .join_from(purchases, users, purchases.c.user_id == users.c.id)
    .where(purchases.c.reference_key == bindparam("key"))
    .limit(number(1))
)


async def _find_last_payout(reader: Reader, known: Known) -> LastPayout | None:
    payout = await reader.first(_LAST_PAYOUT, known)
    if payout is None:
        return None
    key = {"key": reference_key(payout.reference)}
    bought = await _find(reader, _PURCHASE_WITH_REFERENCE, key, OtherPurchase)
    return LastPayout(payout.reference, payout.recorded_at, bought)
