"""Standard Webhooks 1.0: secrets, and the headers that sign a message."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

SECRET_PREFIX = "whsec_"  # noqa: S105 - the part that every secret begins with
SECRET_BYTES = 32


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(valid_secrets: Sequence[str], event_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """One signature for each secret: a receiver accepts the message if it knows any of them."""
    timestamp = str(int(at.timestamp()))
    signed = b".".join((event_id.encode(), timestamp.encode(), body))
    return {
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in valid_secrets),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
