"""Who may confirm a code despite its findings, and who may display one: the rules for two persons.

A second admin confirms, or a single admin who retypes the address. An address that customers have never seen needs two
admins to display it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row, select

from countinghouse.admins.tables import admins
from countinghouse.core.db import Reader
from countinghouse.core.inputs import name_key
from countinghouse.policy.queries import read_policy
from countinghouse.qr.addresses import is_typable, shown
from countinghouse.qr.findings import Reading, why
from countinghouse.qr.payloads import payment_link
from countinghouse.qr.resource import DISPLAY
from countinghouse.qr.tables import qr_codes, qr_displays

ConfirmBy = Literal["second", "retype"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """The sender of the request, all admins, and those who may display a code now. A client without a token is none."""

    key: str
    # User names by their keys.
    admins: Mapping[str, str]
    enabled: frozenset[str]

    def is_alone(self) -> bool:
        return self.enabled == {self.key}


_ADMINS = select(admins.c.username_key, admins.c.username, admins.c.role, admins.c.disabled_at).order_by(
    admins.c.username_key
)
# SQLite has no row locks and needs none: it allows one writer at a time.
_LOCK_ADMINS = _ADMINS.with_for_update(read=True)


async def find_viewer(reader: Reader, name: str, *, for_change: bool = False) -> Viewer:
    """With `for_change`, nobody can be enabled or disabled until the transaction ends."""
    all_admins = await reader.rows(_LOCK_ADMINS if for_change else _ADMINS)
    enabled = frozenset(
        admin.username_key for admin in all_admins if admin.disabled_at is None and admin.role in DISPLAY.roles
    )
    return Viewer(name_key(name), {admin.username_key: admin.username for admin in all_admins}, enabled)


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


def text_when_confirmed(code: Row[Any], reading: Reading, confirm_by: ConfirmBy) -> str:
    """The text to draw if the picture contains no valid payment.

    One admin alone never decides what an odd text means, and a picture that our reader cannot read may contain anything
    for another reader. In these cases customers get a code made from the typed address.
    """
    if confirm_by == "retype" or reading.payload is None:
        return payment_link(code.upi_id, code.name)
    return reading.payload


def say_what_is_needed(viewer: Viewer, uploaded_by: str | None, reading: Reading | None) -> str:
    """What has to happen before a code with findings can be displayed. The findings say why."""
    if reading is None:
        return "The server has not read this picture yet. Restart the server to have it read."
    if reading.is_beyond_confirming:
        return "This code cannot be displayed."
    match how_to_confirm(viewer, uploaded_by, reading):
        case "retype":
            return "Needs your confirmation: retype its address."
        case None if viewer.key not in viewer.admins or viewer.is_alone():
            return "Needs an admin's confirmation."
        case _:
            return "Needs a second admin's approval."


def say_why_not(viewer: Viewer, uploaded_by: str | None, reading: Reading | None, upi_id: str) -> str:
    """The same with the reasons, for an answer that stands alone."""
    needed = say_what_is_needed(viewer, uploaded_by, reading)
    if reading is None:
        return needed
    reasons = why(reading, upi_id)
    advice = " Upload a picture with one plain code." if reading.is_beyond_confirming else ""
    return f"{needed} {reasons[0].upper()}{reasons[1:]}{advice}"


def say_what_follows(viewer: Viewer, reading: Reading) -> str:
    """Shown before an upload; empty if the code needs no confirmation."""
    if not reading.findings:
        return ""
    if reading.is_beyond_confirming:
        return "It will be stored, but can never be displayed. Upload a picture with one plain code."
    if how_to_confirm(viewer, viewer.key, reading) == "retype" and viewer.is_alone():
        who = "you have confirmed it and retyped its address"
    else:
        who = f"{'a second' if viewer.key in viewer.admins else 'an'} admin has confirmed it"
    return f"It will be stored, but can only be displayed after {who}."


# What the Display button does for this admin.
DisplayBy = Literal["now", "request", "approve", "wait"]


@dataclass(frozen=True, slots=True)
class DisplayRules:
    """Everything that decides about a display, read at one moment."""

    viewer: Viewer
    is_rule_on: bool
    # The addresses of every code that was ever displayed, including deleted ones.
    known: frozenset[str]
    # Those codes.
    displayed: tuple[Row[Any], ...]

    def needs_second_admin(self, code: Row[Any]) -> bool:
        return self.is_rule_on and len(self.viewer.enabled) > 1 and not addresses_of(code) <= self.known


_EVER_DISPLAYED = select(qr_codes.c.id, qr_codes.c.name, qr_codes.c.payee, qr_codes.c.upi_id).where(
    qr_codes.c.id.in_(select(qr_displays.c.qr_id).distinct())
)


async def read_display_rules(reader: Reader, name: str, *, for_change: bool = False) -> DisplayRules:
    viewer = await find_viewer(reader, name, for_change=for_change)
    is_rule_on = (await read_policy(reader)).new_payee_needs_second_admin
    displayed = tuple(await reader.rows(_EVER_DISPLAYED))
    known = frozenset(address for code in displayed for address in addresses_of(code))
    return DisplayRules(viewer, is_rule_on, known, displayed)


def drawn_address(code: Row[Any]) -> str:
    """The address that a scan pays. If no payee was read, the code is drawn from the UPI ID or was confirmed for it."""
    return str(code.payee or code.upi_id)


def addresses_of(code: Row[Any]) -> frozenset[str]:
    """Every address of a code that customers see: the one that a scan pays, and the UPI ID written beside it."""
    return frozenset(map(address_key, (drawn_address(code), code.upi_id)))


def address_key(address: str) -> str:
    """Case does not matter, unless an address has letters that are not on a keyboard."""
    return address.lower() if is_typable(address) else address


def find_requester(rules: DisplayRules, code: Row[Any]) -> str | None:
    """Who asked to display it. The request of an admin who has been disabled since does not count."""
    asked = code.display_requested_by
    return asked if asked is not None and name_key(asked) in rules.viewer.enabled else None


def find_known(rules: DisplayRules, code: Row[Any]) -> list[Row[Any]]:
    """The other codes that made an address of this one known; none if no rule asks for that."""
    if not rules.is_rule_on or len(rules.viewer.enabled) <= 1:
        return []
    addresses = addresses_of(code)
    return [other for other in rules.displayed if other.id != code.id and addresses_of(other) & addresses]


def what_display_does(rules: DisplayRules, code: Row[Any]) -> DisplayBy | None:
    """None if it is displayed already, or if this viewer cannot display it."""
    if code.status == "display" or not code.is_cleared or code.image_key is None:
        return None
    if not rules.needs_second_admin(code):
        return "now"
    if rules.viewer.key not in rules.viewer.enabled:
        return None
    requester = find_requester(rules, code)
    if requester is None:
        return "request"
    return "wait" if name_key(requester) == rules.viewer.key else "approve"


def find_approvers(rules: DisplayRules, code: Row[Any]) -> list[str]:
    """Who can approve the display that this viewer asks for, or has asked for."""
    if what_display_does(rules, code) not in ("request", "wait"):
        return []
    others = rules.viewer.enabled - {rules.viewer.key}
    return [name for key, name in rules.viewer.admins.items() if key in others]


def say_display(rules: DisplayRules, code: Row[Any]) -> str:
    """What the Display button does; empty if it displays at once, or if the confirmation note says why it cannot."""
    pays = shown(drawn_address(code))
    match what_display_does(rules, code):
        case "request":
            return f"{pays} was never on display before. Display asks a second admin to approve it."
        case "approve":
            requester = find_requester(rules, code)
            return f"{requester} asked to display a new payee. Check {pays} with your bank; Display approves it."
        case "wait":
            return f"You asked to display this code. It waits for a second admin: {pays} was never on display before."
        case None if code.status == "hide" and code.is_cleared and rules.needs_second_admin(code):
            return say_admins_only(code)
        case _:
            return ""


def say_admins_only(code: Row[Any]) -> str:
    return (
        f"{shown(drawn_address(code))} was never on display before, so two admins have to display this code. "
        "Ask them to log in and do so."
    )
