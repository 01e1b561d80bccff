from fastapi import APIRouter, Request

from countinghouse.admins.doors import ActingAdmin
from countinghouse.clients.actions import NewNote, write_note
from countinghouse.clients.queries import Client, Note, get_client
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database
from countinghouse.core.quick import ConnectionReader
from countinghouse.core.times import now

router = APIRouter(prefix="/api/clients", tags=["clients"])


@router.get(
    "/{user_id}",
    summary="One client: purchases, claims, accounts, totals and notes",
    responses={404: {"model": ErrorAnswer}},
)
def read_client(user_id: str, request: Request) -> Client:
    # One snapshot, so that lists and sums cannot contradict each other.
    with get_database(request).reading() as connection:
        return get_client(ConnectionReader(connection), user_id, now())


@router.post(
    "/{user_id}/notes", status_code=201, summary="Write a note about a client", responses={404: {"model": ErrorAnswer}}
)
def add_client_note(user_id: str, asked: NewNote, actor: ActingAdmin, request: Request) -> Note:
    with get_database(request).writing() as connection:
        return write_note(connection, actor, user_id, asked)
