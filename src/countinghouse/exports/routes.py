from functools import partial
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request

from countinghouse.admins.doors import ActingAdmin, CurrentAdmin, SentToken
from countinghouse.audit.actions import Actor
from countinghouse.core.http.addresses import client_address
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database, get_settings
from countinghouse.exports import csv_file, xlsx_file
from countinghouse.exports.actions import ExportRequest, cancel_export, request_export, start_export
from countinghouse.exports.files import Format, RowWriter, file_name
from countinghouse.exports.lists import ListName, count_rows, execute_rows, read_query
from countinghouse.exports.queries import Export, NewExport, get_export, list_under_way, to_export
from countinghouse.exports.reading import Reading
from countinghouse.exports.streaming import ExportAnswer
from countinghouse.resources import LISTED

router = APIRouter(prefix="/api/exports", tags=["exports"])
# Open without a token, because a download link cannot send one: the key in the URL is the credential.
file_router = APIRouter(prefix="/api/exports", tags=["exports"], include_in_schema=False)

MEDIA_TYPES: dict[Format, str] = {"csv": csv_file.MEDIA_TYPE, "xlsx": xlsx_file.MEDIA_TYPE}


@router.post("", status_code=201, summary="Start an export of a list", responses={409: {"model": ErrorAnswer}})
def ask_for_export(
    asked: ExportRequest, admin: CurrentAdmin, actor: ActingAdmin, token: SentToken, request: Request
) -> NewExport:
    query = read_query(asked.list, asked.query)
    # Counted before the write transaction, so that nobody waits for the write lock meanwhile.
    with get_database(request).reading() as connection:
        rows_total = count_rows(connection, asked.list, query)
    with get_database(request).writing() as connection:
        made = request_export(connection, actor, admin, token, asked, rows_total)
    url = f"{public_origin(request)}{router.prefix}/{made.row.id}/file?key={made.key}"
    return {**to_export(made.row), "url": url}


@router.get("", summary="Your exports that are under way")
def list_exports(admin: CurrentAdmin, request: Request) -> list[Export]:
    with get_database(request).reading() as connection:
        return list_under_way(connection, admin.id)


@router.get("/{export_id}", summary="The progress of an export", responses={404: {"model": ErrorAnswer}})
def read_export(export_id: str, admin: CurrentAdmin, request: Request) -> Export:
    with get_database(request).reading() as connection:
        return to_export(get_export(connection, admin.id, export_id))


@router.delete("/{export_id}", status_code=204, summary="Cancel an export", responses={404: {"model": ErrorAnswer}})
def stop_export(export_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> None:
    with get_database(request).writing() as connection:
        cancel_export(connection, actor, admin, export_id)


@file_router.get("/{export_id}/file")
def fetch_file(export_id: str, key: Annotated[str, Query()], request: Request) -> ExportAnswer:
    if request.scope.get("is_head"):
        # A HEAD request must not use up the key.
        raise HTTPException(405)
    database = get_database(request)
    with database.writing() as connection:
        export = start_export(connection, export_id, key)
    address = client_address(request, get_settings(request).trusted_proxies)
    return ExportAnswer(
        database,
        export.id,
        Actor(export.username, str(address) if address else None),
        Reading(database, partial(execute_rows, name=export.list, asked=read_query(export.list, export.query))),
        _writer(export.list, export.format),
        media_type=MEDIA_TYPES[export.format],
        file_name=file_name(export.list, export.created_at, export.format),
    )


def _writer(list_name: ListName, file_format: Format) -> RowWriter:
    columns = LISTED[list_name].columns
    if file_format == "csv":
        return csv_file.CsvWriter(columns)
    return xlsx_file.XlsxWriter(columns, list_name.capitalize())
