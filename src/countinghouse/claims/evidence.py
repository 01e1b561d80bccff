"""Reads the evidence from which the facts about a claim are derived."""

from datetime import timedelta

from sqlalchemy import and_, bindparam, case, func, or_, select

from countinghouse.claims.arithmetic import IN_FLIGHT
from countinghouse.claims.client_rows import newest_of, rows_of_client
from countinghouse.claims.facts import (
    Account,
    ClaimBefore,
    ClaimedPurchase,
    ClaimsAlike,
    Clients,
    Evidence,
    LastPayout,
    OtherPurchase,
    Payouts,
    RepeatedReference,
)
from countinghouse.claims.queries import Claim
from countinghouse.claims.standing import Standing
from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import Moment, around, to_moment
from countinghouse.india.references import reference_key
from countinghouse.purchases.findings import FINDINGS
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users

ALIKE_WITHIN = timedelta(days=3)

# A sentence names at most this many, and gives the total.
MOST_NAMES = 3
# A value on more rows than this is not an account or reference but a word for "none". Counting stops here.
MOST_CHECKED = 10_000


async def read_evidence(reader: Reader, standing: Standing, claimable_paise: int) -> Evidence:
    claim = standing.claim
    account = Account(claim["accountNo"], claim["ifsc"])
    return Evidence(
        status=standing.status,
        amount_paise=standing.amount_paise,
        account=account,
        sharers=await _read_sharers(reader, claim["user"]["_id"], account),
        before=await _find_claim_before(reader, claim),
        claimable_paise=claimable_paise,
        repeated=await _find_repeated_reference(reader, claim),
        payouts=await _read_payouts(reader, claim["user"]["_id"], account),
        alike=await _find_claims_alike(reader, claim, standing.amount_paise),
        purchase=await _read_purchase(reader, claim),
        last_payout=await _find_last_payout(reader, claim),
    )


_THIS_ACCOUNT = (claims.c.account_no == bindparam("account_no"), claims.c.ifsc == bindparam("ifsc"))

_by_others = (
    select(claims.c.user_id)
    .where(*_THIS_ACCOUNT, claims.c.user_id != bindparam("user_id"))
    .limit(number(MOST_CHECKED))
    .subquery("by_others")
)
_sharers = (
    select(
        _by_others.c.user_id,
        func.count().over().label("clients"),
        func.sum(func.count()).over().label("looked_at"),
    )
    .group_by(_by_others.c.user_id)
    .order_by(_by_others.c.user_id)
    .limit(number(MOST_NAMES))
    .subquery("sharers")
)
_SHARERS = Statement(
    select(users.c.username, _sharers.c.clients, _sharers.c.looked_at)
    .join_from(_sharers, users, _sharers.c.user_id == users.c.id)
    .order_by(_sharers.c.user_id)
)


async def _read_sharers(reader: Reader, user_id: str, account: Account) -> Clients:
    found = await reader.all(_SHARERS, {"user_id": user_id, "account_no": account.number, "ifsc": account.ifsc})
    if not found:
        return Clients(0, ())
    _, clients, looked_at = found[0]
    return Clients(clients, [username for username, _, _ in found], or_more=looked_at == MOST_CHECKED)


_earlier = rows_of_client(claims)
# The stored value, not the formatted one: several claims may be made within one millisecond.
_made_at = select(claims.c.created_at).where(claims.c.id == bindparam("claim_id")).scalar_subquery()
_BEFORE = Statement(
    newest_of(_earlier, 1)
    .with_only_columns(_earlier.c.created_at, _earlier.c.account_no, _earlier.c.ifsc)
    .where(
        or_(
            _earlier.c.created_at < _made_at,
            and_(_earlier.c.created_at == _made_at, _earlier.c.id < bindparam("claim_id")),
        )
    )
)


async def _find_claim_before(reader: Reader, claim: Claim) -> ClaimBefore | None:
    found = await reader.all(_BEFORE, {"user_id": claim["user"]["_id"], "claim_id": claim["_id"]})
    if not found:
        return None
    at, account_no, ifsc = found[0]
    return ClaimBefore(to_moment(at), Account(account_no, ifsc))


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
_with_reference = (
    select(purchases.c.user_id)
    .where(purchases.c.upi_id == bindparam("reference"))
    .limit(number(MOST_CHECKED))
    .subquery("with_reference")
)
_is_own = _with_reference.c.user_id == bindparam("user_id")
_reference_users = (
    select(
        _with_reference.c.user_id,
        func.count().label("purchases"),
        func.count().over().label("clients"),
        func.sum(func.count()).over().label("looked_at"),
    )
    .group_by(_with_reference.c.user_id)
    .order_by(case((_is_own, number(0)), else_=number(1)), _with_reference.c.user_id)
    .limit(number(1 + MOST_NAMES))
    .subquery("users_of_it")
)
_USERS_OF_REFERENCE = Statement(
    select(
        _reference_users.c.user_id,
        users.c.username,
        _reference_users.c.purchases,
        _reference_users.c.clients,
        _reference_users.c.looked_at,
    )
    .join_from(_reference_users, users, _reference_users.c.user_id == users.c.id)
    .order_by(_reference_users.c.user_id)
)


