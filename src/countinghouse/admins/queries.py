"""Reading admins and their sessions."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any

import structlog
from pydantic import AfterValidator, Field
from sqlalchemy import Connection, Row, bindparam, select, update
from sqlalchemy.exc import OperationalError

from countinghouse.admins.tables import admins, known_devices, sessions
from countinghouse.core.database import Database
from countinghouse.core.errors import NotFound, NotSignedIn
from countinghouse.core.inputs import PlainText
from countinghouse.core.times import now
from countinghouse.settings import Settings

log = structlog.get_logger()

# Idle time is measured no finer than this, so that reading a table does not write on every call.
LAST_SEEN_EVERY = timedelta(minutes=1)

# token_urlsafe(32) makes 43; what is longer is no token of ours and is not worth hashing.
LONGEST_TOKEN = 100
LONGEST_KEY = 200

# What the audit log calls those who are no admins; an admin of that name could hide among them.
_TAKEN_NAMES = re.compile(r"command|tokenless@.*")


def username_key(username: str) -> str:
    """The name as it is compared: "Asha" and "asha" are one person."""
    return unicodedata.normalize("NFKC", username).casefold()


def _can_be_kept(username: str) -> str:
    # Some characters become many when names are compared; the key has to fit its column.
    if len(username_key(username)) > LONGEST_KEY:
        raise ValueError("is too long; choose a shorter one.")
    return username


def _is_free(username: str) -> str:
    if _TAKEN_NAMES.fullmatch(username_key(username)):
        raise ValueError("is a name that the audit log uses itself; choose another one.")
    return username


Username = Annotated[PlainText, Field(min_length=1, max_length=100), AfterValidator(_can_be_kept)]
NewUsername = Annotated[Username, AfterValidator(_is_free)]


@dataclass(frozen=True, slots=True)
class Admin:
    id: str
    username: str


def hashed(token: str) -> bytes:
    return sha256(token.encode()).digest()


_BY_KEY = select(admins).where(admins.c.username_key == bindparam("key"))
_BY_TOKEN = (
    select(admins.c.id, admins.c.username, sessions.c.last_seen_at, sessions.c.expires_at)
    .join_from(sessions, admins)
    .where(
        sessions.c.token_hash == bindparam("token_hash"),
        sessions.c.ended_at.is_(None),
        admins.c.disabled_at.is_(None),
    )
)
_DEVICE = select(known_devices.c.admin_id).where(known_devices.c.mark_hash == bindparam("mark_hash"))
_TOUCH = (
    update(sessions)
    .where(sessions.c.token_hash == bindparam("of"), sessions.c.last_seen_at < bindparam("seen_at"))
    .values(last_seen_at=bindparam("seen_at"))
)


def find_admin(connection: Connection, username: str) -> Row[Any] | None:
    return connection.execute(_BY_KEY, {"key": username_key(username)}).first()


def get_admin(connection: Connection, username: str) -> Row[Any]:
    found = find_admin(connection, username)
    if found is None:
        raise NotFound("admin_not_found", f"There is no admin named {username}.")
    return found


def list_admins(connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(select(admins).order_by(admins.c.username_key)))


def is_known_device(connection: Connection, mark: str, admin_id: str) -> bool:
    return connection.execute(_DEVICE, {"mark_hash": hashed(mark)}).scalar() == admin_id


def get_admin_by_token(database: Database, settings: Settings, token: str) -> Admin:
    """Whose session this is; ends with NotSignedIn for a token that is unknown, revoked, idle too long or too old."""
    ended = NotSignedIn("session_ended", "Your session has ended. Please log in again.")
    if len(token) > LONGEST_TOKEN or not token.isascii():
        raise ended
    token_hash = hashed(token)
    with database.reading() as connection:
        session = connection.execute(_BY_TOKEN, {"token_hash": token_hash}).first()
    at = now()
    if session is None:
        raise ended
    idle_at = session.last_seen_at + timedelta(minutes=settings.session_idle_minutes)
    if at >= min(idle_at, session.expires_at):
        raise ended
    if at - session.last_seen_at >= LAST_SEEN_EVERY:
        _touch(database, token_hash, at)
    return Admin(session.id, session.username)


def _touch(database: Database, token_hash: bytes, at: datetime) -> None:
    try:
        with database.writing() as connection:
            connection.execute(_TOUCH, {"of": token_hash, "seen_at": at})
    except OperationalError:
        # Another writer is in the way. Reading must not fail for that; the next call writes it.
        log.warning("last_seen_not_written")
