"""While the server runs, sends what the outbox holds. Each server process has one sender; they share the work."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import structlog

from countinghouse.core.db import DATABASE_ERRORS, Database, Reader, Transaction
from countinghouse.core.errors import Busy
from countinghouse.core.poller import Poller
from countinghouse.webhooks.client import WebhookClient
from countinghouse.webhooks.deliveries import Leased, find_work, finish, has_deliveries, lease_due, release, tidy
from countinghouse.webhooks.dispatching import DISPATCHED_TOGETHER, dispatch
from countinghouse.webhooks.signing import signed_headers

log = structlog.get_logger()

T = TypeVar("T")
Clock = Callable[[Reader], Coroutine[Any, Any, datetime]]

POLL_SECONDS = 1.0
# How many attempts one process makes at the same time, per endpoint: a slow receiver delays only itself. The number of
# endpoints is limited as well.
PLACES_PER_ENDPOINT = 4
TIDY_EVERY = timedelta(minutes=10)
# How long running attempts may still take when the server stops. Other parts of the shutdown need time too.
STOPPING_SECONDS = 1.0
RELEASING_SECONDS = 0.5
# While the database restarts. A lease lasts longer.
STORE_AGAIN_SECONDS = (1.0, 5.0)


class Sender:
    """`clock` reads the time that leases and waits are judged by."""

    def __init__(self, database: Database, client: WebhookClient, clock: Clock = Reader.now) -> None:
        self._database = database
        self._client = client
        self._clock = clock
        self._poller = Poller("webhook_sender", self.step, every_seconds=POLL_SECONDS, pause_seconds=0)
        self._attempts: dict[asyncio.Task[None], Leased] = {}
        self._tidied_at: datetime | None = None

    def start(self) -> None:
        self._poller.start()

    async def stop(self) -> None:
        """Returns within seconds. What was not sent is given back; if that fails, its lease ends by itself."""
        self._poller.end()
        running = {*self._attempts, *([self._poller.work] if self._poller.work else [])}
        if running:
            await asyncio.wait(running, timeout=STOPPING_SECONDS)
        left = dict(self._attempts)
        for task in running | {*left}:
            task.cancel()
        if left:
            with suppress(Exception):
                async with asyncio.timeout(RELEASING_SECONDS):
                    await self._write(partial(release, leased=list(left.values())))
        await self._client.close()

    async def step(self) -> bool:
        """Dispatches some of the outbox and starts the attempts that are due. Returns whether the outbox has more."""
        await self._tidy_now_and_then()
        has_outbox, due = await self._find_work()
        is_behind = False
        if has_outbox:
            is_behind = await self._write(dispatch) == DISPATCHED_TOGETHER
            _, due = await self._find_work()
        busy = Counter(leased.endpoint_id for leased in self._attempts.values())
        for endpoint_id in due:
            places = PLACES_PER_ENDPOINT - busy[endpoint_id]
            if places > 0:
                for leased in await self._write(partial(lease_due, endpoint_id=endpoint_id, most=places)):
                    self._begin(leased)
        return is_behind

    async def _find_work(self) -> tuple[bool, list[str]]:
        async def find(reader: Reader) -> tuple[bool, list[str]]:
            return await find_work(reader, await self._clock(reader))

        return await self._database.read(find)

    async def _write(self, work: Callable[..., Awaitable[T]]) -> T:
        """`work` gets the transaction, and `at` by name."""

        async def at_its_time(transaction: Transaction) -> T:
            return await work(transaction, at=await self._clock(transaction))

        return await self._database.write(at_its_time)

    @property
    def is_sending(self) -> bool:
        return bool(self._attempts)

    async def rest(self) -> None:
        """Waits until the attempts that are under way have ended."""
        while self._attempts:
            await asyncio.wait(self._attempts)

    def _begin(self, leased: Leased) -> None:
        task = asyncio.create_task(self._attempt(leased))
        self._attempts[task] = leased
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        del self._attempts[task]
        self._poller.wake()
        if not task.cancelled() and (error := task.exception()) is not None:
            # Its lease ends by itself, and then it is sent again.
            log.warning("webhook_outcome_not_stored", error=str(error))

    async def _attempt(self, leased: Leased) -> None:
        headers = signed_headers(leased.secrets, leased.event_id, leased.at, leased.body)
        outcome = await self._client.post(leased.url, headers, leased.body)
        store = partial(finish, leased=leased, outcome=outcome)
        for pause_seconds in STORE_AGAIN_SECONDS:
            try:
                return await self._write(store)
            except (Busy, *DATABASE_ERRORS):
                # Otherwise a message that was delivered would be sent again.
                await asyncio.sleep(pause_seconds)
        return await self._write(store)

    async def _tidy_now_and_then(self) -> None:
        at = await self._database.read(self._clock)
        if self._tidied_at is None or abs(at - self._tidied_at) >= TIDY_EVERY:
            if await self._database.read(has_deliveries):
                await self._write(tidy)
            self._tidied_at = at
