"""Who may confirm a code despite its findings: a second admin, or a single admin who retypes its address."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select

from countinghouse.admins.tables import admins
from countinghouse.core.db import Reader
from countinghouse.core.inputs import name_key
from countinghouse.qr.addresses import is_typable
from countinghouse.qr.findings import Reading, why

ConfirmBy = Literal["second", "retype"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """The sender of the request, and all admins. A client without a token is not one of the admins."""

    key: str
    admins: frozenset[str]
    enabled: frozenset[str]

    def is_alone(self) -> bool:
        return self.enabled == {self.key}


_ADMINS = select(admins.c.username_key, admins.c.disabled_at).order_by(admins.c.username_key)
# SQLite has no row locks and needs none: it allows one writer at a time.
_LOCK_ADMINS = _ADMINS.with_for_update(read=True)


async def find_viewer(reader: Reader, name: str, *, for_change: bool = False) -> Viewer:
    """With `for_change`, nobody can be enabled or disabled until the transaction ends."""
    all_admins = await reader.rows(_LOCK_ADMINS if for_change else _ADMINS)
    enabled = frozenset(admin.username_key for admin in all_admins if admin.disabled_at is None)
    return Viewer(name_key(name), frozenset(admin.username_key for admin in all_admins), enabled)


def how_to_confirm(viewer: Viewer, uploaded_by: str | None, reading: Reading | None) -> ConfirmBy | None:
    """None if this viewer may not confirm the code, or has nothing to base a confirmation on."""
    if viewer.key not in viewer.enabled or reading is None or reading.is_beyond_confirming:
        return None
    if is_second(viewer, viewer.key, uploaded_by):
        return "second"
    if uploaded_by is not None and name_key(uploaded_by) == viewer.key and not viewer.is_alone():
        return None
    # Nobody else has looked at the code, so this admin has to read it a second time. Letters that only look like those
    # on the keyboard cannot be typed; such a code needs a second admin.
    return "retype" if reading.payee is None or is_typable(reading.payee) else None


def is_second(viewer: Viewer, key: str, uploaded_by: str | None) -> bool:
    """Whether another admin uploaded the code."""
    uploader = None if uploaded_by is None else name_key(uploaded_by)
    return uploader in viewer.admins and uploader != key


def say_why_not(viewer: Viewer, uploaded_by: str | None, reading: Reading | None, upi_id: str) -> str:
    if reading is None:
        return "Display waits until the server has read this picture. Restart the server to have it read."
    if reading.is_beyond_confirming:
        return f"This code cannot be displayed: {why(reading, upi_id)} Upload a picture with one plain code."
    match how_to_confirm(viewer, uploaded_by, reading):
        case "retype":
            waits_for = "your confirmation, with its address typed once more"
        case None if viewer.key not in viewer.admins or viewer.is_alone():
            waits_for = "an admin to confirm it"
        case _:
            waits_for = "a second admin"
    return f"Display waits for {waits_for}: {why(reading, upi_id)}"


def say_what_follows(viewer: Viewer, reading: Reading) -> str:
    """Shown before an upload; empty if the code needs no confirmation."""
    if not reading.findings:
        return ""
    if reading.is_beyond_confirming:
        return "It will be stored, but can never be displayed. Upload a picture with one plain code."
    if how_to_confirm(viewer, viewer.key, reading) == "retype" and viewer.is_alone():
        who = "you have confirmed it and typed its address once more"
    else:
        who = f"{'a second' if viewer.key in viewer.admins else 'an'} admin has confirmed it"
    return f"It will be stored, but can only be displayed after {who}."
