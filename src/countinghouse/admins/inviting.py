"""One-time links that set a password: for a new admin, for one who forgot it, and for the first owner of an empty desk.

Only a hash of the link's token is stored. A link works once and for a day; a newer link for the same name replaces it.
A link that sets a new password is bound to its admin, and ends with any change of their password, role or access. An
invitation adds an admin, and never changes one.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, select

from countinghouse.admins.actions import AdminVerb, add_admin, change_password
from countinghouse.admins.permissions import Role
from countinghouse.admins.queries import find_admin, find_admin_by_id, lock_admin
from countinghouse.admins.tables import admins, invitations
from countinghouse.audit.actions import COMMAND, Actor, record
from countinghouse.audit.tables import LONGEST_SUBJECT
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.errors import Conflict, Gone, InvalidInput
from countinghouse.core.inputs import name_key
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER

LASTS = timedelta(hours=24)
# Behind a `#`, so that it is in no log of a proxy and in no Referer header.
PATH = "/Invite#"

_GONE = "This link has been used, replaced or has expired. Ask an owner of the desk for a new one."


async def invite(transaction: Transaction, actor: Actor, username: str, role: Role) -> tuple[str, datetime]:
    """The path of the link, and when it expires."""
    if await find_admin(transaction, username) is not None:
        raise Conflict("admin_exists", f"An admin named {username} already exists.")
    made = await _make(transaction, username, role)
    after = {"username": username, "role": role}
    await record(transaction, actor, AdminVerb.INVITED, _subject(username), after=after)
    return made


async def offer_reset(transaction: Transaction, actor: Actor, admin: Row[Any]) -> tuple[str, datetime]:
    """A link with which the admin sets a new password. The old one works until then."""
    # So that a change of the account is either visible here or ends this link too.
    await lock_admin(transaction, admin.id)
    made = await _make(transaction, admin.username, Role(admin.role), admin.id)
    await record(transaction, actor, AdminVerb.RESET_OFFERED, admin.id)
    return made


async def offer_setup(transaction: Transaction) -> str | None:
    """The link for the first owner, who chooses a name. None if there is an admin."""
    if await transaction.scalar(select(func.count()).select_from(admins)):
        return None
    path, _ = await _make(transaction, None, Role.OWNER)
    await record(transaction, COMMAND, AdminVerb.SETUP_OFFERED, "desk")
    return path


async def _make(
    transaction: Transaction, username: str | None, role: Role, admin_id: str | None = None
) -> tuple[str, datetime]:
    key = "" if username is None else name_key(username)
    at, token = await transaction.now(), secrets.token_urlsafe(32)
    if not transaction.is_sqlite:
        # Of two links for one name at the same moment, the second replaces the first.
        await transaction.command("LOCK TABLE invitations IN SHARE ROW EXCLUSIVE MODE")
    await transaction.execute(
        delete(invitations).where((invitations.c.username_key == key) | (invitations.c.expires_at < at))
    )
    row = {
        "token_hash": hash_secret(token),
        "username": username,
        "username_key": key,
        "role": role,
        "admin_id": admin_id,
    }
    await transaction.execute(insert(invitations).values(row | {"created_at": at, "expires_at": at + LASTS}))
    return PATH + token, at + LASTS


# One statement: of two requests with the same link, the second must not find the link and the admin whom it added.
_LINK = Statement(
    select(invitations, admins.c.id.label("existing_id"))
    .outerjoin_from(invitations, admins, admins.c.username_key == invitations.c.username_key)
    .where(invitations.c.token_hash == bindparam("token_hash"))
)


async def get_invitation(transaction: Transaction, token: str) -> Row[Any]:
    found = await transaction.first(_LINK, {"token_hash": hash_secret(token)})
    at = await transaction.now()
    # One that lasts longer than any can was made before the clock was set back.
    if found is None or not at < found.expires_at <= at + LASTS + CLOCKS_DIFFER:
        raise Gone("invitation_gone", _GONE)
    if found.admin_id is None and found.existing_id is not None:
        message = (
            f"{found.username} is already an admin, so this invitation does nothing. Log in with your password, or ask "
            "an owner of the desk for a link that sets a new one."
        )
        raise Conflict("admin_exists", message)
    return found


async def accept(transaction: Transaction, token: str, username: str | None, password_hash: str, address: str) -> str:
    """Sets the password, and returns the name to log in with."""
    found = await get_invitation(transaction, token)
    if found.admin_id is not None:
        await lock_admin(transaction, found.admin_id)
    # Only one of two requests with the same link deletes it.
    if not await transaction.execute(delete(invitations).where(invitations.c.token_hash == found.token_hash)):
        raise Gone("invitation_gone", _GONE)
    name = found.username or username
    if name is None:
        raise InvalidInput({"username": "Choose a user name."})
    if found.username is None and await transaction.scalar(select(func.count()).select_from(admins)):
        raise Gone("invitation_gone", _GONE)
    actor = Actor(name, address)
    if found.admin_id is None:
        await add_admin(transaction, actor, name, password_hash, Role(found.role))
        return name
    admin = await find_admin_by_id(transaction, found.admin_id)
    if admin is None or admin.disabled_at is not None:
        raise Gone("invitation_gone", _GONE)
    await change_password(transaction, actor, name, password_hash)
    return name


async def withdraw_invitation(transaction: Transaction, actor: Actor, username: str) -> None:
    is_invitation = (invitations.c.username_key == name_key(username)) & invitations.c.admin_id.is_(None)
    if await transaction.execute(delete(invitations).where(is_invitation)):
        before = {"username": username}
        await record(transaction, actor, AdminVerb.INVITATION_WITHDRAWN, _subject(username), before=before)


def _subject(username: str) -> str:
    """There is no id yet. A name may be longer than the log's column; the row has all of it elsewhere."""
    return username[:LONGEST_SUBJECT]
