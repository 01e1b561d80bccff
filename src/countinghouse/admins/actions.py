"""Adding, disabling and enabling admins, changing passwords, opening and ending sessions."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, insert, update

from countinghouse.admins.queries import Admin, get_admin, hashed
from countinghouse.admins.tables import admins, known_devices, sessions
from countinghouse.admins.throttle import forget_strangers
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import AlreadyThere, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import name_key
from countinghouse.core.resource import Verb
from countinghouse.core.times import now
from countinghouse.settings import Settings

# Sessions are kept for this long after they expire, for investigations. The next login then deletes them.
KEEP_ENDED_SESSIONS = timedelta(days=30)
# As long as the browser keeps its device cookie.
KEEP_DEVICES = timedelta(days=365)


class AdminVerb(Verb):
    ADDED = "admin.added"
    PASSWORD_CHANGED = "admin.password_changed"  # noqa: S105 - the name of an event, not a password
    DISABLED = "admin.disabled"
    ENABLED = "admin.enabled"
    SESSION_OPENED = "session.opened"
    SESSION_ENDED = "session.ended"


@dataclass(frozen=True, slots=True)
class Opened:
    token: str
    device_mark: str | None


async def add_admin(transaction: Transaction, actor: Actor, username: str, password_hash: str) -> Admin:
    admin = Admin(new_id(), username)
    try:
        await transaction.execute(
            insert(admins).values(
                id=admin.id,
                created_at=now(),
                username=username,
                username_key=name_key(username),
                password_hash=password_hash,
            )
        )
    except AlreadyThere as error:
        raise Conflict("admin_exists", f"There is an admin named {username} already.") from error
    await record(transaction, actor, AdminVerb.ADDED, admin.id, after={"username": username})
    return admin


async def change_password(transaction: Transaction, actor: Actor, username: str, password_hash: str) -> None:
    """Also ends every session and removes every known device, because the old password may have leaked."""
    admin = await get_admin(transaction, username)
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(password_hash=password_hash))
    await _end_all_sessions(transaction, admin.id)
    await transaction.execute(delete(known_devices).where(known_devices.c.admin_id == admin.id))
    await forget_strangers(transaction, admin.username_key)
    await record(transaction, actor, AdminVerb.PASSWORD_CHANGED, admin.id)


async def disable_admin(transaction: Transaction, actor: Actor, username: str) -> None:
    admin = await get_admin(transaction, username)
    if admin.disabled_at is not None:
        raise Conflict("admin_disabled", f"{admin.username} is disabled already.")
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(disabled_at=now()))
    await _end_all_sessions(transaction, admin.id)
    await record(transaction, actor, AdminVerb.DISABLED, admin.id)


async def enable_admin(transaction: Transaction, actor: Actor, username: str) -> None:
    admin = await get_admin(transaction, username)
    if admin.disabled_at is None:
        raise Conflict("admin_enabled", f"{admin.username} is not disabled.")
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(disabled_at=None))
    await record(transaction, actor, AdminVerb.ENABLED, admin.id)


async def open_session(
    transaction: Transaction, actor: Actor, admin_id: str, settings: Settings, *, new_device: bool
) -> Opened:
    token = secrets.token_urlsafe(32)
    at = now()
    await transaction.execute(delete(sessions).where(sessions.c.expires_at < at - KEEP_ENDED_SESSIONS))
    await transaction.execute(delete(known_devices).where(known_devices.c.created_at < at - KEEP_DEVICES))
    await transaction.execute(
        insert(sessions).values(
            token_hash=hashed(token),
            admin_id=admin_id,
            created_at=at,
            last_seen_at=at,
            expires_at=at + timedelta(hours=settings.session_hours),
        )
    )
    mark = secrets.token_urlsafe(32) if new_device else None
    if mark is not None:
        await transaction.execute(
            insert(known_devices).values(mark_hash=hashed(mark), admin_id=admin_id, created_at=at)
        )
    await record(transaction, actor, AdminVerb.SESSION_OPENED, admin_id)
    return Opened(token, mark)


async def end_session(transaction: Transaction, actor: Actor, admin: Admin, token: str) -> None:
    ended = await transaction.execute(
        update(sessions)
        .where(sessions.c.token_hash == hashed(token), sessions.c.ended_at.is_(None))
        .values(ended_at=now())
    )
    if ended:
        await record(transaction, actor, AdminVerb.SESSION_ENDED, admin.id)


async def _end_all_sessions(transaction: Transaction, admin_id: str) -> None:
    await transaction.execute(
        update(sessions).where(sessions.c.admin_id == admin_id, sessions.c.ended_at.is_(None)).values(ended_at=now())
    )
