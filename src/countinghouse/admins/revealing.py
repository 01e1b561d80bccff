"""Reveals of whole numbers. Each is in the audit log. They are limited per admin, and refusals are in the log too."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import Request

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.dependencies import acting_admin
from countinghouse.admins.queries import Admin
from countinghouse.admins.refusals import count_refused_look
from countinghouse.admins.throttle import buckets_for_numbers, count_guess, too_many_reveals
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Transaction
from countinghouse.core.http.answers import described_error, errors
from countinghouse.core.http.requests import get_database, get_settings

T = TypeVar("T")

# For the OpenAPI description of a route that reveals a number.
REVEAL_REFUSED = {**errors(404), 429: described_error("Too many reveals by this admin; see Retry-After")}


async def reveal(request: Request, read: Callable[[Transaction, Actor], Awaitable[T]]) -> T:
    """`read` records who asked, in the same transaction that counts it."""
    admin: Admin = request.state.admin
    actor = await acting_admin(request)
    buckets = buckets_for_numbers("reveals", admin.id, get_settings(request))

    async def count_and_read(transaction: Transaction) -> tuple[T | None, int]:
        seconds = await count_guess(transaction, buckets)
        if seconds == 0:
            return await read(transaction, actor), 0
        await count_refused_look(transaction, actor, admin.id, AdminVerb.REVEALS_REFUSED)
        return None, seconds

    # Refused after the transaction, which keeps the count.
    found, seconds = await get_database(request).write(count_and_read)
    if found is None:
        raise too_many_reveals(seconds)
    return found
