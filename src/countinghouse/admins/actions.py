"""Adding, disabling and enabling admins, changing passwords, opening and ending sessions."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from countinghouse.admins.factors.challenges import withdraw_challenges
from countinghouse.admins.permissions import Role
from countinghouse.admins.proof import logged_password
from countinghouse.admins.queries import Admin, get_admin
from countinghouse.admins.tables import admins, invitations, known_devices, sessions
from countinghouse.admins.throttle import forget_strangers
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import AlreadyThere, Statement, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import name_key
from countinghouse.core.resource import Verb
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import now
from countinghouse.settings import Settings

# Sessions are kept for this long after they expire, for investigations. The next login then deletes them.
KEEP_ENDED_SESSIONS = timedelta(days=30)
# As long as the browser keeps its device cookie.
KEEP_DEVICES = timedelta(days=365)


class AdminVerb(Verb):
    ADDED = "admin.added", "Added an admin"
    PASSWORD_CHANGED = "admin.password_changed", "Changed a password"
    DISABLED = "admin.disabled", "Disabled an admin"
    ENABLED = "admin.enabled", "Enabled an admin"
    ROLE_CHANGED = "admin.role_changed", "Changed a role"
    INVITED = "admin.invited", "Invited an admin"
    INVITATION_WITHDRAWN = "admin.invitation_withdrawn", "Withdrew an invitation"
    RESET_OFFERED = "admin.reset_offered", "Made a link for a new password"
    SETUP_OFFERED = "admin.setup_offered", "Offered the setup of the first admin"
    SEARCHES_REFUSED = "admin.searches_refused", "Refused searches for numbers"
    REVEALS_REFUSED = "admin.reveals_refused", "Refused to reveal numbers"
    LOGIN_REFUSED = "login.refused", "Refused logins"
    SESSION_OPENED = "session.opened", "Logged in"
    SESSION_ENDED = "session.ended", "Logged out"
    FACTOR_ADDED = "admin.factor_added", "Set up a second factor"
    FACTOR_REMOVED = "admin.factor_removed", "Removed a second factor"
    FACTORS_RESET = "admin.factors_reset", "Reset the second factors of an admin"
    RECOVERY_CODES_MADE = "admin.recovery_codes_made", "Made new recovery codes"
    FACTOR_REFUSED = "session.factor_refused", "Gave a second factor that was refused"
    STEP_UP_GRANTED = "session.step_up_granted", "Confirmed an action with a second factor"
    STEP_UP_USED = "session.step_up_used", "Used the confirmation"


# After one of these, an admin may have fewer sessions than before.
ENDS_SESSIONS = frozenset(
    str(verb)
    for verb in (
        AdminVerb.SESSION_ENDED,
        AdminVerb.PASSWORD_CHANGED,
        AdminVerb.DISABLED,
        AdminVerb.ROLE_CHANGED,
        AdminVerb.FACTOR_ADDED,
        AdminVerb.FACTOR_REMOVED,
        AdminVerb.FACTORS_RESET,
    )
)


@dataclass(frozen=True, slots=True)
class Opened:
    token: str
    device_mark: str | None


async def add_admin(
    transaction: Transaction, actor: Actor, username: str, password_hash: str, role: Role = Role.OWNER
) -> Admin:
    admin = Admin(new_id(), username, role)
    try:
        await transaction.execute(
            insert(admins).values(
                id=admin.id,
                created_at=now(),
                username=username,
                username_key=name_key(username),
                password_hash=password_hash,
                role=role,
            )
        )
    except AlreadyThere as error:
        raise Conflict("admin_exists", f"An admin named {username} already exists.") from error
    await _end_links(transaction, name_key(username))
    after = {"username": username, "role": role, **logged_password(password_hash)}
    await record(transaction, actor, AdminVerb.ADDED, admin.id, after=after)
    return admin


async def _end_links(transaction: Transaction, username_key: str) -> None:
    """Links from before a change of the account must not undo it. After the admin's row is locked, as in `accept`."""
    await transaction.execute(delete(invitations).where(invitations.c.username_key == username_key))


async def change_password(
    transaction: Transaction, actor: Actor, username: str, password_hash: str, *, but: bytes | None = None
) -> None:
    """Also ends every session and link and removes every known device, because the old password may have leaked.

    `but` is the hash of the token of the session that stays: that of the admin who changes their own password.
    """
    admin = await get_admin(transaction, username)
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(password_hash=password_hash))
    await _end_links(transaction, admin.username_key)
    await end_all_sessions(transaction, admin.id, but=but)
    await transaction.execute(delete(known_devices).where(known_devices.c.admin_id == admin.id))
    await forget_strangers(transaction, admin.username_key)
    await record(transaction, actor, AdminVerb.PASSWORD_CHANGED, admin.id, after=logged_password(password_hash))


