"""The history of each code, including deleted ones, and when it was on display."""

from typing import Annotated, Any

from sqlalchemy import Row, select
from typing_extensions import TypedDict

from countinghouse.audit.tables import audit_log
from countinghouse.core.db import Reader
from countinghouse.core.examples import Example, described
from countinghouse.core.ids import is_id
from countinghouse.core.masking import Plain, Reference
from countinghouse.core.times import iso
from countinghouse.qr.addresses import shown
from countinghouse.qr.findings import Reading, why
from countinghouse.qr.queries import QrStatus, image_address
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes, qr_displays

MOST_EVENTS = 200

# `from` is a Python keyword, so the class syntax cannot declare it.
ShownTimes = TypedDict("ShownTimes", {"from": str, "to": str | None})


@described
class QrPast(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000004")]
    name: Annotated[str, Example("Desk 1")]
    upiId: Annotated[Reference, Example("desk1@okbank")]
    status: Annotated[QrStatus, Example("hide")]
    deletedAt: Annotated[str | None, Example(None)]
    # Null for a deleted code, whose picture is no longer served.
    qrImage: Annotated[Plain | None, Example("https://desk.example.in/qr-images/vX0c9lYt2mZr8KqB4nHs5w.png")]
    shown: Annotated[
        list[ShownTimes], Example([{"from": "2026-11-01T04:00:00.000Z", "to": "2026-11-14T15:30:00.000Z"}])
    ]


@described
class QrEvent(TypedDict):
    seq: Annotated[int, Example(4711)]
    at: Annotated[str, Example("2026-11-01T04:00:00.000Z")]
    by: Annotated[str, Example("asha")]
    verb: Annotated[str, Example("qr.status_changed")]
    qr: Annotated[str, Example("6917e2f4a1b2c3d4e5000004")]
    name: Annotated[str, Example("Desk 1")]
    sentence: Annotated[str, Example("asha put Desk 1 (desk1@okbank) on display.")]


@described
class QrHistory(TypedDict):
    codes: list[QrPast]
    events: list[QrEvent]
    # The value of `before` for the next page of older events; null on the last page.
    next: Annotated[int | None, Example(None)]


async def read_history(reader: Reader, public_url: str, qr_id: str | None, before: int | None, limit: int) -> QrHistory:
    chosen = select(qr_codes).order_by(qr_codes.c.created_at.desc(), qr_codes.c.id.desc())
    if qr_id is not None:
        chosen = chosen.where(qr_codes.c.id == qr_id)
    codes = await reader.rows(chosen) if qr_id is None or is_id(qr_id) else []
    names = {code.id: code.name for code in codes}
    # Filters by the ids of the few codes instead of reading the whole log.
    events = select(audit_log).where(audit_log.c.subject_id.in_(names)).order_by(audit_log.c.seq.desc())
    if before is not None:
        events = events.where(audit_log.c.seq < before)
    rows = await reader.rows(events.limit(limit + 1))
    return {
        "codes": await _to_past(reader, codes, public_url),
        "events": [_to_event(row, names[row.subject_id]) for row in rows[:limit]],
        "next": rows[limit - 1].seq if len(rows) > limit else None,
    }


async def _to_past(reader: Reader, codes: list[Row[Any]], public_url: str) -> list[QrPast]:
    times: dict[str, list[ShownTimes]] = {code.id: [] for code in codes}
    displays = select(qr_displays).order_by(qr_displays.c.shown_at.desc(), qr_displays.c.id.desc())
    for row in await reader.rows(displays.where(qr_displays.c.qr_id.in_(times))):
        hidden_at = iso(row.hidden_at) if row.hidden_at else None
        times[row.qr_id].append({"from": iso(row.shown_at), "to": hidden_at})
    return [
        {
            "_id": code.id,
            "name": code.name,
            "upiId": code.upi_id,
            "status": code.status,
            "deletedAt": iso(code.deleted_at) if code.deleted_at else None,
            "qrImage": None if code.deleted_at else image_address(public_url, code.image_key or code.upload_key),
            "shown": times[code.id],
        }
        for code in codes
    ]


def _to_event(row: Row[Any], name: str) -> QrEvent:
    return {
        "seq": row.seq,
        "at": iso(row.at),
        "by": row.actor,
        "verb": row.verb,
        "qr": row.subject_id,
        "name": name,
        "sentence": _sentence(row, name),
    }


def _sentence(row: Row[Any], name: str) -> str:
    logged = {**(row.before or {}), **(row.after or {})}
    code = f"{name} ({logged['upiId']})" if "upiId" in logged else name
    found = _found(logged)
    match row.verb:
        case QrVerb.UPLOADED:
            return f"{row.actor} uploaded {code}{f': {found}' if found else '.'}"
        case QrVerb.READ:
            return f"The picture of {code} was read{f': {found}' if found else '.'}"
        case QrVerb.CONFIRMED:
            return f"{row.actor} confirmed {code}, although {found} Reason: {logged['reason']}"
        case QrVerb.DELETED:
            return f"{row.actor} deleted {code}."
        case QrVerb.DISPLAY_REQUESTED:
            pays = shown(logged["payee"])
            return f"{row.actor} asked to display {code}{_in_place_of(logged)}: {pays} was never on display before."
        case QrVerb.DISPLAY_WITHDRAWN if logged["requestedBy"] == row.actor:
            return f"{row.actor} withdrew the request to display {code}."
        case QrVerb.DISPLAY_WITHDRAWN:
            return f"{row.actor} declined {logged['requestedBy']}'s request to display {code}."
        case _ if logged.get("status") == "display":
            asked = f", as {logged['requestedBy']} had asked" if "requestedBy" in logged else ""
            return f"{row.actor} put {code} on display{_in_place_of(logged)}{asked}."
        case _ if "replacedBy" in logged:
            return f"{row.actor} took {code} off display and put {_named(logged['replacedBy'])} in its place."
        case _:
            return f"{row.actor} took {code} off display{f': {found}' if found else '.'}"


def _in_place_of(logged: dict[str, Any]) -> str:
    return f" in place of {_named(logged['replaces'])}" if "replaces" in logged else ""


def _named(code: dict[str, str]) -> str:
    return f"{code['name']} ({code['upiId']})"


def _found(logged: dict[str, Any]) -> str:
    """Empty for uploads from before pictures were read."""
    if not logged.get("findings"):
        return ""
    reading = Reading(tuple(logged["findings"]), logged.get("payee"), None, logged.get("fixedAmount"))
    return why(reading, logged["upiId"])
