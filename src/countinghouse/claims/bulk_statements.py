"""The statements that read evidence about many claims at once. Each binds ids, clients or values as one list."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, bindparam, case, func, select

from countinghouse.claims.evidence import MOST_NAMES
from countinghouse.claims.lifecycle import IN_FLIGHT
from countinghouse.claims.same_account import key_of, keys_among
from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.db import Plan, Statement
from countinghouse.core.listing.sql import among, among_numbers, number, whole_days, written
from countinghouse.core.times import Moment
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users

CHOSEN = Statement(
    select(
        claims.c.id,
        claims.c.number,
        claims.c.user_id,
        users.c.username,
        claims.c.account_no,
        claims.c.ifsc,
        claims.c.amount_paise,
        claims.c.status,
        claims.c.created_at,
        purchases.c.upi_id,
        purchases.c.findings,
    )
    .join_from(claims, users, claims.c.user_id == users.c.id)
    .join(purchases, claims.c.purchase_id == purchases.c.id)
    .where(among(claims.c.id, bindparam("ids"))),
    Plan.BY_LOOKUP,
)

_OF_CLIENTS = among(claims.c.user_id, bindparam("users"))


def _sum_if(condition: ColumnElement[bool], value: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.sum(case((condition, value), else_=number(0)))


_IS_PAID = claims.c.status == written("Paid")
_IS_IN_FLIGHT = claims.c.status.in_([written(status) for status in IN_FLIGHT])
CLAIMED = Statement(
    select(
        claims.c.user_id,
        claims.c.account_no,
        claims.c.ifsc,
        _sum_if(_IS_PAID, number(1)),
        func.sum(claims.c.payout_round),
        _sum_if(_IS_PAID, claims.c.amount_paise),
        _sum_if(_IS_IN_FLIGHT, claims.c.amount_paise),
    )
    .where(_OF_CLIENTS)
    .group_by(claims.c.user_id, claims.c.account_no, claims.c.ifsc),
    Plan.BY_LOOKUP,
)

_BY_CLIENTS = among(purchases.c.user_id, bindparam("users"))
_days = whole_days(purchases.c.created_at, bindparam("at", type_=Moment))
# Grouped by age instead of one sum: income times days may exceed the integers of the database.
EARNED = Statement(
    select(purchases.c.user_id, _days, func.sum(purchases.c.daily_income_paise))
    .where(_BY_CLIENTS)
    .group_by(purchases.c.user_id, _days),
    Plan.BY_LOOKUP,
)


def _lag(column: ColumnElement[Any]) -> ColumnElement[Any]:
    before = func.lag(column, type_=column.type)
    return before.over(partition_by=claims.c.user_id, order_by=(claims.c.created_at, claims.c.id))


_in_order = (
    select(
        claims.c.id,
        _lag(claims.c.created_at).label("at"),
        _lag(claims.c.account_no).label("account_no"),
        _lag(claims.c.ifsc).label("ifsc"),
    )
    .where(_OF_CLIENTS)
    .subquery("in_order")
)
BEFORE = Statement(
    select(_in_order).where(_in_order.c.at.is_not(None), among(_in_order.c.id, bindparam("ids"))), Plan.BY_LOOKUP
)

_same_amount = (
    select(
        claims.c.created_at,
        claims.c.id,
        claims.c.status,
        claims.c.account_no,
        claims.c.ifsc,
        claims.c.user_id,
        claims.c.amount_paise,
        func.count().over(partition_by=(claims.c.user_id, claims.c.amount_paise)).label("entries"),
    )
    .where(_OF_CLIENTS, among_numbers(claims.c.amount_paise, bindparam("amounts")))
    .subquery("same_amount")
)
MATES = Statement(select(_same_amount).where(_same_amount.c.entries > number(1)), Plan.BY_LOOKUP)

_other = purchases.alias("other")
# One lookup per purchase instead of EXISTS, which PostgreSQL may turn into a join with all purchases.
_twin = (
    select(_other.c.id)
    .where(_other.c.upi_id == purchases.c.upi_id, _other.c.id != purchases.c.id)
    .limit(number(1))
    .scalar_subquery()
)
REPEATED = Statement(
    select(purchases.c.user_id, purchases.c.upi_id, func.count())
    .where(_BY_CLIENTS, purchases.c.upi_id != written(""), _twin.is_not(None))
    .group_by(purchases.c.user_id, purchases.c.upi_id)
    .order_by(purchases.c.upi_id),
    Plan.BY_LOOKUP,
)


def _users_of(values: Sequence[ColumnElement[str]], user_id: Column[str], condition: ColumnElement[bool]) -> Statement:
    """Whose rows have these values: the first few clients, with how many there are and how many rows they have."""
    used = select(*values, user_id, func.count().label("entries")).where(condition).group_by(*values, user_id)
    found = used.subquery("used")
    key = [*found.c][: len(values)]
    ranked = select(
        *key,
        found.c.user_id,
        func.count().over(partition_by=key).label("clients"),
        func.sum(found.c.entries).over(partition_by=key).label("entries"),
        func.row_number().over(partition_by=key, order_by=found.c.user_id).label("place"),
    ).subquery("ranked")
    return Statement(
        select(ranked, users.c.username)
        .join_from(ranked, users, ranked.c.user_id == users.c.id)
        .where(ranked.c.place <= number(1 + MOST_NAMES))
        .order_by(ranked.c.place),
        Plan.BY_LOOKUP,
    )


USERS_OF_ACCOUNT = _users_of(
    (key_of(claims.c.account_no).label("account_no"), key_of(claims.c.ifsc).label("ifsc")),
    claims.c.user_id,
    keys_among(claims.c.account_no, bindparam("accounts")),
)
USERS_OF_REFERENCE = _users_of(
    (purchases.c.upi_id,), purchases.c.user_id, among(purchases.c.upi_id, bindparam("references"))
)

LAST_PAYOUTS = Statement(
    select(payout_references.c.claim_id, payout_references.c.reference, payout_references.c.recorded_at)
    .where(among(payout_references.c.claim_id, bindparam("ids")))
    .order_by(payout_references.c.number),
    Plan.BY_LOOKUP,
)
_bought = (
    select(func.min(purchases.c.id).label("id"))
    .where(among(purchases.c.reference_key, bindparam("keys")))
    .group_by(purchases.c.reference_key)
    .subquery("bought")
)
BOUGHT = Statement(
    select(purchases.c.reference_key, users.c.username, purchases.c.invest_paise, purchases.c.created_at)
    .join_from(_bought, purchases, _bought.c.id == purchases.c.id)
    .join(users, purchases.c.user_id == users.c.id),
    Plan.BY_LOOKUP,
)
