"""Cursors of those who see masked numbers. A cursor holds what the list is sorted by, such as a name with a number in
it; so that nobody reads it there, it is sealed with the caller's token, and only this session can go on with it."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from starlette.requests import Request

from countinghouse.core.listing.cursors import wrong_cursor


def seal_cursor(request: Request, cursor: str) -> str:
    return _seal(request).encrypt(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))).decode()


def open_cursor(request: Request, sealed: str) -> str:
    try:
        return base64.urlsafe_b64encode(_seal(request).decrypt(sealed)).decode().rstrip("=")
    except (InvalidToken, ValueError) as error:
        raise wrong_cursor() from error


def _seal(request: Request) -> Fernet:
    key = hashlib.sha256(b"cursors of " + request.headers["authorization"].encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
