from fastapi import APIRouter, Request

from countinghouse.admins.doors import ActingAdmin, CurrentAdmin
from countinghouse.batches.choosing import BatchRequest
from countinghouse.batches.leaving import leave_batch
from countinghouse.batches.planning import plan_batch
from countinghouse.batches.queries import BatchProgress, UnfinishedBatch, get_batch, list_unfinished
from countinghouse.batches.running import run_batch
from countinghouse.batches.sheet import Sheet, read_sheet
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database

router = APIRouter(prefix="/api/batches", tags=["batches"])

# Ten thousand claims listed one by one need half of it.
PLAN_PATH = router.prefix
PLAN_BYTES = 1024 * 1024
# Ten thousand rows are inserted by one statement, and PostgreSQL answers only when all are stored.
PLAN_SILENCE_SECONDS = 20.0


@router.post(
    "",
    status_code=201,
    summary="Plan to move many claims, and preview the result",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def plan(asked: BatchRequest, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> Sheet:
    database = get_database(request)
    with database.writing(silence_seconds=PLAN_SILENCE_SECONDS) as connection:
        batch_id = plan_batch(connection, actor, admin, asked)
    with database.reading() as connection:
        return read_sheet(connection, get_batch(connection, admin.id, batch_id))


@router.get("", summary="Your confirmed batches that have not ended")
def list_batches(admin: CurrentAdmin, request: Request) -> list[UnfinishedBatch]:
    with get_database(request).reading() as connection:
        return list_unfinished(connection, admin.id)


@router.get("/{batch_id}", summary="The preview and progress of a batch", responses={404: {"model": ErrorAnswer}})
def read_batch(batch_id: str, admin: CurrentAdmin, request: Request) -> Sheet:
    with get_database(request).reading() as connection:
        return read_sheet(connection, get_batch(connection, admin.id, batch_id))


@router.post(
    "/{batch_id}/run",
    summary="Run a batch for about a second; the first call confirms it",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def run(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    return run_batch(get_database(request), actor, admin, batch_id)


@router.post(
    "/{batch_id}/leave",
    summary="Leave a batch half done: what has moved stays moved, the rest stays as it is",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def leave(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    with get_database(request).writing() as connection:
        return leave_batch(connection, actor, admin, batch_id)
