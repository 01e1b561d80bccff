from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.admins.revealing import REVEAL_REFUSED, reveal
from countinghouse.clients.actions import NewNote, RevealedClient, reveal_client, write_note
from countinghouse.clients.queries import Client, Note, get_client
from countinghouse.clients.resource import NOTE, READ, REVEAL
from countinghouse.clients.statement import ClientStatement, StatementPeriod, get_statement
from countinghouse.core.db import Cost
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.core.times import now

router = desk_router("/api/clients", "clients", SignedIn(READ))


@router.get("/{user_id}", summary="One client: purchases, claims, accounts, totals and notes", responses=errors(404))
async def read_client(user_id: str, request: Request) -> Client:
    # One snapshot, so that lists and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: get_client(reader, user_id, now()), Cost.MEDIUM, snapshot=True
    )


@router.get(
    "/{user_id}/statement",
    summary="What a client bought, was paid and has in open claims, in a period",
    responses=errors(404),
)
async def read_client_statement(
    user_id: str, period: Annotated[StatementPeriod, Query()], request: Request
) -> ClientStatement:
    # One snapshot, so that rows and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: get_statement(reader, user_id, period, now()), Cost.MEDIUM, snapshot=True
    )


@router.post(
    "/{user_id}/notes",
    status_code=201,
    summary="Write a note about a client",
    responses=errors(404),
    dependencies=needs(NOTE),
)
async def add_client_note(user_id: str, asked: NewNote, actor: ActingAdmin, request: Request) -> Note:
    return await get_database(request).write(lambda transaction: write_note(transaction, actor, user_id, asked))


@router.post(
    "/{user_id}/reveal",
    summary="The client's whole mobile number",
    responses=REVEAL_REFUSED,
    dependencies=needs(REVEAL),
)
async def reveal_client_number(user_id: str, request: Request) -> RevealedClient:
    return await reveal(request, lambda transaction, actor: reveal_client(transaction, actor, user_id))
