from fastapi import Request
from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.admins.factors.step_up import needs_step_up
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.keys import actions, queries
from countinghouse.keys.actions import NewKey
from countinghouse.keys.queries import ShownKey
from countinghouse.keys.resource import MANAGE, READ

router = desk_router("/api/keys", "keys", SignedIn(READ))
_MANAGE = [*needs(MANAGE), *needs_step_up("keys.manage")]


@with_config(json_schema_extra={"examples": [{"key": "ch_live_Zt9bWc0pXy7Lr4uVnKq2JdE5sHg8TaMf", "shown": None}]})
class AddedKey(TypedDict):
    """`key` is in this answer and nowhere else: only its hash is stored."""

    key: str
    shown: ShownKey


@router.get("", summary="Every API key, newest first")
async def list_keys(request: Request) -> list[ShownKey]:
    return await get_database(request).read(queries.list_keys)


@router.post("", status_code=201, summary="Add an API key", responses=errors(409), dependencies=_MANAGE)
async def add_key(asked: NewKey, actor: ActingAdmin, request: Request) -> AddedKey:
    shown, key = await get_database(request).write(lambda transaction: actions.add_key(transaction, actor, asked))
    return {"key": key, "shown": shown}


@router.post("/{key_id}/revoke", summary="End an API key at once", responses=errors(404), dependencies=_MANAGE)
async def revoke_key(key_id: str, actor: ActingAdmin, request: Request) -> ShownKey:
    return await get_database(request).write(lambda transaction: actions.revoke_key(transaction, actor, key_id))
