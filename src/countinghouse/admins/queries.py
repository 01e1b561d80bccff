"""Reading admins and their sessions."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Row, Table, bindparam, case, column, exists, false, or_, select, table, update

from countinghouse.admins.factors.tables import passkeys, totp_secrets
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins, known_devices, sessions
from countinghouse.core.db import CLOCK, DATABASE_ERRORS, Database, Reader, Statement, Transaction, clock_of
from countinghouse.core.errors import Busy, Forbidden, NotFound, NotSignedIn
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import name_key
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER, to_moment
from countinghouse.settings import Settings

log = structlog.get_logger()

# The last-seen time is updated at most this often, so that reading a list does not write on every request.
LAST_SEEN_EVERY = timedelta(minutes=1)

# token_urlsafe(32) makes 43 characters. A longer token cannot be ours and is not worth hashing.
LONGEST_TOKEN = 100


class Admin(NamedTuple):
    id: str
    username: str
    role: Role
    has_factor: bool = False


# Of the factors themselves, which the audit log tells of. The column of the same name is written for 0.1.0 only.
HAS_FACTOR = or_(
    exists().where(passkeys.c.admin_id == admins.c.id).correlate(admins),
    exists().where(totp_secrets.c.admin_id == admins.c.id, totp_secrets.c.confirmed_at.is_not(None)).correlate(admins),
)
_ADMIN = select(*(each for each in admins.c if each is not admins.c.has_factor), HAS_FACTOR.label("has_factor"))
_BY_KEY = Statement(_ADMIN.where(admins.c.username_key == bindparam("key")))
_BY_ID = Statement(_ADMIN.where(admins.c.id == bindparam("admin_id")))
# SQLite has no row locks and needs none: it allows one writer at a time.
_LOCK_ADMIN = Statement(select(admins.c.id).where(admins.c.id == bindparam("admin_id")).with_for_update())
# The policy is a room above this one, so its table is not imported.
_rules = table("policy_rules", column("rule"), column("setting"))
# Whether the policy demands a second factor. Read with the session, so that it applies to open sessions at once.
_IS_REQUIRED = select(_rules.c.setting == "on").where(_rules.c.rule == "secondFactorRequired").scalar_subquery()
_FACTOR_REQUIRED = Statement(select(_IS_REQUIRED))
# The policy demands a second factor and the admin has none; NULL if nobody has set that rule.
MUST_ENROL = case((HAS_FACTOR, false()), else_=_IS_REQUIRED)
_BY_TOKEN = Statement(
    select(
        admins.c.id,
        admins.c.username,
        admins.c.role,
        HAS_FACTOR,
        MUST_ENROL,
        sessions.c.last_seen_at,
        sessions.c.expires_at,
        CLOCK,
    )
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


async def find_admin_by_id(reader: Reader, admin_id: str) -> Row[Any] | None:
    return await reader.first(_BY_ID, {"admin_id": admin_id})


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


async def is_factor_required(reader: Reader) -> bool:
    return bool(await reader.scalar(_FACTOR_REQUIRED))


async def list_admins(reader: Reader) -> list[Row[Any]]:
    return await reader.rows(select(admins).order_by(admins.c.username_key))


async def is_known_device(reader: Reader, mark: str, admin_id: str) -> bool:
    return bool(await find_device_owner(reader, mark) == admin_id)


async def find_device_owner(reader: Reader, mark: str) -> str | None:
    """The id of the admin who has logged in from this browser before."""
    owner: str | None = await reader.scalar(_DEVICE, {"mark_hash": hash_secret(mark)})
    return owner


async def is_marked(reader: Reader, mark: str) -> bool:
    return await reader.scalar(_DEVICE, {"mark_hash": hash_secret(mark)}) is not None


class Session(NamedTuple):
    admin: Admin
    # Nothing works before they have set up a second factor.
    must_enrol: bool
    # By the clock of the database.
    checked_at: datetime
    # The stored last use is so old, or so far in the future, that it should be updated.
    is_touch_due: bool


def factor_missing() -> Forbidden:
    return Forbidden("factor_missing", "This desk requires a second factor. Set one up in My account first.")


async def find_session(reader: Reader, settings: Settings, token: str) -> Session | None:
    """None if the token is unknown or revoked, or the session was idle too long or has expired.

    A last use that is as far ahead was stored by a clock that was wrong: without an end, the session would last until
    that time. A session that is less far ahead goes on, and is shortened by its next use.
    """
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    found = await reader.all(_BY_TOKEN, {"token_hash": hash_secret(token)})
    if not found:
        return None
    admin_id, username, role, has_factor, must_enrol, last_seen_at, expires_at, clock = found[0]
    at = clock_of(clock)
    unseen = abs(at - to_moment(last_seen_at))
    if unseen >= timedelta(minutes=settings.session_idle_minutes) or at >= to_moment(expires_at):
        return None
    admin = Admin(admin_id, username, Role(role), bool(has_factor))
    return Session(admin, bool(must_enrol), at, unseen >= LAST_SEEN_EVERY)


async def get_session(database: Database, settings: Settings, token: str, *, counts_as_use: bool) -> Session:
    session = await database.read(lambda reader: find_session(reader, settings, token))
    if session is None:
        raise NotSignedIn("session_ended", "Your session has ended. Please log in again.")
    if counts_as_use and session.is_touch_due:
        await _touch(database, settings, hash_secret(token), session.checked_at)
    return session


async def _touch(database: Database, settings: Settings, token_hash: bytes, at: datetime) -> None:
    end = at + timedelta(hours=settings.session_hours)
    seen = {"of": token_hash, "seen_at": at, "ahead": at + CLOCKS_DIFFER, "end": end}
    try:
        await database.write(lambda transaction: transaction.execute(_TOUCH, seen))
    except (*DATABASE_ERRORS, Busy):
        # Another writer holds the lock, or the database accepts no changes. A read must not fail because of that; the
        # next request tries again.
        log.warning("last_seen_not_written")
