"""Writing the log. Call `record` inside the transaction of the change it tells of."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, insert

from countinghouse.audit.tables import audit_log
from countinghouse.core.times import now


class Verb(StrEnum):
    """The closed list of what can happen here; a word once used keeps its meaning for ever."""

    ADMIN_ADDED = "admin.added"
    ADMIN_PASSWORD_CHANGED = "admin.password_changed"  # noqa: S105 - the name of an event, not a password
    ADMIN_DISABLED = "admin.disabled"
    ADMIN_ENABLED = "admin.enabled"
    SESSION_OPENED = "session.opened"
    SESSION_ENDED = "session.ended"
    CLAIM_MOVED = "claim.moved"
    QR_UPLOADED = "qr.uploaded"
    QR_STATUS_CHANGED = "qr.status_changed"
    QR_DELETED = "qr.deleted"
    DEMO_FILLED = "demo.filled"


@dataclass(frozen=True, slots=True)
class Actor:
    """An admin's user name, `tokenless@ADDRESS`, or `command` for the command line."""

    name: str
    address: str | None = None


COMMAND = Actor("command")


def record(
    connection: Connection,
    actor: Actor,
    verb: Verb,
    subject_id: str,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    connection.execute(
        insert(audit_log).values(
            at=now(),
            actor=actor.name,
            address=actor.address,
            verb=verb,
            subject_id=subject_id,
            before=before,
            after=after,
        )
    )
