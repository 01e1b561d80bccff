from typing import Annotated, cast

from fastapi import Header, Query, Request, Response

from countinghouse.admins.dependencies import CurrentAdmin, SentToken, SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.admins.queries import find_session
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database, get_settings, hides_numbers
from countinghouse.live.actions import OpenTab, say_open
from countinghouse.live.stream import HEADERS, MEDIA_TYPE, LiveAnswer
from countinghouse.live.tail import Tail

# Mounted with its own dependency: requests that a screen sends by itself do not keep a session alive.
router = desk_router("/api/live", "live", SignedIn(OWN, counts_as_use=False))

LARGEST_SEQ = 2**63 - 1

# One event of the stream, for OpenAPI. `data` is JSON.
EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["hello", "change", "counts", "open", "reset", "signed-out"]},
        "id": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}


@router.get(
    "",
    summary="Changes by other admins, as they happen",
    response_class=Response,
    responses={
        200: {
            "description": "An endless stream of server-sent events",
            "content": {MEDIA_TYPE: {"itemSchema": EVENT}},
        }
    },
)
async def listen(
    request: Request,
    admin: CurrentAdmin,
    token: SentToken,
    after: Annotated[int | None, Query(ge=0, le=LARGEST_SEQ, description="The id of the last event")] = None,
    last_event_id: Annotated[
        int | None, Header(ge=0, le=LARGEST_SEQ, description="The id of the last event; takes precedence over `after`")
    ] = None,
) -> Response:
    if request.scope.get("is_head"):
        return Response(media_type=MEDIA_TYPE, headers=HEADERS)
    database, settings = get_database(request), get_settings(request)

    async def is_signed_in() -> bool:
        session = await database.read(lambda reader: find_session(reader, settings, token))
        return session is not None and not session.must_enrol

    tail = cast(Tail, request.app.state.tail)
    start, hides = after if last_event_id is None else last_event_id, hides_numbers(request)
    return LiveAnswer(database, tail, admin.id, start, is_signed_in, hides_numbers=hides)


@router.put(
    "/open",
    status_code=204,
    summary="Report which claim this tab has open; call it every ten seconds",
    responses=errors(404),
)
async def keep_open(said: OpenTab, admin: CurrentAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: say_open(transaction, admin.id, said))
