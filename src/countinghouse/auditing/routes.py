from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import CurrentAdmin, SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.auditing import queries
from countinghouse.auditing.queries import (
    AUDIT,
    AuditChoices,
    AuditEntry,
    AuditQuery,
    AuditTotals,
    AuditTotalsQuery,
    Sealing,
)
from countinghouse.auditing.resource import READ
from countinghouse.core.db import Cost
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.requests import get_database

router = desk_router("/api/audit", "audit", SignedIn(READ))
# Of every admin's own account, like the rest of which it works while a second factor has to be set up.
own_router = desk_router("/api/admin/account", "audit", SignedIn(OWN, while_enrolling=True))

add_list_route(router, "", AUDIT, AuditQuery, AuditEntry, name="list_audit", summary="Who did what, newest first")


@router.get("/totals", summary="How many rows match")
async def total_audit(request: Request, asked: Annotated[AuditTotalsQuery, Query()]) -> AuditTotals:
    return await get_database(request).read_list(lambda reader: queries.count_entries(reader, asked), Cost.LONG)


@router.get("/choices", summary="What the log can be filtered by")
async def list_choices(request: Request) -> AuditChoices:
    return await get_database(request).read(queries.read_choices, Cost.MEDIUM)


@router.get("/sealing", summary="How much of the log is sealed, and what still waits")
async def read_sealing(request: Request) -> Sealing:
    return await get_database(request).read(queries.read_sealing, Cost.MEDIUM)


@own_router.get("/activity", summary="What you did last")
async def list_own_activity(admin: CurrentAdmin, request: Request) -> list[AuditEntry]:
    return await get_database(request).read(lambda reader: queries.read_activity(reader, admin.username))
