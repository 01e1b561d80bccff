"""Reading admins and their sessions."""

import re
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

import structlog
from pydantic import AfterValidator, Field
from sqlalchemy import Row, Table, bindparam, case, or_, select, update

from countinghouse.admins.tables import admins, known_devices, sessions
from countinghouse.core.db import DATABASE_ERRORS, Database, Reader, Statement, Transaction
from countinghouse.core.errors import Busy, NotFound, NotSignedIn
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import PlainName, name_key
from countinghouse.core.times import CLOCKS_DIFFER, now, to_moment
from countinghouse.settings import Settings

log = structlog.get_logger()

# The last-seen time is updated at most this often, so that reading a list does not write on every request.
LAST_SEEN_EVERY = timedelta(minutes=1)

# token_urlsafe(32) makes 43 characters. A longer token cannot be ours and is not worth hashing.
LONGEST_TOKEN = 100

# Names that the audit log uses for actors that are not admins. An admin with such a name could hide among them.
_RESERVED_NAMES = re.compile(r"command|imported|tokenless@.*|key .*")


def _is_not_reserved(username: str) -> str:
    if _RESERVED_NAMES.fullmatch(name_key(username)):
        raise ValueError("is reserved for the audit log; choose another one.")
    return username


Username = Annotated[PlainName, Field(min_length=1, max_length=100)]
NewUsername = Annotated[Username, AfterValidator(_is_not_reserved)]


class Admin(NamedTuple):
    id: str
    username: str


def hashed(token: str) -> bytes:
    return sha256(token.encode()).digest()


_BY_KEY = Statement(select(admins).where(admins.c.username_key == bindparam("key")))
# SQLite has no row locks and needs none: it allows one writer at a time.
_LOCK_ADMIN = Statement(select(admins.c.id).where(admins.c.id == bindparam("admin_id")).with_for_update())
_BY_TOKEN = Statement(
    select(admins.c.id, admins.c.username, sessions.c.last_seen_at, sessions.c.expires_at)
    .join_from(sessions, admins)
    .where(
        sessions.c.token_hash == bindparam("token_hash"),
        sessions.c.ended_at.is_(None),
        admins.c.disabled_at.is_(None),
    )
)
_DEVICE = Statement(select(known_devices.c.admin_id).where(known_devices.c.mark_hash == bindparam("mark_hash")))
# If the clock was set back, the session is shortened to the lifetime of a new one.
_TOUCH = Statement(
    update(sessions)
    .where(
        sessions.c.token_hash == bindparam("of"),
        or_(sessions.c.last_seen_at < bindparam("seen_at"), sessions.c.last_seen_at > bindparam("ahead")),
    )
    .values(
        last_seen_at=bindparam("seen_at"),
        expires_at=case((sessions.c.expires_at > bindparam("end"), bindparam("end")), else_=sessions.c.expires_at),
    )
)


async def find_admin(reader: Reader, username: str) -> Row[Any] | None:
    return await reader.first(_BY_KEY, {"key": name_key(username)})


async def get_admin(reader: Reader, username: str) -> Row[Any]:
    found = await find_admin(reader, username)
    if found is None:
        raise NotFound("admin_not_found", f"There is no admin named {username}.")
    return found


async def lock_admin(transaction: Transaction, admin_id: str) -> None:
    """Locks the admin's row until the transaction ends, so that concurrent requests check limits one by one."""
    await transaction.all(_LOCK_ADMIN, {"admin_id": admin_id})


@cache
def _select_own(table: Table, *, for_change: bool) -> Statement:
    own = select(table).where(table.c.id == bindparam("row_id"), table.c.admin_id == bindparam("admin_id"))
    return Statement(own.with_for_update(key_share=True) if for_change else own)


async def get_own(
    reader: Reader, table: Table, admin_id: str, row_id: str, missing: NotFound, *, for_change: bool = False
) -> Row[Any]:
    """A row that belongs to an admin. Another admin's row is reported as missing."""
    sought = {"row_id": row_id, "admin_id": admin_id}
    found = await reader.first(_select_own(table, for_change=for_change), sought) if is_id(row_id) else None
    if found is None:
        raise missing
    return found


async def list_admins(reader: Reader) -> list[Row[Any]]:
    return await reader.rows(select(admins).order_by(admins.c.username_key))


async def is_known_device(reader: Reader, mark: str, admin_id: str) -> bool:
    return bool(await reader.scalar(_DEVICE, {"mark_hash": hashed(mark)}) == admin_id)


class Session(NamedTuple):
    admin: Admin
    # The stored last use is so old, or so far in the future, that it should be updated.
    is_touch_due: bool


async def find_session(reader: Reader, settings: Settings, token: str) -> Session | None:
    """None if the token is unknown or revoked, or the session was idle too long or has expired."""
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    found = await reader.all(_BY_TOKEN, {"token_hash": hashed(token)})
    if not found:
        return None
    admin_id, username, last_seen_at, expires_at = found[0]
    at, last_seen_at = now(), to_moment(last_seen_at)
    idle_at = last_seen_at + timedelta(minutes=settings.session_idle_minutes)
    if at >= min(idle_at, to_moment(expires_at)):
        return None
    return Session(Admin(admin_id, username), abs(at - last_seen_at) >= LAST_SEEN_EVERY)


async def get_admin_by_token(database: Database, settings: Settings, token: str, *, counts_as_use: bool) -> Admin:
    session = await database.read(lambda reader: find_session(reader, settings, token))
    if session is None:
        raise NotSignedIn("session_ended", "Your session has ended. Please log in again.")
    if counts_as_use and session.is_touch_due:
        await _touch(database, settings, hashed(token), now())
    return session.admin


async def _touch(database: Database, settings: Settings, token_hash: bytes, at: datetime) -> None:
    end = at + timedelta(hours=settings.session_hours)
    seen = {"of": token_hash, "seen_at": at, "ahead": at + CLOCKS_DIFFER, "end": end}
    try:
        await database.write(lambda transaction: transaction.execute(_TOUCH, seen))
    except (*DATABASE_ERRORS, Busy):
        # Another writer holds the lock, or the database accepts no changes. A read must not fail because of that; the
        # next request tries again.
        log.warning("last_seen_not_written")
