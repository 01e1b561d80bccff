"""Builds the app. Every router is mounted here."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from countinghouse.admins import routes as admins
from countinghouse.admins.doors import get_actor, signed_in_admin, watching_admin
from countinghouse.admins.login import LOGINS_AT_ONCE, MOST_WAITING
from countinghouse.admins.queries import is_welcome
from countinghouse.banks import routes as banks
from countinghouse.banks.directory import directory
from countinghouse.batches import routes as batches
from countinghouse.claims import details_routes as claim_details
from countinghouse.claims import routes as claims
from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.clients import routes as clients
from countinghouse.core.database import REQUEST_SILENCE_SECONDS, Database
from countinghouse.core.http.answers import ErrorAnswer, error_answer, install_error_answers
from countinghouse.core.http.bodies import BodyLimit
from countinghouse.core.http.edge import Edge, LastResort, page_policy, security_headers
from countinghouse.core.http.requests import get_database
from countinghouse.core.http.shortcut import Shortcut
from countinghouse.core.http.webapp import webapp_folder, webapp_router
from countinghouse.core.lanes import Lane
from countinghouse.core.listing import ListQuery
from countinghouse.core.logs import configure_logs
from countinghouse.core.migrate import known_revisions, newest_revision, read_revision
from countinghouse.exports import routes as exports
from countinghouse.live import routes as live
from countinghouse.live.tail import Tail
from countinghouse.policy import routes as policy
from countinghouse.purchases import routes as purchases
from countinghouse.purchases.queries import PURCHASES, PurchaseQuery
from countinghouse.purchases.watch import Watch
from countinghouse.qr import routes as qr
from countinghouse.qr.picture_client import Pictures
from countinghouse.settings import Settings
from countinghouse.users import routes as users
from countinghouse.users.queries import USERS
from countinghouse.views import routes as views

# The error responses in the OpenAPI description.
Answers = dict[int | str, dict[str, Any]]
UNSIGNED: Answers = {401: {"model": ErrorAnswer, "description": "No session, or the session has ended"}}
INVALID: Answers = {422: {"model": ErrorAnswer, "description": "The request is not valid"}}

RETRY = {"Retry-After": "5"}

health_router = APIRouter(tags=["health"])


@health_router.get("/healthz", summary="Alive")
async def healthz() -> dict[str, str]:
    return {"status": "alive"}


@health_router.get("/readyz", summary="Database reachable and migrated", response_model=dict[str, str])
async def readyz(request: Request) -> dict[str, str] | JSONResponse:
    # Uses the same connections and threads as requests do, so it fails when they would.
    revision = await get_database(request).quick.read(read_revision)
    if revision is not None and revision not in known_revisions():
        # Another instance has been upgraded, but this one has not.
        return error_answer(
            503,
            "not_upgraded",
            "The database is newer than this server. Install the newer version here.",
            headers=RETRY,
        )
    if revision != newest_revision():
        return error_answer(
            503, "not_migrated", "The database is not migrated yet. Start the server to migrate it.", headers=RETRY
        )
    return {"status": "ready"}


description_router = APIRouter(prefix="/api", include_in_schema=False)


@description_router.get("/openapi.json")
async def describe(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@cache
def _routes_of_the_desk() -> Sequence[BaseRoute]:
    """Built once per process: FastAPI takes as long to build the routes as to serve a hundred requests."""
    desk = APIRouter(generate_unique_id_function=lambda route: route.name)

    # These need an admin's token. QR and users also accept peers that the operator has named. The busiest routers come
    # first, because FastAPI tries the routes in order.
    for router in (
        claims.router,
        claim_details.router,
        purchases.router,
        clients.router,
        batches.router,
        admins.router,
        exports.router,
        views.router,
        policy.router,
        banks.router,
        qr.admin_router,
        description_router,
    ):
        desk.include_router(router, dependencies=[Depends(signed_in_admin)], responses={**UNSIGNED, **INVALID})
    desk.include_router(live.router, dependencies=[Depends(watching_admin)], responses={**UNSIGNED, **INVALID})
    for router in (qr.router, users.router):
        desk.include_router(router, dependencies=[Depends(get_actor)], responses={**UNSIGNED, **INVALID})

    # Open without a token. A test checks that every other route needs one.
    desk.include_router(health_router)
    desk.include_router(admins.login_router, responses=INVALID)
    desk.include_router(qr.open_router, responses=UNSIGNED)
    desk.include_router(exports.file_router)
    return desk.routes


class DeskApp(FastAPI):
    """`front` wraps FastAPI: it adds headers to every response and holds the shortcut for pages."""

    front: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.front(scope, receive, send)


def create_app(settings: Settings | None = None) -> DeskApp:
    settings = settings or Settings()
    configure_logs(settings.log_format, settings.log_level)
    database = Database(settings.database, silence_seconds=REQUEST_SILENCE_SECONDS)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # Loaded now, so that no page waits for it and a damaged file is reported at the start.
        directory()
        watch = Watch(database)
        watch.start()
        yield
        # First, so that nothing below waits for an unresponsive database.
        database.closing.set()
        await watch.stop()
        await run_in_threadpool(app.state.pictures.close)
        database.close()

    app = DeskApp(
        routes=[*_routes_of_the_desk()],
        title="Countinghouse",
        version="1",
        summary="The back office of an investment-style service.",
        # Served by `description_router`, which needs a token.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.database = database
    app.state.tail = Tail(database)
    app.state.logins = Lane(LOGINS_AT_ONCE, most_waiting=MOST_WAITING, most_waiting_per_caller=12, wait_seconds=3.0)
    app.state.pictures = Pictures()
    install_error_answers(app)

    app.include_router(webapp_router(webapp_folder(), page_policy(settings.public_url)))

    # The middleware added last is the outermost.
    app.add_middleware(
        BodyLimit,
        larger={
            qr.UPLOAD_PATH: qr.UPLOAD_BYTES,
            qr.READ_PATH: qr.UPLOAD_BYTES,
            batches.PLAN_PATH: batches.PLAN_BYTES,
        },
    )
    app.add_middleware(LastResort)

    front: ASGIApp = Shortcut(
        super(DeskApp, app).__call__,
        settings=settings,
        database=database,
        lists={
            "/api/claims/all": (CLAIMS, ClaimQuery),
            "/api/purchases/all": (PURCHASES, PurchaseQuery),
            "/api/users": (USERS, ListQuery),
        },
        is_welcome=partial(is_welcome, settings=settings),
    )
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
