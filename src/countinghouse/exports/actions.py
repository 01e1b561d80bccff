"""Requesting an export, downloading its file once, and ending it."""

import secrets
from datetime import timedelta
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Row, bindparam, delete, exists, insert, not_, select, true, update

from countinghouse.admins.queries import LONGEST_TOKEN, MUST_ENROL, Admin, factor_missing, lock_admin
from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Change, Statement, Transaction
from countinghouse.core.errors import Conflict, Gone, NotFound, NotSignedIn
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.inputs import MOST_FIELDS, Body, at_most
from countinghouse.core.resource import Verb
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER
from countinghouse.exports.files import Format, ListName
from countinghouse.exports.queries import IS_ALIVE, Outcome, alive_values, count_under_way, get_export, is_expired
from countinghouse.exports.tables import exports

MOST_UNDER_WAY = 2
KEY_LASTS = timedelta(seconds=60)
# The next export request deletes older rows; the audit log keeps their history.
KEEP_EXPORTS = timedelta(days=30)


class ExportVerb(Verb):
    REQUESTED = "export.requested", "Started an export"
    ENDED = "export.ended", "Ended an export"


class ExportRequest(Body):
    model_config = body_examples({"list": "claims", "format": "csv", "query": {"status": "Pending", "sort": "-amount"}})

    list: ListName
    format: Format
    query: Annotated[
        dict[str, str], Field(description="The list's filters and order, as in its URL."), at_most(MOST_FIELDS)
    ] = Field(default={})


# One WHERE clause checks the download URL: not used yet, not expired, and the session that requested it is still open
# and may do more than set up a second factor.
_SESSION_IS_OPEN = exists().where(
    sessions.c.token_hash == exports.c.session_hash,
    sessions.c.ended_at.is_(None),
    sessions.c.expires_at > bindparam("at"),
    admins.c.id == exports.c.admin_id,
    admins.c.disabled_at.is_(None),
    MUST_ENROL.is_not(true()),
)
_START = (
    update(exports)
    .where(
        exports.c.id == bindparam("export_id"),
        exports.c.token_hash == bindparam("key_hash"),
        exports.c.started_at.is_(None),
        exports.c.cancelled_at.is_(None),
        exports.c.expires_at > bindparam("at"),
        exports.c.created_at <= bindparam("ahead"),
        _SESSION_IS_OPEN,
    )
    .values(started_at=bindparam("at"), beat_at=bindparam("at"))
)
_BY_KEY = (
    select(exports, admins.c.username, admins.c.role, MUST_ENROL.label("must_enrol"))
    .join_from(exports, admins)
    .where(exports.c.id == bindparam("export_id"), exports.c.token_hash == bindparam("key_hash"))
)
_BEAT = Statement(
    update(exports)
    .where(
        exports.c.id == bindparam("export_id"),
        exports.c.ended_at.is_(None),
        exports.c.cancelled_at.is_(None),
        _SESSION_IS_OPEN,
    )
    .values(rows_written=bindparam("rows"), beat_at=bindparam("at"))
)
_END = (
    update(exports)
    .where(exports.c.id == bindparam("export_id"), exports.c.ended_at.is_(None))
    .values(ended_at=bindparam("at"), outcome=bindparam("how"), rows_written=bindparam("rows"))
)
_DEAD_EXPORTS = (
    select(exports.c.id, exports.c.rows_written, admins.c.username)
    .join_from(exports, admins)
    .where(exports.c.ended_at.is_(None), not_(IS_ALIVE))
)


