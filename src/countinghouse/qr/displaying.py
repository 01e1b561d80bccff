"""Who may display a code: an address that customers have never seen needs two admins."""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row, select

from countinghouse.core.db import Reader
from countinghouse.core.inputs import name_key
from countinghouse.policy.queries import read_policy
from countinghouse.qr.addresses import is_typable, shown
from countinghouse.qr.confirming import Viewer, find_viewer
from countinghouse.qr.tables import qr_codes, qr_displays

# What the Display button does for this admin.
DisplayBy = Literal["now", "request", "approve", "wait"]


@dataclass(frozen=True, slots=True)
class DisplayRules:
    """Everything that decides about a display, read at one moment."""

    viewer: Viewer
    is_rule_on: bool
    # The addresses of every code that was ever displayed, including deleted ones.
    known: frozenset[str]

    def needs_second_admin(self, code: Row[Any]) -> bool:
        return self.is_rule_on and len(self.viewer.enabled) > 1 and not addresses_of(code) <= self.known


_EVER_DISPLAYED = select(qr_codes.c.payee, qr_codes.c.upi_id).where(
    qr_codes.c.id.in_(select(qr_displays.c.qr_id).distinct())
)


async def read_display_rules(reader: Reader, name: str, *, for_change: bool = False) -> DisplayRules:
    viewer = await find_viewer(reader, name, for_change=for_change)
    is_rule_on = (await read_policy(reader)).new_payee_needs_second_admin
    known = frozenset(address for code in await reader.rows(_EVER_DISPLAYED) for address in addresses_of(code))
    return DisplayRules(viewer, is_rule_on, known)


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
