from fastapi import Request

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.views import actions, queries
from countinghouse.views.actions import NewView, ViewChange
from countinghouse.views.queries import Screen, View

router = desk_router("/api/views", "views", SignedIn(OWN))


@router.get("", summary="Your saved views of a screen, by name")
async def list_views(screen: Screen, admin: CurrentAdmin, request: Request) -> list[View]:
    return await get_database(request).read(lambda reader: queries.list_views(reader, admin.id, screen))


@router.post("", status_code=201, summary="Save a view", responses=errors(409))
async def save_view(asked: NewView, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> View:
    return await get_database(request).write(lambda transaction: actions.save_view(transaction, actor, admin, asked))


@router.put("/{view_id}", summary="Rename a view, or replace what it stores", responses=errors(404, 409))
async def change_view(
    view_id: str, asked: ViewChange, admin: CurrentAdmin, actor: ActingAdmin, request: Request
) -> View:
    database = get_database(request)
    return await database.write(lambda transaction: actions.change_view(transaction, actor, admin, view_id, asked))


@router.delete("/{view_id}", status_code=204, summary="Delete a view", responses=errors(404))
async def delete_view(view_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: actions.delete_view(transaction, actor, admin, view_id))
