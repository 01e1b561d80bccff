"""An admin's own sessions."""

from datetime import timedelta
from typing import Annotated

from sqlalchemy import bindparam, select, update
from typing_extensions import TypedDict

from countinghouse.admins.actions import AdminVerb, end_all_sessions
from countinghouse.admins.queries import Admin
from countinghouse.admins.tables import sessions
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
from countinghouse.core.ids import is_id
from countinghouse.core.listing.sql import number
from countinghouse.core.times import iso, now
from countinghouse.settings import Settings

MOST_SHOWN = 100


@described
class OwnSession(TypedDict):
    # The beginning of the hash of its token: names the session and opens nothing.
    _id: Annotated[str, Example("9f86d081884c7d659a2feaa0")]
    device: Annotated[str | None, Example("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0")]
    address: Annotated[str | None, Example("203.0.113.9")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    lastSeenAt: Annotated[str, Example("2026-11-15T03:10:02.000Z")]
    isCurrent: Annotated[bool, Example(True)]


_OPEN = Statement(
    select(sessions)
    .where(
        sessions.c.admin_id == bindparam("of"),
        sessions.c.ended_at.is_(None),
        sessions.c.expires_at > bindparam("at"),
        sessions.c.last_seen_at > bindparam("idle_since"),
        sessions.c.last_seen_at < bindparam("ahead"),
    )
    .order_by(sessions.c.last_seen_at.desc(), sessions.c.token_hash)
    .limit(number(MOST_SHOWN))
)
_END_ONE = Statement(
    update(sessions)
    .where(
        sessions.c.admin_id == bindparam("of"),
        sessions.c.ended_at.is_(None),
        sessions.c.token_hash >= bindparam("first"),
        sessions.c.token_hash <= bindparam("last"),
    )
    .values(ended_at=bindparam("at"))
)


async def list_own_sessions(reader: Reader, settings: Settings, admin_id: str, current_hash: bytes) -> list[OwnSession]:
    """The same that `find_session` finds."""
    at, idle = await reader.now(), timedelta(minutes=settings.session_idle_minutes)
    rows = await reader.rows(_OPEN, {"of": admin_id, "at": at, "idle_since": at - idle, "ahead": at + idle})
    return [
        {
            "_id": bytes(row.token_hash).hex()[:24],
            "device": row.device,
            "address": row.address,
            "createdAt": iso(row.created_at),
            "lastSeenAt": iso(row.last_seen_at),
            "isCurrent": bytes(row.token_hash) == current_hash,
        }
        for row in rows
    ]


async def end_own_session(transaction: Transaction, actor: Actor, admin: Admin, session_id: str) -> None:
    ended = 0
    if is_id(session_id):
        beginning = bytes.fromhex(session_id)
        within = {"first": beginning + bytes(20), "last": beginning + b"\xff" * 20}
        ended = await transaction.execute(_END_ONE, {"of": admin.id, "at": now(), **within})
    if not ended:
        raise NotFound("session_not_found", "You have no such session, or it has ended already.")
    await record(transaction, actor, AdminVerb.SESSION_ENDED, admin.id, before={"session": session_id})


async def end_other_sessions(transaction: Transaction, actor: Actor, admin: Admin, current_hash: bytes) -> int:
    ended = await end_all_sessions(transaction, admin.id, but=current_hash)
    if ended:
        await record(transaction, actor, AdminVerb.SESSION_ENDED, admin.id, before={"sessions": ended})
    return ended
