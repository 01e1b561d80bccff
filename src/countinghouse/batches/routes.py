from fastapi import Request

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, desk_router
from countinghouse.admins.queries import Admin
from countinghouse.batches.choosing import BatchRequest
from countinghouse.batches.leaving import leave_batch
from countinghouse.batches.planning import plan_batch
from countinghouse.batches.queries import BatchProgress, UnfinishedBatch, list_unfinished
from countinghouse.batches.running import run_batch
from countinghouse.batches.sheet import Sheet, read_sheet
from countinghouse.core.db import Cost, Database
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database

router = desk_router("/api/batches", "batches")

# Ten thousand claims listed one by one need half of it.
PLAN_PATH = router.prefix
PLAN_BYTES = 1024 * 1024
# Ten thousand rows are inserted by one statement, and PostgreSQL answers only when all are stored.
PLAN_SILENCE_SECONDS = 20.0


@router.post(
    "", status_code=201, summary="Plan to move many claims, and preview the result", responses=errors(404, 409)
)
async def plan(asked: BatchRequest, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> Sheet:
    database = get_database(request)
    batch_id = await database.write(
        lambda transaction: plan_batch(transaction, actor, admin, asked), silence_seconds=PLAN_SILENCE_SECONDS
    )
    return await _read_sheet(database, admin, batch_id)


@router.get("", summary="Your confirmed batches that have not ended")
async def list_batches(admin: CurrentAdmin, request: Request) -> list[UnfinishedBatch]:
    return await get_database(request).read(
        lambda reader: list_unfinished(reader, admin.id), Cost.MEDIUM, snapshot=True
    )


@router.get("/{batch_id}", summary="The preview and progress of a batch", responses=errors(404))
async def read_batch(batch_id: str, admin: CurrentAdmin, request: Request) -> Sheet:
    return await _read_sheet(get_database(request), admin, batch_id)


async def _read_sheet(database: Database, admin: Admin, batch_id: str) -> Sheet:
    return await database.read(lambda reader: read_sheet(reader, admin.id, batch_id), Cost.MEDIUM, snapshot=True)


@router.post(
    "/{batch_id}/run", summary="Run a batch for about a second; the first call confirms it", responses=errors(404, 409)
)
async def run(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    return await run_batch(get_database(request), actor, admin, batch_id)


@router.post(
    "/{batch_id}/leave",
    summary="Leave a batch half done: what has moved stays moved, the rest stays as it is",
    responses=errors(404, 409),
)
async def leave(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    return await get_database(request).write(lambda transaction: leave_batch(transaction, actor, admin, batch_id))
