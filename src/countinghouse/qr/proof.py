"""What the audit log says about QR codes: whether they are displayed or deleted, and whom they pay."""

from collections.abc import Callable

from sqlalchemy import select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.qr.tables import qr_codes

_FACTS = ("status", "upiId", "payee")


def _told(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    after, qr_id = details_of(row), row["subject_id"]
    match row["verb"]:
        case "qr.uploaded":
            state: State = {"status": "hide", "deleted": False}
        case "qr.deleted":
            return qr_id, before(qr_id) | {"status": "hide", "deleted": True}
        case _:
            state = before(qr_id)
    # The payee that a display request names is the one that the drawn code pays, in its normalised spelling.
    facts = [name for name in _FACTS if name in after and not (name == "payee" and "findings" not in after)]
    return qr_id, state | {name: after[name] for name in facts}


QR_KIND = Kind(
    "QR code",
    "qr",
    _told,
    select(qr_codes.c.id, qr_codes.c.status, qr_codes.c.upi_id, qr_codes.c.payee, qr_codes.c.deleted_at),
    qr_codes.c.id,
    lambda row: {
        "status": row.status,
        "upiId": row.upi_id,
        "payee": row.payee,
        "deleted": row.deleted_at is not None,
    },
)
