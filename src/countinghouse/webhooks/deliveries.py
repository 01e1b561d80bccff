"""The queue of deliveries: which are due, who is sending them, how an attempt ended.

Every function that changes deliveries first locks the row of their endpoint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, bindparam, case, delete, exists, null, or_, select, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among, number, written
from countinghouse.core.times import CLOCKS_DIFFER, Moment
from countinghouse.webhooks.client import ATTEMPT_SECONDS, Outcome
from countinghouse.webhooks.events import VERBS
from countinghouse.webhooks.resource import WebhookVerb
from countinghouse.webhooks.retrying import LONGEST_PAUSE, next_attempt_at, pause_until
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints, webhook_outbox

# Longer than an attempt can take, by the clock of any server: no other sends the same delivery meanwhile.
LEASE = timedelta(seconds=ATTEMPT_SECONDS * 2) + CLOCKS_DIFFER

KEPT_FOR = timedelta(days=30)
DELETED_TOGETHER = 1000
# A receiver that is down for long must not fill the disk.
MOST_WAITING = 100_000

SENDER = Actor("webhooks")

_endpoint, _delivery = webhook_endpoints.c, webhook_deliveries.c
_at = bindparam("at", type_=Moment)
IS_ACTIVE = _endpoint.disabled_at.is_(None) & _endpoint.removed_at.is_(None)
_IS_WAITING = _delivery.state == written("waiting")

_ONE_ENDPOINT = Statement(select(webhook_endpoints).where(_endpoint.id == bindparam("endpoint_id")).with_for_update())


@dataclass(frozen=True, slots=True)
class Leased:
    """What a sender needs for one attempt."""

    id: str
    lease: str
    endpoint_id: str
    url: str
    secrets: tuple[str, ...]
    event_id: str
    body: bytes
    at: datetime


_other = webhook_deliveries.alias("other")
# A later one can be on its way already when an admin sends an earlier one again.
_is_first = ~exists(
    select(number(1)).where(
        _other.c.endpoint_id == _delivery.endpoint_id,
        _other.c.subject_id == _delivery.subject_id,
        _other.c.state == written("waiting"),
        or_(_other.c.position < _delivery.position, _other.c.lease.is_not(None)),
    )
)
_SET_DUE = Statement(
    update(webhook_deliveries)
    .where(
        _delivery.endpoint_id == bindparam("of_endpoint"),
        among(_delivery.subject_id, bindparam("subjects")),
        _IS_WAITING,
        _delivery.lease.is_(None),
        or_(_is_first & _delivery.due_at.is_(None), ~_is_first & _delivery.due_at.is_not(None)),
    )
    .values(due_at=case((_is_first, _at), else_=null()))
)


async def set_due(transaction: Transaction, endpoint_id: str, subjects: Sequence[str], at: datetime) -> None:
    """The first waiting delivery about a subject is due; those after it wait until it has ended."""
    ids = bound_ids(sorted(set(subjects)), transaction.is_sqlite)
    await transaction.execute(_SET_DUE, {"of_endpoint": endpoint_id, "subjects": ids, "at": at})


_due = select(number(1)).where(_delivery.endpoint_id == _endpoint.id, _IS_WAITING, _delivery.due_at <= _at)
_is_not_paused = or_(_endpoint.paused_until.is_(None), _endpoint.paused_until <= _at)
IS_UNDERSTOOD = webhook_outbox.c.verb.in_([written(verb) for verb in VERBS])
_OUTBOX = Statement(select(webhook_outbox.c.id).where(IS_UNDERSTOOD).limit(number(1)))
_ENDPOINTS_WITH_DUE = Statement(select(_endpoint.id).where(IS_ACTIVE, _is_not_paused, exists(_due)))


async def find_work(reader: Reader, at: datetime) -> tuple[bool, list[str]]:
    """Whether the outbox has rows for this version, and the endpoints that have something due."""
    return bool(await reader.all(_OUTBOX)), await reader.scalars(_ENDPOINTS_WITH_DUE, {"at": at})


async def lock_endpoint(transaction: Transaction, endpoint_id: str) -> Row[Any] | None:
    return await transaction.first(_ONE_ENDPOINT, {"endpoint_id": endpoint_id})


_DUE = Statement(
    select(_delivery.id, _delivery.event_id, _delivery.body)
    .where(_delivery.endpoint_id == bindparam("endpoint_id"), _IS_WAITING, _delivery.due_at <= _at)
    .order_by(_delivery.due_at, _delivery.position)
    .limit(bindparam("most"))
)
_LEASE = Statement(
    update(webhook_deliveries)
    .where(among(_delivery.id, bindparam("ids")))
    .values(
        lease=bindparam("token"),
        due_at=bindparam("until", type_=Moment),
        last_attempt_at=_at,
        attempts=_delivery.attempts + number(1),
    )
)


async def lease_due(transaction: Transaction, endpoint_id: str, most: int, at: datetime) -> list[Leased]:
    """Takes up to `most` due deliveries. If their sender dies, they are due again when the lease ends."""
    endpoint = await lock_endpoint(transaction, endpoint_id)
    if endpoint is None or endpoint.disabled_at or endpoint.removed_at:
        return []
    rows = await transaction.rows(_DUE, {"endpoint_id": endpoint_id, "at": at, "most": most})
    token = new_id()
    ids = bound_ids([row.id for row in rows], transaction.is_sqlite)
    await transaction.execute(_LEASE, {"ids": ids, "token": token, "until": at + LEASE, "at": at})
    secrets = valid_secrets(endpoint, at)
    return [
        Leased(row.id, token, endpoint_id, endpoint.url, secrets, row.event_id, row.body.encode(), at) for row in rows
    ]


def valid_secrets(endpoint: Row[Any], at: datetime) -> tuple[str, ...]:
    if previous_secret_signs(endpoint, at):
        return endpoint.secret, endpoint.previous_secret
    return (endpoint.secret,)


def previous_secret_signs(endpoint: Row[Any], at: datetime) -> bool:
    until = endpoint.previous_secret_until
    return endpoint.previous_secret is not None and until is not None and bool(at < until)


_MINE = (_delivery.id == bindparam("delivery_id")) & (_delivery.lease == bindparam("token"))
_RELEASE = Statement(
    update(webhook_deliveries).where(_MINE).values(lease=null(), due_at=_at, attempts=_delivery.attempts - number(1))
)


async def release(transaction: Transaction, leased: Sequence[Leased], at: datetime) -> None:
    """Gives back what was not sent, because the server stops."""
    for one in leased:
        await transaction.execute(_RELEASE, {"delivery_id": one.id, "token": one.lease, "at": at})


_ATTEMPTED = Statement(select(_delivery.attempts, _delivery.subject_id).where(_MINE))

_FINISH = Statement(
    update(webhook_deliveries)
    .where(_MINE)
    .values(
        state=bindparam("new_state"),
        due_at=bindparam("new_due_at", type_=Moment),
        lease=null(),
        last_status=bindparam("status"),
        last_excerpt=bindparam("excerpt"),
        last_error=bindparam("error"),
    )
)


async def finish(transaction: Transaction, leased: Leased, outcome: Outcome, at: datetime) -> None:
    """Stores how an attempt ended. Nothing is stored if its lease has ended and another sender has taken over."""
    endpoint = await lock_endpoint(transaction, leased.endpoint_id)
    mine = {"delivery_id": leased.id, "token": leased.lease}
    attempted = await transaction.first(_ATTEMPTED, mine)
    if endpoint is None or attempted is None:
        return
    pause = None if outcome.is_success else pause_until(outcome.retry_after, at)
    retry_at = None if outcome.is_success or outcome.is_gone else next_attempt_at(attempted.attempts, at)
    if retry_at is not None:
        state, due_at = "waiting", max(retry_at, pause or retry_at)
    else:
        state, due_at = "delivered" if outcome.is_success else "failed", None
    ended = {
        "new_state": state,
        "new_due_at": due_at,
        "status": outcome.status,
        "excerpt": outcome.excerpt,
        "error": outcome.error,
    }
    await transaction.execute(_FINISH, mine | ended)
    await set_due(transaction, leased.endpoint_id, [attempted.subject_id], at)
    await _note_health(transaction, endpoint, outcome, pause, at)


async def _note_health(
    transaction: Transaction, endpoint: Row[Any], outcome: Outcome, pause: datetime | None, at: datetime
) -> None:
    changed: dict[str, Any] = {}
    if outcome.is_success and endpoint.failing_since:
        changed["failing_since"] = None
    if not outcome.is_success and endpoint.failing_since is None and endpoint.disabled_at is None:
        changed["failing_since"] = at
    # A pause that is still going on was asked for by a later answer than this one, which was on its way already.
    is_over = endpoint.paused_until is None or endpoint.paused_until <= at
    if pause is not None and (is_over or pause > endpoint.paused_until):
        changed["paused_until"] = pause
    elif outcome.is_success and is_over and endpoint.paused_until:
        changed["paused_until"] = None
    if changed:
        await transaction.execute(update(webhook_endpoints).where(_endpoint.id == endpoint.id).values(changed))
    if outcome.is_gone and endpoint.disabled_at is None and endpoint.removed_at is None:
        await disable(transaction, endpoint, "The receiver answered 410 Gone.", at)


async def disable(transaction: Transaction, endpoint: Row[Any], why: str, at: datetime) -> None:
    disabled = {"disabled_at": at, "disabled_why": why}
    await transaction.execute(update(webhook_endpoints).where(_endpoint.id == endpoint.id).values(disabled))
    after = {"url": endpoint.url, "isEnabled": False, "why": why}
    await record(transaction, SENDER, WebhookVerb.DISABLED, endpoint.id, after=after)


_old = (
    select(_delivery.id)
    .where(_delivery.created_at < bindparam("before", type_=Moment), ~_IS_WAITING)
    .order_by(_delivery.created_at, _delivery.id)
    .limit(number(DELETED_TOGETHER))
)
_DELETE_OLD = Statement(delete(webhook_deliveries).where(_delivery.id.in_(_old)))
_waiting = select(_delivery.id).where(_delivery.endpoint_id == _endpoint.id, _IS_WAITING)
_OVERFULL = Statement(
    select(webhook_endpoints).where(
        IS_ACTIVE, exists(_waiting.limit(number(1)).offset(number(MOST_WAITING)).correlate(webhook_endpoints))
    )
)


_ANY = Statement(select(_delivery.id).limit(number(1)))


async def has_deliveries(reader: Reader) -> bool:
    return bool(await reader.all(_ANY))


# Waits that were computed before the clock was set back: no wait is this long, the attempt before it was made in the
# future, or nothing but the clock has to be waited for.
_far, _ahead = bindparam("far", type_=Moment), bindparam("ahead", type_=Moment)
_is_from_future = and_(
    _IS_WAITING,
    or_(
        _delivery.due_at > _far,
        and_(_delivery.lease.is_not(None), _delivery.due_at > bindparam("leased", type_=Moment)),
        and_(_delivery.lease.is_(None), _delivery.last_attempt_at > _ahead, _delivery.due_at > _at),
        and_(_delivery.lease.is_(None), _delivery.attempts == number(0), _delivery.due_at > _ahead),
    ),
)
_END_PAUSES = Statement(
    update(webhook_endpoints)
    .where(
        or_(
            _endpoint.paused_until > _far,
            and_(
                _endpoint.paused_until > _at,
                exists(
                    select(number(1)).where(
                        _delivery.endpoint_id == _endpoint.id, _IS_WAITING, _delivery.last_attempt_at > _ahead
                    )
                ),
            ),
        )
    )
    .values(paused_until=null())
)
_END_WAITS = Statement(update(webhook_deliveries).where(_is_from_future).values(due_at=_at, lease=null()))


async def tidy(transaction: Transaction, at: datetime) -> None:
    """Deletes old entries of the log, and disables endpoints with too many waiting deliveries."""
    ahead = at + CLOCKS_DIFFER
    limits = {"at": at, "ahead": ahead, "far": at + LONGEST_PAUSE * 1.2}
    await transaction.execute(_END_PAUSES, limits)
    await transaction.execute(_END_WAITS, limits | {"leased": ahead + LEASE})
    for row in await transaction.rows(_OVERFULL):
        endpoint = await lock_endpoint(transaction, row.id)
        if endpoint is not None and endpoint.disabled_at is None and endpoint.removed_at is None:
            await disable(transaction, endpoint, f"More than {MOST_WAITING:,} deliveries are waiting.", at)
    await transaction.execute(_DELETE_OLD, {"before": at - KEPT_FOR})
