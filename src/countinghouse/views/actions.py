"""Saving, changing and deleting views."""

from typing import Annotated

from pydantic import Field
from sqlalchemy import delete, insert, update

from countinghouse.admins.queries import Admin, lock_admin
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import AlreadyThere, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import Body, PlainName, PlainText, name_key
from countinghouse.core.resource import Verb
from countinghouse.core.times import now
from countinghouse.views.queries import Screen, View, get_view, list_views, to_view
from countinghouse.views.tables import saved_views

MOST_VIEWS_A_SCREEN = 50


class ViewVerb(Verb):
    SAVED = "view.saved", "Saved a view"
    CHANGED = "view.changed", "Changed a saved view"
    DELETED = "view.deleted", "Deleted a saved view"


class ViewChange(Body):
    model_config = body_examples({"name": "Large and pending", "search": "status=Pending"})

    name: Annotated[PlainName, Field(min_length=1, max_length=60)]
    search: Annotated[PlainText, Field(max_length=2000, description="The screen's query string, without its ?")]


class NewView(ViewChange):
    model_config = body_examples(
        {"screen": "claims", "name": "Large and pending", "search": "status=Pending&minAmount=50000"}
    )

    screen: Screen


async def save_view(transaction: Transaction, actor: Actor, admin: Admin, new: NewView) -> View:
    # Locks the admin, so that two windows of one admin check the limit one after the other.
    await lock_admin(transaction, admin.id)
    if len(await list_views(transaction, admin.id, new.screen)) >= MOST_VIEWS_A_SCREEN:
        message = f"You already have {MOST_VIEWS_A_SCREEN} views of this screen. Delete one that you no longer use."
        raise Conflict("too_many_views", message)
    view_id, at = new_id(), now()
    after = {"screen": new.screen, "name": new.name, "search": new.search}
    row = {"id": view_id, "admin_id": admin.id, "name_key": name_key(new.name), "created_at": at, "updated_at": at}
    try:
        await transaction.execute(insert(saved_views).values(row | after))
    except AlreadyThere as error:
        raise _name_taken(new.name) from error
    await record(transaction, actor, ViewVerb.SAVED, view_id, after=after)
    return to_view(await get_view(transaction, admin.id, view_id))


async def change_view(transaction: Transaction, actor: Actor, admin: Admin, view_id: str, asked: ViewChange) -> View:
    """An update without a change writes nothing, and adds no row to the audit log."""
    view = await get_view(transaction, admin.id, view_id, for_change=True)
    before = {"name": view.name, "search": view.search}
    after = {"name": asked.name, "search": asked.search}
    if before == after:
        return to_view(view)
    try:
        changed = after | {"name_key": name_key(asked.name), "updated_at": now()}
        await transaction.execute(update(saved_views).where(saved_views.c.id == view_id).values(changed))
    except AlreadyThere as error:
        raise _name_taken(asked.name) from error
    await record(transaction, actor, ViewVerb.CHANGED, view_id, before=before, after=after)
    return to_view(await get_view(transaction, admin.id, view_id))


async def delete_view(transaction: Transaction, actor: Actor, admin: Admin, view_id: str) -> None:
    view = await get_view(transaction, admin.id, view_id, for_change=True)
    await transaction.execute(delete(saved_views).where(saved_views.c.id == view_id))
    before = {"screen": view.screen, "name": view.name, "search": view.search}
    await record(transaction, actor, ViewVerb.DELETED, view_id, before=before)


def _name_taken(name: str) -> Conflict:
    return Conflict("view_exists", f"This screen already has a view named {name}.")
