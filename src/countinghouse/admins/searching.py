"""Searches for a whole number by admins who see masked ones. Each tells whether somebody has the number, so a program
could try all that end in the digits on the screen. They are limited per admin, and refusals are in the audit log."""

import asyncio
from functools import partial

from starlette.requests import Request

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.dependencies import acting_admin
from countinghouse.admins.queries import Admin
from countinghouse.admins.refusals import count_refused_look
from countinghouse.admins.throttle import Bucket, buckets_for_numbers, count_guess, too_many_numbers
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Transaction
from countinghouse.core.http.requests import get_database, get_settings

# Of all admins together; the oldest are forgotten and count again.
MOST_REMEMBERED = 1000

_Search = tuple[str, str]


class NumberSearches:
    """Remembers what was counted: a list, its next pages, its totals and its export are one search."""

    def __init__(self) -> None:
        # By admin and text: the seconds to wait, once they are known. Of finished ones only the allowed are kept.
        self._counts: dict[_Search, asyncio.Task[int]] = {}

    async def check(self, request: Request, q: str) -> None:
        admin: Admin = request.state.admin
        searched = admin.id, q
        counting = self._counts.get(searched)
        if counting is None:
            actor = await acting_admin(request)
            buckets = buckets_for_numbers("numbers", admin.id, get_settings(request))
            count = get_database(request).write(partial(_count, actor=actor, admin_id=admin.id, buckets=buckets))
            counting = self._counts[searched] = asyncio.create_task(count)
            counting.add_done_callback(partial(self._forget_unless_allowed, searched))
            if len(self._counts) > MOST_REMEMBERED:
                del self._counts[next(iter(self._counts))]
        # Requests at the same time wait for the same count. One that is given up must not end it for the others.
        seconds = await asyncio.shield(counting)
        if seconds:
            raise too_many_numbers(seconds)

    def _forget_unless_allowed(self, searched: _Search, counted: asyncio.Task[int]) -> None:
        if counted.cancelled() or counted.exception() is not None or counted.result():
            self._counts.pop(searched, None)


async def _count(transaction: Transaction, actor: Actor, admin_id: str, buckets: tuple[Bucket, ...]) -> int:
    seconds = await count_guess(transaction, buckets)
    if seconds:
        await count_refused_look(transaction, actor, admin_id, AdminVerb.SEARCHES_REFUSED)
    return seconds
