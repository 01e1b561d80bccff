from typing import Annotated

from fastapi import HTTPException, Query, Request

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SentToken, desk_router
from countinghouse.audit.actions import Actor
from countinghouse.core.http.addresses import client_address
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database, get_settings
from countinghouse.core.http.routers import open_router
from countinghouse.exports import csv_file, xlsx_file
from countinghouse.exports.actions import ExportRequest, cancel_export, request_export, start_export
from countinghouse.exports.files import Format, RowWriter, file_name
from countinghouse.exports.lists import ListName, choose_rows, cost_of_count, count_rows, read_query
from countinghouse.exports.queries import Export, NewExport, get_export, list_under_way, to_export
from countinghouse.exports.streaming import ExportAnswer
from countinghouse.resources import LISTED

router = desk_router("/api/exports", "exports")
# Open without a token, because a download link cannot send one: the key in the URL is the credential.
file_router = open_router("/api/exports", "exports", include_in_schema=False)

MEDIA_TYPES: dict[Format, str] = {"csv": csv_file.MEDIA_TYPE, "xlsx": xlsx_file.MEDIA_TYPE}


@router.post("", status_code=201, summary="Start an export of a list", responses={409: {"model": ErrorAnswer}})
async def ask_for_export(
    asked: ExportRequest, admin: CurrentAdmin, actor: ActingAdmin, token: SentToken, request: Request
) -> NewExport:
    query = read_query(asked.list, asked.query)
    # Counted before the write transaction, so that nobody waits for the write lock meanwhile.
    rows_total = await get_database(request).read(
        lambda reader: count_rows(reader, asked.list, query), cost_of_count(asked.list, query)
    )
    made = await get_database(request).write(
        lambda transaction: request_export(transaction, actor, admin, token, asked, rows_total)
    )
    url = f"{public_origin(request)}{router.prefix}/{made.row.id}/file?key={made.key}"
    return {**to_export(made.row), "url": url}


@router.get("", summary="Your exports that are under way")
async def list_exports(admin: CurrentAdmin, request: Request) -> list[Export]:
    return await get_database(request).read(lambda reader: list_under_way(reader, admin.id))


@router.get("/{export_id}", summary="The progress of an export", responses={404: {"model": ErrorAnswer}})
async def read_export(export_id: str, admin: CurrentAdmin, request: Request) -> Export:
    return to_export(await get_database(request).read(lambda reader: get_export(reader, admin.id, export_id)))


@router.delete("/{export_id}", status_code=204, summary="Cancel an export", responses={404: {"model": ErrorAnswer}})
async def stop_export(export_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: cancel_export(transaction, actor, admin, export_id))


@file_router.get("/{export_id}/file")
async def fetch_file(export_id: str, key: Annotated[str, Query()], request: Request) -> ExportAnswer:
    if request.scope.get("is_head"):
        # A HEAD request must not use up the key.
        raise HTTPException(405)
    database = get_database(request)
    export = await database.write(lambda transaction: start_export(transaction, export_id, key))
    query = read_query(export.list, export.query)
    address = client_address(request, get_settings(request).trusted_proxies)
    return ExportAnswer(
        database,
        export.id,
        Actor(export.username, str(address) if address else None),
        lambda reader: choose_rows(reader, export.list, query),
        _writer(export.list, export.format),
        media_type=MEDIA_TYPES[export.format],
        file_name=file_name(export.list, export.created_at, export.format),
    )


def _writer(list_name: ListName, file_format: Format) -> RowWriter:
    columns = LISTED[list_name].columns
    if file_format == "csv":
        return csv_file.CsvWriter(columns)
    return xlsx_file.XlsxWriter(columns, list_name.capitalize())
