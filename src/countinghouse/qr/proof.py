"""What the audit log says about QR codes: whether they are displayed or deleted, whom they pay, and their pictures."""

from collections.abc import Callable
from hashlib import sha256

from sqlalchemy import select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.qr.tables import qr_codes, qr_images

_FACTS = ("status", "upiId", "payee")
# Of the upload, of the picture that customers get, and of the text that was read. None of them ever changes.
_HASHES = ("imageSha256", "drawnSha256", "textSha256")


def _logged_state(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
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
    # A later row repeats what is stored by then. Only the first tells what was checked.
    hashes = {name: after[name] for name in _HASHES if name in after}
    return qr_id, hashes | state | {name: after[name] for name in facts}


def _hash(content: bytes | str | None) -> str | None:
    """SQLite stores text and bytes in any column."""
    if content is None:
        return None
    return sha256(content.encode(errors="surrogatepass") if isinstance(content, str) else content).hexdigest()


_uploaded, _drawn = qr_images.alias("uploaded"), qr_images.alias("drawn")

QR_KIND = Kind(
    "QR code",
    "qr",
    _logged_state,
    select(
        qr_codes.c.id,
        qr_codes.c.status,
        qr_codes.c.upi_id,
        qr_codes.c.payee,
        qr_codes.c.payload,
        qr_codes.c.deleted_at,
        _uploaded.c.content.label("uploaded"),
        _drawn.c.content.label("drawn"),
    ).select_from(
        qr_codes.outerjoin(_uploaded, qr_codes.c.upload_key == _uploaded.c.key).outerjoin(
            _drawn, qr_codes.c.image_key == _drawn.c.key
        )
    ),
    qr_codes.c.id,
    lambda row: {
        "status": row.status,
        "upiId": row.upi_id,
        "payee": row.payee,
        "deleted": row.deleted_at is not None,
        # Of the pictures themselves: the stored hash could have been replaced with them.
        "imageSha256": _hash(row.uploaded),
        "drawnSha256": _hash(row.drawn),
        "textSha256": _hash(row.payload),
    },
    # Each with two pictures of up to 5 MB.
    portion=10,
)
