"""Answers a scrape: what the server processes count, and what the database knows about the desk."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from countinghouse.core.db import DATABASE_ERRORS, Cost, Database
from countinghouse.core.errors import Busy, NotSignedIn
from countinghouse.core.http.answers import refused
from countinghouse.core.lanes import Lane
from countinghouse.monitoring.desk_metrics import HELP, Sample, read_desk, read_machine
from countinghouse.settings import Settings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

log = structlog.get_logger()

METRICS_PATH = "/metrics"


class Exposition:
    """`registry` returns what the processes count."""

    def __init__(self, settings: Settings, database: Database, registry: Callable[[], "CollectorRegistry"]) -> None:
        self._settings = settings
        self._database = database
        self._registry = registry
        # One at a time: however often somebody asks, the database is asked by one of them.
        self._turns = Lane(1, most_waiting=4, most_waiting_per_caller=4)

    async def answer(self, request: Request) -> Response:
        self._check(request)
        async with self._turns.turn():
            samples = await self._read_desk()
            # On a thread, because it takes milliseconds.
            content = await asyncio.to_thread(self._render, samples)
        return Response(content, media_type="text/plain; version=0.0.4")

    def _check(self, request: Request) -> None:
        expected = self._settings.metrics_token
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        # As bytes: the comparison of texts accepts ASCII only.
        is_right = scheme.lower() == "bearer" and hmac.compare_digest(sent.encode(), expected.encode())
        if expected and not is_right:
            raise NotSignedIn("metrics_token_required", "Send the metrics token of this desk as a bearer token.")

    async def _read_desk(self) -> list[Sample]:
        """Without a database there are still the numbers of the processes, which say why."""
        try:
            return await self._database.read(read_desk, Cost.MEDIUM)
        except (*DATABASE_ERRORS, Busy) as error:
            log.warning("metrics_without_database", error=type(error).__name__)
            return [Sample("database_up", 0)]

    def _render(self, samples: list[Sample]) -> bytes:
        from prometheus_client import CollectorRegistry, generate_latest

        desk = CollectorRegistry()
        desk.register(_Desk([*samples, *read_machine(self._settings, self._database.file)]))
        return generate_latest(self._registry()) + generate_latest(desk)


class _Desk:
    """A collector of numbers that were just read."""

    def __init__(self, samples: list[Sample]) -> None:
        self._samples = samples

    def collect(self) -> Iterable["Metric"]:
        from prometheus_client.metrics_core import GaugeMetricFamily

        families: dict[str, GaugeMetricFamily] = {}
        for name, value, labels in self._samples:
            family = families.get(name)
            if family is None:
                family = families[name] = GaugeMetricFamily(f"countinghouse_{name}", HELP[name], labels=list(labels))
            family.add_metric(list(labels.values()), value)
        return families.values()


def own_port_app(settings: Settings, registry: Callable[[], "CollectorRegistry"]) -> Starlette:
    """For a port of its own, outside of the processes that serve admins. It opens its own database connections."""
    database = Database.from_settings(settings, is_patient=False)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        database.close()

    app = Starlette(routes=[Route(METRICS_PATH, Exposition(settings, database, registry).answer)], lifespan=lifespan)
    for refusal in (NotSignedIn, Busy):
        app.add_exception_handler(refusal, refused)
    return app
