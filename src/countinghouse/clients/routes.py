from fastapi import Request

from countinghouse.admins.dependencies import ActingAdmin, desk_router
from countinghouse.clients.actions import NewNote, write_note
from countinghouse.clients.queries import Client, Note, get_client
from countinghouse.core.db import Cost
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.core.times import now

router = desk_router("/api/clients", "clients")


@router.get("/{user_id}", summary="One client: purchases, claims, accounts, totals and notes", responses=errors(404))
async def read_client(user_id: str, request: Request) -> Client:
    # One snapshot, so that lists and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: get_client(reader, user_id, now()), Cost.MEDIUM, snapshot=True
    )


@router.post("/{user_id}/notes", status_code=201, summary="Write a note about a client", responses=errors(404))
async def add_client_note(user_id: str, asked: NewNote, actor: ActingAdmin, request: Request) -> Note:
    return await get_database(request).write(lambda transaction: write_note(transaction, actor, user_id, asked))
