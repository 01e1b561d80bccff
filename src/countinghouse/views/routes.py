from fastapi import APIRouter, Request

from countinghouse.admins.doors import ActingAdmin, CurrentAdmin
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database
from countinghouse.views import actions, queries
from countinghouse.views.actions import NewView, ViewChange
from countinghouse.views.queries import Screen, View, to_view

router = APIRouter(prefix="/api/views", tags=["views"])


@router.get("", summary="Your saved views of a screen, by name")
def list_views(screen: Screen, admin: CurrentAdmin, request: Request) -> list[View]:
    with get_database(request).reading() as connection:
        return queries.list_views(connection, admin.id, screen)


@router.post("", status_code=201, summary="Save a view", responses={409: {"model": ErrorAnswer}})
def save_view(asked: NewView, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> View:
    with get_database(request).writing() as connection:
        return to_view(actions.save_view(connection, actor, admin, asked))


@router.put(
    "/{view_id}",
    summary="Rename a view, or replace what it stores",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def change_view(view_id: str, asked: ViewChange, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> View:
    with get_database(request).writing() as connection:
        return to_view(actions.change_view(connection, actor, admin, view_id, asked))


@router.delete("/{view_id}", status_code=204, summary="Delete a view", responses={404: {"model": ErrorAnswer}})
def delete_view(view_id: str, admin: CurrentAdmin, actor: ActingAdmin, request: Request) -> None:
    with get_database(request).writing() as connection:
        actions.delete_view(connection, actor, admin, view_id)
