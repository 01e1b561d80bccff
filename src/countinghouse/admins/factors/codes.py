"""Codes of authenticator apps (TOTP, RFC 6238) and recovery codes. Pure functions."""

import re
import secrets
from hmac import compare_digest
from io import BytesIO

import pyotp
import segno

from countinghouse.core.secrets import hash_secret

STEP_SECONDS = 30
# A phone's clock may be off by as many steps, in both directions.
DRIFT_STEPS = 1
ISSUER = "Countinghouse"

RECOVERY_CODES = 10
# Without letters and digits that look alike. Sixteen of them are eighty bits.
_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_RECOVERY = re.compile(f"[{_ALPHABET}]{{16}}")


def new_secret() -> str:
    return pyotp.random_base32()


def app_link(secret: str, username: str) -> str:
    """What the QR code says to the authenticator app."""
    return pyotp.TOTP(secret).provisioning_uri(name=username, issuer_name=ISSUER)


def draw(link: str) -> str:
    """The link as a QR code, as SVG."""
    drawn = BytesIO()
    segno.make_qr(link, error="m").save(drawn, kind="svg", scale=5, border=4, light="#fff", xmldecl=False, nl=False)
    return drawn.getvalue().decode()


def step_at(moment: float) -> int:
    return int(moment // STEP_SECONDS)


def find_step(secret: str, code: str, moment: float) -> int | None:
    """The time step that the code belongs to, if it is a current one."""
    totp, current = pyotp.TOTP(secret), step_at(moment)
    steps = range(current - DRIFT_STEPS, current + DRIFT_STEPS + 1)
    return next((step for step in steps if compare_digest(totp.at(step * STEP_SECONDS), code)), None)


def new_recovery_codes() -> list[str]:
    """Each as four groups of four, for typing."""
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(16)) for _ in range(RECOVERY_CODES)]
    return ["-".join(code[place : place + 4] for place in range(0, 16, 4)) for code in codes]


def recovery_hash(typed: str) -> bytes | None:
    """The hash of a recovery code, however it was grouped; None if it cannot be one."""
    code = re.sub(r"[\s-]", "", typed).lower()
    return hash_secret(code) if _RECOVERY.fullmatch(code) else None


def app_code(typed: str) -> str | None:
    """Six digits, also if they were typed with a space; None if it cannot be the code of an app."""
    code = typed.replace(" ", "")
    return code if len(code) == 6 and code.isascii() and code.isdigit() else None