async def _find_repeated_reference(reader: Reader, claim: Claim) -> RepeatedReference | None:
    user_id = claim["user"]["_id"]
    repeated = await reader.all(_REPEATED, {"user_id": user_id, "claim_id": claim["_id"]})
    if not repeated:
        return None
    reference, references = repeated[0]
    found = await reader.all(_USERS_OF_REFERENCE, {"user_id": user_id, "reference": reference})
    of_this_client = sum(count for found_id, _, count, _, _ in found if found_id == user_id)
    names = [name for found_id, name, _, _, _ in found if found_id != user_id]
    *_, clients, looked_at = found[0]
    return RepeatedReference(
        reference=reference,
        purchases=int(looked_at),
        by_others=int(looked_at) - of_this_client,
        others=Clients(clients - (1 if of_this_client else 0), names[:MOST_NAMES], or_more=looked_at == MOST_CHECKED),
        more=references - 1,
    )


_PAYOUTS = Statement(
    select(
        func.coalesce(func.sum(case((claims.c.status == written("Paid"), number(1)), else_=number(0))), number(0)),
        func.coalesce(func.sum(claims.c.payout_round), number(0)),
    ).where(claims.c.user_id == bindparam("user_id"), *_THIS_ACCOUNT)
)


async def _read_payouts(reader: Reader, user_id: str, account: Account) -> Payouts:
    values = {"user_id": user_id, "account_no": account.number, "ifsc": account.ifsc}
    ((paid, sent_back),) = await reader.all(_PAYOUTS, values)
    return Payouts(int(paid), int(sent_back))


_same = rows_of_client(claims)
_ALIKE = Statement(
    newest_of(_same, 1)
    .with_only_columns(func.count().over(), _same.c.created_at, _same.c.status)
    .where(
        _same.c.id != bindparam("claim_id"),
        _same.c.amount_paise == bindparam("amount_paise"),
        or_(
            _same.c.created_at.between(bindparam("from", type_=Moment), bindparam("to", type_=Moment)),
            and_(
                _same.c.account_no == bindparam("account_no"),
                _same.c.ifsc == bindparam("ifsc"),
                _same.c.status.in_([written(status) for status in IN_FLIGHT]),
            ),
        ),
    )
)


async def _find_claims_alike(reader: Reader, claim: Claim, amount_paise: int) -> ClaimsAlike | None:
    """Claims of the same client and amount, made at about the same time or in flight to the same account."""
    first_at, last_at = around(to_moment(claim["createdAt"]), ALIKE_WITHIN)
    values = {
        "user_id": claim["user"]["_id"],
        "claim_id": claim["_id"],
        "amount_paise": amount_paise,
        "account_no": claim["accountNo"],
        "ifsc": claim["ifsc"],
        "from": first_at,
        "to": last_at,
    }
    found = await reader.all(_ALIKE, values)
    if not found:
        return None
    count, newest_at, status = found[0]
    return ClaimsAlike(count, to_moment(newest_at), status)


_PURCHASE = Statement(
    select(purchases.c.upi_id, purchases.c.findings)
    .join_from(claims, purchases, claims.c.purchase_id == purchases.c.id)
    .where(claims.c.id == bindparam("claim_id"))
)


async def _read_purchase(reader: Reader, claim: Claim) -> ClaimedPurchase:
    ((transaction_id, findings),) = await reader.all(_PURCHASE, {"claim_id": claim["_id"]})
    return ClaimedPurchase(transaction_id, FINDINGS[findings])


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


async def _find_last_payout(reader: Reader, claim: Claim) -> LastPayout | None:
    found = await reader.all(_LAST_PAYOUT, {"claim_id": claim["_id"]})
    if not found:
        return None
    reference, paid_at = found[0]
    bought = [
        OtherPurchase(client, amount_paise, to_moment(made_at))
        for client, amount_paise, made_at in await reader.all(
            _PURCHASE_WITH_REFERENCE, {"key": reference_key(reference)}
        )
    ]
    return LastPayout(reference, to_moment(paid_at), bought[0] if bought else None)
