import zlib
from typing import Annotated

from fastapi import Query, Request, Response
from sqlalchemy import select

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.core.db import Cost
from countinghouse.core.errors import NotFound
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.importing import uploads
from countinghouse.importing.jobs import Jobs
from countinghouse.importing.mapping import Map
from countinghouse.importing.resource import READ, RUN
from countinghouse.importing.shapes import (
    LARGEST_UPLOAD,
    MOST_FILES,
    PART_BYTES,
    Import,
    ImportEntry,
    NewImport,
    RunImport,
)
from countinghouse.importing.tables import imports
from countinghouse.importing.uploads import (
    Task,
    begin_job,
    cancel_plan,
    create_import,
    get_import,
    list_imports,
    store_part,
)

router = desk_router("/api/imports", "imports", SignedIn(READ))
# The path is the same for every part, because the limit of a body goes by the path.
PARTS_PATH = f"{router.prefix}/parts"
BODY_LIMITS = {PARTS_PATH: PART_BYTES}
_MOST_PARTS = LARGEST_UPLOAD // PART_BYTES + MOST_FILES


@router.post("", status_code=201, summary="Announce files to import", dependencies=needs(RUN))
async def announce_import(new: NewImport, actor: ActingAdmin, request: Request) -> Import:
    import_id = await get_database(request).write(lambda transaction: create_import(transaction, actor, new))
    return await _read(request, import_id)


@router.put(
    "/parts",
    status_code=204,
    summary="Send one part of a file: a mebibyte, its last one less",
    responses=errors(404, 409),
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
    },
    dependencies=needs(RUN),
)
async def send_import_part(
    import_id: Annotated[str, Query(alias="import")],
    number: Annotated[int, Query(ge=0, lt=_MOST_PARTS)],
    actor: ActingAdmin,
    request: Request,
) -> None:
    content = await request.body()
    await get_database(request).write(lambda transaction: store_part(transaction, actor, import_id, number, content))


@router.get("", summary="The latest imports, newest first")
async def list_latest_imports(request: Request) -> list[ImportEntry]:
    return await get_database(request).read(list_imports, Cost.MEDIUM)


@router.get("/{import_id}", summary="An import: its map, its plan or its result", responses=errors(404))
async def read_import(import_id: str, request: Request) -> Import:
    return await _read(request, import_id)


@router.post(
    "/{import_id}/plan",
    status_code=202,
    summary="Plan the import with this map",
    responses=errors(404, 409),
    dependencies=needs(RUN),
)
async def plan_import(import_id: str, corrections: Map, actor: ActingAdmin, request: Request) -> Import:
    return await _start(request, actor, import_id, "plan", corrections)


@router.post(
    "/{import_id}/cancel",
    summary="Cancel the plan that is being made",
    responses=errors(404, 409),
    dependencies=needs(RUN),
)
async def cancel_import_plan(import_id: str, actor: ActingAdmin, request: Request) -> Import:
    await get_database(request).write(lambda transaction: cancel_plan(transaction, actor, import_id))
    return await _read(request, import_id)


@router.post(
    "/{import_id}/run",
    status_code=202,
    summary="Run the import as planned",
    responses=errors(404, 409),
    dependencies=needs(RUN),
)
async def run_import(import_id: str, how: RunImport, actor: ActingAdmin, request: Request) -> Import:
    return await _start(request, actor, import_id, "run_or_nothing" if how.stop_at_errors else "run", how.map)


@router.get("/{import_id}/errors", summary="All bad rows, as CSV", responses=errors(404), response_class=Response)
async def download_import_errors(import_id: str, request: Request) -> Response:
    database = get_database(request)
    await database.read(lambda reader: get_import(reader, import_id))
    stored = select(imports.c.bad_rows).where(imports.c.id == import_id)
    bad_rows = await database.read(lambda reader: reader.scalar(stored), Cost.MEDIUM)
    if bad_rows is None:
        raise NotFound("no_bad_rows", "This import has no bad rows.")
    headers = {"Content-Disposition": f'attachment; filename="import-errors-{import_id}.csv"'}
    return Response(zlib.decompress(bad_rows), media_type="text/csv; charset=utf-8", headers=headers)


async def _start(request: Request, actor: ActingAdmin, import_id: str, task: Task, its_map: Map) -> Import:
    job = await get_database(request).write(lambda transaction: begin_job(transaction, actor, import_id, task, its_map))
    jobs: Jobs = request.app.state.imports
    await jobs.start(import_id, job, task)
    return await _read(request, import_id)


async def _read(request: Request, import_id: str) -> Import:
    return await get_database(request).read(lambda reader: uploads.read_import(reader, import_id))
