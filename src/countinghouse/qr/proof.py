"""What the audit log says about QR codes: what each pays, its pictures, who has decided what about it."""

import json
from collections.abc import Callable
from hashlib import sha256

from sqlalchemy import func, select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images

_FACTS = ("status", "name", "upiId")
# What was read, in a row that tells the findings. A display request names as payee the address that the drawn code
# pays, in its normalised spelling.
_READING = ("payee", "fixedAmount", "findings")
# Of the upload, of the picture that customers get, and of the text that was read. None of them ever changes.
_HASHES = ("imageSha256", "drawnSha256", "textSha256")
_NO_REQUEST: State = {"requestedBy": None, "replaces": None}
_NOT_CONFIRMED: State = {"confirmed": False, "confirmedBy": None, "confirmReason": None}


def _logged_state(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    after, qr_id = details_of(row), row["subject_id"]
    known: State = {}
    if row["verb"] == "qr.uploaded":
        known = {"status": "hide", "deleted": False, "uploadedBy": row["actor"], "displays": 0}
        known |= _NO_REQUEST | _NOT_CONFIRMED
        # Only codes from before the desk drew codes have a second address of their picture.
        known |= {"formerKey": None} if {"textSha256", "drawnSha256"} & after.keys() else {}
    else:
        known = before(qr_id)
    # A later row repeats what is stored by then. Only the first tells what was checked.
    hashes = {name: after[name] for name in _HASHES if name in after}
    names = (*_FACTS, *_READING) if "findings" in after else _FACTS
    state = hashes | known | {name: after[name] for name in names if name in after}
    match row["verb"]:
        case "qr.confirmed":
            state |= {"confirmed": True, "confirmedBy": row["actor"], "confirmReason": after.get("reason")}
        case "qr.display_requested":
            state |= _NO_REQUEST | {"requestedBy": row["actor"]} | _chosen(after)
        case "qr.display_withdrawn":
            state |= _NO_REQUEST
        case "qr.deleted":
            state |= _NO_REQUEST | {"status": "hide", "deleted": True}
        case "qr.status_changed" if state.get("status") == "display":
            state |= _NO_REQUEST
            if isinstance(displays := known.get("displays"), int):
                state["displays"] = displays + 1
    return qr_id, _with_clearance(row, state)


def _chosen(after: State) -> State:
    """Which code goes off display. A row of an earlier release names it without its id."""
    replaced = after.get("replaces")
    return {"replaces": replaced.get("_id", ...)} if isinstance(replaced, dict) else {}


def _with_clearance(row: AuditRow, state: State) -> State:
    """Whether it may be displayed: without findings, after a confirmation, or because it already is."""
    needs_none = None
    if "findings" in state:
        needs_none = not state["findings"] or state.get("confirmed") is True
    match row["verb"]:
        case "qr.uploaded":
            state["isCleared"] = needs_none
        case "qr.confirmed":
            state["isCleared"] = True
        case "qr.status_changed":
            state["isCleared"] = state.get("status") == "display" or needs_none
        case "qr.read":
            state["isCleared"] = state.get("status") == "display" or (needs_none and "drawnSha256" in state)
    return {name: value for name, value in state.items() if value is not ... and (name, value) != ("isCleared", None)}


def _hash(content: bytes | str | None) -> str | None:
    """SQLite stores text and bytes in any column."""
    if content is None:
        return None
    return sha256(content.encode(errors="surrogatepass") if isinstance(content, str) else content).hexdigest()


def _findings(stored: str | None) -> object:
    """As the log has them; altered ones may be any text."""
    try:
        return None if stored is None else json.loads(stored or "[]")
    except (ValueError, TypeError, RecursionError):
        return stored


_uploaded, _drawn = qr_images.alias("uploaded"), qr_images.alias("drawn")
# Under its own name: it makes known whom the code pays.
_displays = select(func.count()).where(qr_displays.c.qr_id == qr_codes.c.id, qr_displays.c.name == qr_codes.c.name)

QR_KIND = Kind(
    "QR code",
    "qr",
    _logged_state,
    select(
        *(column for column in qr_codes.c if column.name not in ("created_at", "number")),
        _uploaded.c.content.label("uploaded"),
        _drawn.c.content.label("drawn"),
        _displays.scalar_subquery().label("displays"),
    ).select_from(
        qr_codes.outerjoin(_uploaded, qr_codes.c.upload_key == _uploaded.c.key).outerjoin(
            _drawn, qr_codes.c.image_key == _drawn.c.key
        )
    ),
    qr_codes.c.id,
    lambda row: {
        "status": row.status,
        "name": row.name,
        "upiId": row.upi_id,
        "payee": row.payee,
        "fixedAmount": row.fixed_amount,
        "findings": _findings(row.findings),
        "isCleared": row.is_cleared,
        "deleted": row.deleted_at is not None,
        "uploadedBy": row.uploaded_by,
        "confirmed": row.confirmed_at is not None,
        "confirmedBy": row.confirmed_by,
        "confirmReason": row.confirm_reason,
        "requestedBy": row.display_requested_by,
        "replaces": row.display_replaces,
        "displays": row.displays,
        "formerKey": row.former_key,
        # Of the pictures themselves: the stored hash could have been replaced with them.
        "imageSha256": _hash(row.uploaded),
        "drawnSha256": _hash(row.drawn),
        "textSha256": _hash(row.payload),
    },
    # Each with two pictures of up to 5 MB.
    portion=10,
)
