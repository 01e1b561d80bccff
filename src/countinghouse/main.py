"""Builds the app. Every router is mounted here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from countinghouse.admins import account_routes as account
from countinghouse.admins import managing
from countinghouse.admins import routes as admins
from countinghouse.admins.dependencies import SignedIn, desk_router
from countinghouse.admins.factors import routes as factors
from countinghouse.admins.login import LOGINS_AT_ONCE, MOST_WAITING
from countinghouse.admins.permissions import OWN
from countinghouse.admins.reading import before_whole_list
from countinghouse.admins.searching import NumberSearches
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.sealer import Sealer
from countinghouse.auditing import routes as auditing
from countinghouse.banks import routes as banks
from countinghouse.banks.directory import directory
from countinghouse.batches import routes as batches
from countinghouse.claims import routes as claims
from countinghouse.clients import routes as clients
from countinghouse.core.db import Database
from countinghouse.core.desk_zone import use_zone
from countinghouse.core.http import health
from countinghouse.core.http.answers import add_error_schema, install_error_answers
from countinghouse.core.http.bodies import BodyLimit
from countinghouse.core.http.callers import Callers
from countinghouse.core.http.edge import Edge, LastResort, page_policy, security_headers
from countinghouse.core.http.webapp import webapp_folder, webapp_router
from countinghouse.core.lanes import Lane
from countinghouse.core.logs import configure_logs
from countinghouse.core.metrics import Sampler, process_metrics
from countinghouse.exports import routes as exports
from countinghouse.home import routes as home
from countinghouse.home.folding import day_tally_poller
from countinghouse.importing import routes as importing
from countinghouse.importing.jobs import Jobs
from countinghouse.intake import routes as intake
from countinghouse.intake.actions import CALLS_AT_ONCE, MOST_CALLS_WAITING
from countinghouse.keys import routes as keys
from countinghouse.keys.limits import RateLimit
from countinghouse.live import routes as live
from countinghouse.live.tail import Tail
from countinghouse.monitoring import routes as monitoring
from countinghouse.monitoring.examiner import Examiner
from countinghouse.monitoring.exposition import METRICS_PATH, Exposition
from countinghouse.policy import routes as policy
from countinghouse.purchases import routes as purchases
from countinghouse.purchases.watch import purchase_watch
from countinghouse.qr import routes as qr
from countinghouse.qr.picture_client import Pictures
from countinghouse.resources import SCREENS
from countinghouse.settings import Settings
from countinghouse.users import routes as users
from countinghouse.views import routes as views
from countinghouse.webhooks import routes as webhooks
from countinghouse.webhooks.client import WebhookClient
from countinghouse.webhooks.dispatching import announce_checkpoint
from countinghouse.webhooks.sender import Sender

description_router = desk_router("/api", "description", SignedIn(OWN))


@description_router.get("/openapi.json", include_in_schema=False)
async def describe(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


# Every route of the API, the busiest first, because they are tried in order. Those of `desk_router` need a session; a
# test holds the list of the others.
ROUTERS = (
    claims.router,
    claims.reading_router,
    purchases.router,
    purchases.reading_router,
    users.router,
    users.reading_router,
    live.router,
    clients.router,
    qr.router,
    qr.admin_router,
    qr.public_router,
    batches.router,
    exports.router,
    exports.file_router,
    views.router,
    home.router,
    policy.router,
    webhooks.router,
    keys.router,
    auditing.router,
    auditing.own_router,
    intake.router,
    importing.router,
    banks.router,
    admins.router,
    account.router,
    factors.router,
    admins.login_router,
    managing.router,
    managing.invitation_router,
    monitoring.version_router,
    monitoring.router,
    health.router,
    description_router,
)


class DeskApp(FastAPI):
    """`front` wraps FastAPI: it adds headers to every response."""

    front: ASGIApp

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        add_error_schema(described)
        return described

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.front(scope, receive, send)


def create_app(settings: Settings | None = None) -> DeskApp:
    settings = settings or Settings()
    configure_logs(settings.log_format, settings.log_level)
    use_zone(settings.time_zone)
    database = Database.from_settings(settings, is_patient=False)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # Loaded now, so that no page waits for it and a damaged file is reported at the start.
        directory()
        watch = purchase_watch(database)
        watch.start()
        day_tallies = day_tally_poller(database)
        day_tallies.start()
        sender = Sender(database, WebhookClient(settings.webhook_private_targets))
        sender.start()
        checkpoints = Checkpoints(settings.audit_key_file, settings.audit_checkpoints_file)
        sealer = Sealer(database, checkpoints, partial(announce_checkpoint, database))
        sealer.start()
        sampler = Sampler(lambda: _lanes(app), lambda: app.state.tail.streams)
        if settings.has_metrics:
            sampler.start()
        await app.state.imports.clean_up()
        yield
        await sampler.stop()
        # Within seconds, whatever the database does. It stores how the last attempts ended.
        await sender.stop()
        await sealer.stop()
        # First, so that nothing below waits for an unresponsive database.
        database.closing.set()
        await watch.stop()
        await day_tallies.stop()
        await app.state.imports.close()
        await app.state.examiner.close()
        await run_in_threadpool(app.state.pictures.close)
        database.close()

    app = DeskApp(
        routes=[route for router in ROUTERS for route in router.routes],
        title="Countinghouse",
        version="1",
        summary="The back office of an investment-style service.",
        # Served by `description_router`, which needs a token.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        # Checked on every request otherwise.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.settings = settings
    app.state.database = database
    app.state.callers = Callers(settings.trusted_proxies)
    app.state.tail = Tail(database)
    app.state.before_whole_list = before_whole_list
    app.state.number_searches = NumberSearches()
    app.state.logins, app.state.known_logins = (
        Lane(LOGINS_AT_ONCE, most_waiting=MOST_WAITING, most_waiting_per_caller=12, wait_seconds=3.0) for _ in range(2)
    )
    # Bodies are decoded one at a time. Many may wait: turning them away at once would only bring the next ones sooner.
    app.state.open_bodies = Lane(1, most_waiting=256, most_waiting_per_caller=64)
    app.state.long_bodies = Lane(1, most_waiting_per_caller=32)
    app.state.intake = Lane(CALLS_AT_ONCE, most_waiting=MOST_CALLS_WAITING, most_waiting_per_caller=50)
    app.state.key_limit = RateLimit(settings.key_calls_per_minute)
    app.state.pictures = Pictures()
    app.state.imports = Jobs(settings.database, database)
    app.state.examiner = Examiner(settings.database)
    install_error_answers(app)

    if settings.metrics_token and settings.metrics_port is None:
        exposition = Exposition(settings, database, lambda: process_metrics().registry())
        app.add_api_route(METRICS_PATH, exposition.answer, response_model=None, include_in_schema=False)
    app.include_router(webapp_router(webapp_folder(), page_policy(settings.public_url), SCREENS))

    # The middleware added last is the outermost.
    app.add_middleware(
        BodyLimit,
        limits={
            qr.UPLOAD_PATH: qr.UPLOAD_BYTES,
            qr.READ_PATH: qr.UPLOAD_BYTES,
            **batches.BODY_LIMITS,
            **intake.BODY_LIMITS,
            **importing.BODY_LIMITS,
            **managing.BODY_LIMITS,
        },
    )
    app.add_middleware(LastResort)

    front: ASGIApp = super(DeskApp, app).__call__
    if settings.allowed_origins:
        front = CORSMiddleware(
            front,
            allow_origins=list(settings.allowed_origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
            expose_headers=[claims.ALREADY_MOVED_AT, "Link", "Retry-After", "X-Request-Id", "X-Total-Count"],
        )
    headers = security_headers(settings.public_url.startswith("https://"))
    observe = process_metrics().observe if settings.has_metrics else None
    app.front = Edge(front, headers, app.state.callers, admins.DEVICE_COOKIE, observe)
    return app


def _lanes(app: FastAPI) -> dict[str, Lane]:
    """Every queue for slow work, by its name in the metrics."""
    state = app.state
    database: Database = state.database
    other = {
        "logins": state.logins,
        "known_logins": state.known_logins,
        "open_bodies": state.open_bodies,
        "long_bodies": state.long_bodies,
        "intake": state.intake,
        "pictures": state.pictures.lane,
    }
    return {f"database_{name}": lane for name, lane in database.lanes.items()} | other
