"""Which event a change is. Pure functions; the outbox holds what they are given."""

from typing import Any, Literal, get_args

import msgspec

EventType = Literal[
    "claim.accepted",
    "claim.paid",
    "claim.rejected",
    "claim.held",
    "claim.released",
    "claim.returned",
    "qr.displayed",
    "qr.hidden",
    "purchase.flagged",
    "purchase.confirmed",
    "audit.checkpoint",
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
# The changes that this version understands. Those of a newer version, which uses the same database during an upgrade,
# stay in the outbox for it.
VERBS = (
    "claim.moved",
    "qr.status_changed",
    "qr.deleted",
    "purchase.checked",
    "purchase.confirmed",
    "audit.checkpoint",
)
# Sent only when an admin asks for it, to any endpoint.
TEST_EVENT = "webhook.test"

_OF_CLAIM: dict[str, EventType] = {
    "Accepted": "claim.accepted",
    "Paid": "claim.paid",
    "Rejected": "claim.rejected",
    "On hold": "claim.held",
    # Released from hold, or its acceptance was undone: either way it is pending again.
    "Pending": "claim.released",
    "Returned": "claim.returned",
}
_OF_QR: dict[str, EventType] = {"display": "qr.displayed", "hide": "qr.hidden"}

Facts = dict[str, Any]


def find_event(verb: str, before: str | None, after: str | None) -> tuple[EventType, Facts] | None:
    """The type of the event and the part of its data that the change itself tells; None for a change that is none."""
    was, became = _decoded(before), _decoded(after)
    match verb:
        case "claim.moved":
            return _OF_CLAIM[became["status"]], {"status": became["status"], "version": became["version"]}
        case "qr.status_changed":
            return _OF_QR[became["status"]], {"status": became["status"]}
        case "qr.deleted" if was["status"] == "display":
            return "qr.hidden", {"status": "hide"}
        case "purchase.checked":
            codes = [finding["code"] for finding in became or ()]
            earlier = {finding["code"] for finding in was or ()}
            return ("purchase.flagged", {"findings": codes}) if set(codes) - earlier else None
        case "purchase.confirmed":
            return "purchase.confirmed", {"findings": became["findings"]}
        case "audit.checkpoint":
            return "audit.checkpoint", became
    return None


def _decoded(stored: str | None) -> Any:
    return msgspec.json.decode(stored) if stored else None
