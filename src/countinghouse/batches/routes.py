from typing import Annotated

from fastapi import Depends, Query, Request, Response

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SignedIn, desk_router
from countinghouse.admins.factors.step_up import StepUp
from countinghouse.admins.permissions import refuse_unless
from countinghouse.admins.queries import Admin
from countinghouse.batches.choosing import BatchRequest
from countinghouse.batches.confirming import Confirmation, confirm_batch
from countinghouse.batches.planning import plan_batch
from countinghouse.batches.queries import BatchProgress, UnfinishedBatch, get_batch, list_unfinished, read_progress
from countinghouse.batches.resource import MOVE
from countinghouse.batches.running import leave_batch, run_batch
from countinghouse.batches.sheet import Sheet, read_sheet
from countinghouse.batches.warnings import BatchClaim, encode_claims, keep_warnings
from countinghouse.claims.lifecycle import permissions_for
from countinghouse.core.db import Cost, Database
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database, hides_numbers
from countinghouse.core.listing.query import NEWEST_FIRST

router = desk_router("/api/batches", "batches", SignedIn(MOVE))

# Ten thousand claims listed one by one, or as many references, need half of it.
LONG_BODY_BYTES = 1024 * 1024
BODY_LIMITS = {router.prefix: LONG_BODY_BYTES, f"{router.prefix}/confirm": LONG_BODY_BYTES}
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
    sheet = await _read_sheet(database, admin, batch_id)
    if sheet["status"] == "Paid":
        await keep_warnings(database, batch_id)
    return sheet


@router.get("", summary="Your confirmed batches that have not ended")
async def list_batches(admin: CurrentAdmin, request: Request) -> list[UnfinishedBatch]:
    return await get_database(request).read(
        lambda reader: list_unfinished(reader, admin.id), Cost.MEDIUM, snapshot=True
    )


@router.get("/{batch_id}", summary="The preview and progress of a batch", responses=errors(404))
async def read_batch(batch_id: str, admin: CurrentAdmin, request: Request) -> Sheet:
    return await _read_sheet(get_database(request), admin, batch_id)


@router.get(
    "/{batch_id}/claims",
    summary="The claims that a batch is to move, with warnings, in the order of the list",
    response_model=list[BatchClaim],
    responses=errors(404),
)
async def list_batch_claims(
    batch_id: str,
    admin: CurrentAdmin,
    request: Request,
    sort: Annotated[
        str, Query(max_length=40, description="As in the list: a field name; a minus before it sorts descending.")
    ] = NEWEST_FIRST,
) -> Response:
    hides = hides_numbers(request)
    encoded = await get_database(request).read(
        lambda reader: encode_claims(reader, admin.id, batch_id, sort, hides_numbers=hides), Cost.LONG, snapshot=True
    )
    return Response(encoded, media_type="application/json")


async def _read_sheet(database: Database, admin: Admin, batch_id: str) -> Sheet:
    return await database.read(lambda reader: read_sheet(reader, admin.id, batch_id), Cost.MEDIUM, snapshot=True)


_PAY_STEP_UP = StepUp("batches.pay", always=False)


async def _demand_step_up(request: Request, admin: Admin, batch_id: str, *, moves_claims: bool) -> None:
    """For payments: to confirm them, and to go on with them later or in another session."""
    if not admin.has_factor:
        return
    batch = await get_database(request).read(lambda reader: get_batch(reader, admin.id, batch_id))
    refuse_unless(admin.role, permissions_for(batch.target))
    if batch.target != "Paid" or batch.ended_at is not None:
        return
    if batch.confirmed_at is None or (moves_claims and not await _PAY_STEP_UP.covers(request, batch_id)):
        await _PAY_STEP_UP.demand(request, work=batch_id)


@router.post(
    "/confirm",
    summary="Confirm a batch with the bank references of its payouts, and remove claims; may be sent again",
    responses=errors(404, 409),
    dependencies=[Depends(_PAY_STEP_UP)],
)
async def confirm(asked: Confirmation, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    await _demand_step_up(request, admin, asked.batch, moves_claims=False)
    database = get_database(request)
    await database.write(
        lambda transaction: confirm_batch(transaction, actor, admin, asked), silence_seconds=PLAN_SILENCE_SECONDS
    )
    return await database.read(lambda reader: read_progress(reader, admin.id, asked.batch), Cost.MEDIUM, snapshot=True)


@router.post(
    "/{batch_id}/run",
    summary="Run a batch for about a second; the first call confirms it as planned",
    responses=errors(404, 409),
    dependencies=[Depends(_PAY_STEP_UP)],
)
async def run(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    await _demand_step_up(request, admin, batch_id, moves_claims=True)
    return await run_batch(get_database(request), actor, admin, batch_id)


@router.post(
    "/{batch_id}/leave",
    summary="Leave a batch half done: what has moved stays moved, the rest stays as it is",
    responses=errors(404, 409),
)
async def leave(batch_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> BatchProgress:
    return await get_database(request).write(lambda transaction: leave_batch(transaction, actor, admin, batch_id))
