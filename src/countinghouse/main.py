"""Builds the app. Every router is mounted here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from countinghouse.admins import routes as admins
from countinghouse.admins.dependencies import desk_router
from countinghouse.admins.login import LOGINS_AT_ONCE, MOST_WAITING
from countinghouse.banks import routes as banks
from countinghouse.banks.directory import directory
from countinghouse.batches import routes as batches
from countinghouse.claims import routes as claims
from countinghouse.clients import routes as clients
from countinghouse.core.db import Database
from countinghouse.core.http import health
from countinghouse.core.http.answers import install_error_answers
from countinghouse.core.http.bodies import BodyLimit
from countinghouse.core.http.edge import Edge, LastResort, page_policy, security_headers
from countinghouse.core.http.webapp import webapp_folder, webapp_router
from countinghouse.core.lanes import Lane
from countinghouse.core.logs import configure_logs
from countinghouse.exports import routes as exports
from countinghouse.intake import routes as intake
from countinghouse.intake.actions import CALLS_AT_ONCE, MOST_CALLS_WAITING
from countinghouse.keys import routes as keys
from countinghouse.keys.limits import RateLimit
from countinghouse.live import routes as live
from countinghouse.live.tail import Tail
from countinghouse.policy import routes as policy
from countinghouse.purchases import routes as purchases
from countinghouse.purchases.watch import Watch
from countinghouse.qr import routes as qr
from countinghouse.qr.picture_client import Pictures
from countinghouse.resources import SCREENS
from countinghouse.settings import Settings
from countinghouse.users import routes as users
from countinghouse.views import routes as views
from countinghouse.webhooks import routes as webhooks
from countinghouse.webhooks.client import WebhookClient
from countinghouse.webhooks.sender import Sender

description_router = desk_router("/api", "description")


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
    policy.router,
    webhooks.router,
    keys.router,
    intake.router,
    banks.router,
    admins.router,
    admins.login_router,
    health.router,
    description_router,
)


class DeskApp(FastAPI):
    """`front` wraps FastAPI: it adds headers to every response."""

    front: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.front(scope, receive, send)


def create_app(settings: Settings | None = None) -> DeskApp:
    settings = settings or Settings()
    configure_logs(settings.log_format, settings.log_level)
    database = Database(settings.database, is_patient=False)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # Loaded now, so that no page waits for it and a damaged file is reported at the start.
        directory()
        watch = Watch(database)
        watch.start()
        sender = Sender(database, WebhookClient(settings.webhook_private_targets))
        sender.start()
        yield
        # Within seconds, whatever the database does. It stores how the last attempts ended.
        await sender.stop()
        # First, so that nothing below waits for an unresponsive database.
        database.closing.set()
        await watch.stop()
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
    app.state.tail = Tail(database)
    app.state.logins = Lane(LOGINS_AT_ONCE, most_waiting=MOST_WAITING, most_waiting_per_caller=12, wait_seconds=3.0)
    app.state.intake = Lane(CALLS_AT_ONCE, most_waiting=MOST_CALLS_WAITING, most_waiting_per_caller=50)
    app.state.key_limit = RateLimit(settings.key_calls_per_minute)
    app.state.pictures = Pictures()
    install_error_answers(app)

    app.include_router(webapp_router(webapp_folder(), page_policy(settings.public_url), SCREENS))

    # The middleware added last is the outermost.
    app.add_middleware(
        BodyLimit,
        larger={
            qr.UPLOAD_PATH: qr.UPLOAD_BYTES,
            qr.READ_PATH: qr.UPLOAD_BYTES,
            batches.PLAN_PATH: batches.PLAN_BYTES,
            **intake.BODY_LIMITS,
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
    app.front = Edge(front, headers=security_headers(settings.public_url.startswith("https://")))
    return app