async def disable_admin(transaction: Transaction, actor: Actor, username: str) -> None:
    admin = await get_admin(transaction, username)
    if admin.disabled_at is not None:
        raise Conflict("admin_disabled", f"{admin.username} is already disabled.")
    await _keep_an_owner(transaction, admin)
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(disabled_at=now()))
    await _end_links(transaction, admin.username_key)
    await end_all_sessions(transaction, admin.id)
    await record(transaction, actor, AdminVerb.DISABLED, admin.id)


async def enable_admin(transaction: Transaction, actor: Actor, username: str) -> None:
    admin = await get_admin(transaction, username)
    if admin.disabled_at is None:
        raise Conflict("admin_enabled", f"{admin.username} is not disabled.")
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(disabled_at=None))
    await record(transaction, actor, AdminVerb.ENABLED, admin.id)


async def change_role(transaction: Transaction, actor: Actor, username: str, role: Role) -> None:
    """Also ends the admin's sessions, so that no screen shows what they may no longer do."""
    admin = await get_admin(transaction, username)
    if admin.role == role:
        raise Conflict("role_unchanged", f"{admin.username} already has the role {role.label}.")
    await _keep_an_owner(transaction, admin)
    await transaction.execute(update(admins).where(admins.c.id == admin.id).values(role=role))
    await _end_links(transaction, admin.username_key)
    await end_all_sessions(transaction, admin.id)
    await record(
        transaction, actor, AdminVerb.ROLE_CHANGED, admin.id, before={"role": admin.role}, after={"role": role}
    )


_OWNERS = Statement(
    select(admins.c.id)
    .where(admins.c.role == Role.OWNER.value, admins.c.disabled_at.is_(None))
    .order_by(admins.c.id)
    .with_for_update()
)


async def _keep_an_owner(transaction: Transaction, leaving: Row[Any]) -> None:
    """The owners' rows are locked, so that two owners cannot remove each other at the same time."""
    owners = await transaction.scalars(_OWNERS)
    if owners == [leaving.id]:
        message = f"{leaving.username} is the last owner who may log in. Make another admin an owner first."
        raise Conflict("last_owner", message)


async def open_session(
    transaction: Transaction,
    actor: Actor,
    admin_id: str,
    settings: Settings,
    *,
    new_device: bool,
    device: str | None = None,
    factor: str | None = None,
) -> Opened:
    """`device` is the browser as it names itself; `factor` is what was sent beside the password, or instead of it."""
    token, at = secrets.token_urlsafe(32), await transaction.now()
    # Left out where unknown: a database of an earlier release does not have these columns.
    place = {name: value for name, value in (("device", device), ("address", actor.address)) if value is not None}
    await transaction.execute(delete(sessions).where(sessions.c.expires_at < at - KEEP_ENDED_SESSIONS))
    await transaction.execute(delete(known_devices).where(known_devices.c.created_at < at - KEEP_DEVICES))
    await transaction.execute(
        insert(sessions).values(
            token_hash=hash_secret(token),
            admin_id=admin_id,
            created_at=at,
            last_seen_at=at,
            expires_at=at + timedelta(hours=settings.session_hours),
            **place,
        )
    )
    mark = secrets.token_urlsafe(32) if new_device else None
    if mark is not None:
        await transaction.execute(
            insert(known_devices).values(mark_hash=hash_secret(mark), admin_id=admin_id, created_at=at)
        )
    await record(
        transaction, actor, AdminVerb.SESSION_OPENED, admin_id, after=None if factor is None else {"factor": factor}
    )
    return Opened(token, mark)


async def end_session(transaction: Transaction, actor: Actor, admin: Admin, token: str) -> None:
    ended = await transaction.execute(
        update(sessions)
        .where(sessions.c.token_hash == hash_secret(token), sessions.c.ended_at.is_(None))
        .values(ended_at=now())
    )
    if ended:
        await record(transaction, actor, AdminVerb.SESSION_ENDED, admin.id)


async def end_all_sessions(transaction: Transaction, admin_id: str, *, but: bytes | None = None) -> int:
    """Also withdraws logins that have begun. Returns how many sessions have ended."""
    await withdraw_challenges(transaction, admin_id)
    ending = update(sessions).where(sessions.c.admin_id == admin_id, sessions.c.ended_at.is_(None))
    if but is not None:
        ending = ending.where(sessions.c.token_hash != but)
    return await transaction.execute(ending.values(ended_at=now()))
