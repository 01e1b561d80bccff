"""Who may say that a code is right although something was found: a second person, or one who has read its address."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from countinghouse.admins.queries import list_admins, username_key
from countinghouse.qr.addresses import is_typable
from countinghouse.qr.findings import Reading, why

ConfirmBy = Literal["second", "retype"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """The one who asks, among the admins there are. Whoever comes without a token is none of them."""

    key: str
    admins: frozenset[str]
    enabled: frozenset[str]

    def is_alone(self) -> bool:
        return self.enabled == {self.key}


def find_viewer(connection: Connection, name: str) -> Viewer:
    every = list_admins(connection)
    enabled = frozenset(admin.username_key for admin in every if admin.disabled_at is None)
    return Viewer(username_key(name), frozenset(admin.username_key for admin in every), enabled)


def how_to_confirm(viewer: Viewer, uploaded_by: str | None, reading: Reading | None) -> ConfirmBy | None:
    """None where this one may not, or has nothing to go by yet."""
    if viewer.key not in viewer.enabled or reading is None:
        return None
    uploader = None if uploaded_by is None else username_key(uploaded_by)
    if uploader in viewer.admins and uploader != viewer.key:
        return "second"
    if uploader == viewer.key and not viewer.is_alone():
        return None
    # Nobody else has looked at it, so this one has to look twice.
    return "retype" if _can_be_retyped(reading) else None


def _can_be_retyped(reading: Reading) -> bool:
    """Letters that only look like those on the keyboard cannot be typed: such a code needs a second person."""
    return reading.payee is None or is_typable(reading.payee)


def say_why_not(viewer: Viewer, uploaded_by: str | None, reading: Reading | None, upi_id: str) -> str:
    if reading is None:
        return "Display waits until the server has read this picture."
    match how_to_confirm(viewer, uploaded_by, reading):
        case "retype":
            waits_for = "your confirmation, with its address typed once more"
        case None if viewer.key not in viewer.admins or viewer.is_alone():
            waits_for = "an admin to confirm it"
        case _:
            waits_for = "a second admin"
    return f"Display waits for {waits_for}: {why(reading, upi_id)}"


def say_what_follows(viewer: Viewer, reading: Reading) -> str:
    """For who is about to upload it; empty where it can be displayed at once."""
    if not reading.findings:
        return ""
    if how_to_confirm(viewer, viewer.key, reading) == "retype" and viewer.is_alone():
        who = "you have confirmed it and typed its address once more"
    else:
        who = f"{'a second' if viewer.key in viewer.admins else 'an'} admin has confirmed it"
    return f"It will be stored, but can only be displayed after {who}."
