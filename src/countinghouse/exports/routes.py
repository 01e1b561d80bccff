from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, HTTPException, Query, Request

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SentToken, SignedIn, desk_router
from countinghouse.admins.factors.step_up import StepUp
from countinghouse.admins.permissions import NUMBERS, OWN, PERMISSIONS, Role, refuse_unless
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Reader
from countinghouse.core.http.answers import errors
from countinghouse.core.http.pages import SEARCH_REFUSED, as_searched
from countinghouse.core.http.requests import client_address, get_database, get_settings, hides_numbers
from countinghouse.core.http.routers import open_router
from countinghouse.core.listing import ListQuery
from countinghouse.core.listing.pages import cost_of_page, count_if_cheap
from countinghouse.core.listing.whole import choose_whole, read_whole_query
from countinghouse.exports.actions import ExportRequest, cancel_export, request_export, start_export
from countinghouse.exports.csv_file import CsvWriter
from countinghouse.exports.files import ListName
from countinghouse.exports.queries import Export, NewExport, get_export, list_under_way, to_export
from countinghouse.exports.streaming import ExportAnswer
from countinghouse.exports.xlsx_file import XlsxWriter
from countinghouse.resources import LISTED

router = desk_router("/api/exports", "exports", SignedIn(OWN))
# Open without a token, because a download link cannot send one: the key in the URL is the credential.
file_router = open_router("/api/exports", "exports", include_in_schema=False)


_STEP_UP = StepUp("exports.numbers", always=False)


@router.post(
    "",
    status_code=201,
    summary="Start an export of a list",
    responses=errors(409) | SEARCH_REFUSED,
    dependencies=[Depends(_STEP_UP)],
)
async def ask_for_export(
    asked: ExportRequest, admin: CurrentAdmin, actor: ActingAdmin, token: SentToken, request: Request
) -> NewExport:
    database, listing = get_database(request), LISTED[asked.list].listing
    _refuse_unreadable(asked.list, admin.role)
    if not hides_numbers(request) and listing.has_numbers:
        await _STEP_UP.demand(request)
    query = _read_query(asked.list, asked.query)
    listing = await as_searched(request, listing, query)
    listing.order(query.sort)
    # Counted before the write transaction, so that nobody waits for the write lock meanwhile.
    rows_total = await database.read_list(
        lambda reader: count_if_cheap(listing, reader, query), cost_of_page(listing, query)
    )
    made, key = await database.write(
        lambda transaction: request_export(transaction, actor, admin, token, asked, rows_total)
    )
    return {
        **to_export(made, made.created_at),
        "url": f"{get_settings(request).public_url}{router.prefix}/{made.id}/file?key={key}",
    }


@router.get("", summary="Your exports that are under way")
async def list_exports(admin: CurrentAdmin, request: Request) -> list[Export]:
    return await get_database(request).read(lambda reader: list_under_way(reader, admin.id))


@router.get("/{export_id}", summary="The progress of an export", responses=errors(404))
async def read_export(export_id: str, admin: CurrentAdmin, request: Request) -> Export:
    async def read(reader: Reader) -> Export:
        return to_export(await get_export(reader, admin.id, export_id), await reader.now())

    return await get_database(request).read(read)


@router.delete("/{export_id}", status_code=204, summary="Cancel an export", responses=errors(404))
async def stop_export(export_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: cancel_export(transaction, actor, admin, export_id))


@file_router.get("/{export_id}/file")
async def fetch_file(export_id: str, key: Annotated[str, Query()], request: Request) -> ExportAnswer:
    if request.scope.get("is_head"):
        # A HEAD request must not use up the key.
        raise HTTPException(405, headers={"Allow": "GET"})
    database = get_database(request)
    database.refuse_stream_if_no_space()
    export = await database.write(lambda transaction: start_export(transaction, export_id, key))
    # An admin's sessions end when the role changes, so this only guards against another way in.
    _refuse_unreadable(export.list, Role(export.role))
    query, rows = _read_query(export.list, export.query), LISTED[export.list]
    address = client_address(request, get_settings(request).trusted_proxies)
    is_csv, zone = export.format == "csv", ZoneInfo(get_settings(request).time_zone)
    hides = export.role not in NUMBERS.roles
    columns, listing = rows.columns_for(hides_numbers=hides), rows.listing.seen_by(hides_numbers=hides)
    return ExportAnswer(
        database,
        export,
        Actor(export.username, str(address) if address else None),
        lambda reader: choose_whole(reader, listing, query, rows.more),
        CsvWriter(columns, zone) if is_csv else XlsxWriter(columns, zone, export.list.capitalize()),
    )


def _read_query(name: ListName, sent: dict[str, str]) -> ListQuery:
    return read_whole_query(LISTED[name].listing, LISTED[name].query, sent, "an export contains all rows that match.")


def _refuse_unreadable(name: ListName, role: Role) -> None:
    needed = LISTED[name].permission
    if needed is not None:
        refuse_unless(role, [PERMISSIONS[needed]])