async def request_export(
    transaction: Transaction, actor: Actor, admin: Admin, token: str, asked: ExportRequest, rows_total: int | None
) -> tuple[Row[Any], str]:
    """Also returns the key that downloads the file. It is not stored, so this is the only time it is known."""
    await lock_admin(transaction, admin.id)
    await _sweep(transaction)
    if await count_under_way(transaction, admin.id) >= MOST_UNDER_WAY:
        message = f"You already have {MOST_UNDER_WAY} exports in progress. Wait for one to end, or cancel it."
        raise Conflict("too_many_exports", message)
    export_id, key, at = new_id(), secrets.token_urlsafe(32), await transaction.now()
    await transaction.execute(
        insert(exports).values(
            id=export_id,
            admin_id=admin.id,
            session_hash=hash_secret(token),
            token_hash=hash_secret(key),
            list=asked.list,
            format=asked.format,
            query=asked.query,
            created_at=at,
            expires_at=at + KEY_LASTS,
            rows_total=rows_total,
            rows_written=0,
        )
    )
    after = {"list": asked.list, "format": asked.format, "query": asked.query, "rows": rows_total}
    await record(transaction, actor, ExportVerb.REQUESTED, export_id, after=after)
    return await get_export(transaction, admin.id, export_id), key


async def start_export(transaction: Transaction, export_id: str, key: str) -> Row[Any]:
    """Uses up the key. A second request with the same key gets `export_used`."""
    if not is_id(export_id) or len(key) > LONGEST_TOKEN or not key.isascii():
        raise _no_such_file()
    sought = {"export_id": export_id, "key_hash": hash_secret(key)}
    at = await transaction.now()
    is_started = await transaction.execute(_START, {**sought, "at": at, "ahead": at + CLOCKS_DIFFER}) == 1
    found = await transaction.first(_BY_KEY, sought)
    if found is None:
        raise _no_such_file()
    if is_started:
        return found
    if found.cancelled_at is not None:
        raise Gone("export_cancelled", "This export was cancelled. Start a new one.")
    if found.started_at is not None:
        raise Gone("export_used", "This file was already downloaded, and its link works only once. Start a new export.")
    if is_expired(found, at):
        raise Gone("export_expired", "This download link has expired: it works for one minute. Start a new export.")
    if found.must_enrol:
        raise factor_missing()
    raise NotSignedIn("session_ended", "Your session has ended. Please log in again.")


async def beat(change: Change, export_id: str, rows_written: int) -> Outcome | None:
    """Records progress and a heartbeat. Returns an outcome if the export must end."""
    if await change.execute(_BEAT, {"export_id": export_id, "rows": rows_written, "at": await change.now()}) == 1:
        return None
    row = await change.first(select(exports).where(exports.c.id == export_id))
    if row is None or row.ended_at is not None:
        return "failed"
    return "signed_out" if row.cancelled_at is None else "cancelled"


async def cancel_export(transaction: Transaction, actor: Actor, admin: Admin, export_id: str) -> None:
    """A running export ends at its next heartbeat, in whichever process it runs. An ended one does not change."""
    row = await get_export(transaction, admin.id, export_id, for_change=True)
    if row.ended_at is not None or row.cancelled_at is not None:
        return
    cancelled = update(exports).where(exports.c.id == export_id).values(cancelled_at=await transaction.now())
    await transaction.execute(cancelled)
    if row.started_at is None:
        await end_export(transaction, actor, export_id, "cancelled", 0)


async def end_export(transaction: Transaction, actor: Actor, export_id: str, how: Outcome, rows_written: int) -> bool:
    """An export ends only once. Returns whether this call ended it."""
    ended = {"export_id": export_id, "how": how, "rows": rows_written, "at": await transaction.now()}
    if await transaction.execute(_END, ended) != 1:
        return False
    await record(transaction, actor, ExportVerb.ENDED, export_id, after={"outcome": how, "rows": rows_written})
    return True


async def _sweep(transaction: Transaction) -> None:
    at = await transaction.now()
    for dead in await transaction.rows(_DEAD_EXPORTS, alive_values(at)):
        await end_export(transaction, Actor(dead.username), dead.id, "failed", dead.rows_written)
    await transaction.execute(delete(exports).where(exports.c.created_at < at - KEEP_EXPORTS))


def _no_such_file() -> NotFound:
    return NotFound("export_not_found", "There is no such file.")
