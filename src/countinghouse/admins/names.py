"""What an admin may be called. A new name must look like no other: the audit log tells admins apart by their names."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field
from sqlalchemy import text

from countinghouse.core.db import Statement, Transaction
from countinghouse.core.inputs import PlainName, name_key

# Names that the audit log uses for actors that are not admins. An admin with such a name could hide among them.
_RESERVED = re.compile(r"command|imported|login|webhooks|unknown .*|tokenless@.*|key .*")
# Letters of other scripts, such as Cyrillic and Greek, can be mistaken for Latin ones.
_SCRIPTS = (
    "LATIN",
    "ARABIC",
    "BENGALI",
    "DEVANAGARI",
    "GUJARATI",
    "GURMUKHI",
    "KANNADA",
    "MALAYALAM",
    "ORIYA",
    "TAMIL",
    "TELUGU",
)


def _script_of(character: str) -> str | None:
    """None for what has no script, or takes that of the letter before it."""
    letter = unicodedata.normalize("NFD", character)[0]
    if letter.isascii():
        return "LATIN" if letter.isalpha() else None
    if unicodedata.category(letter) in ("Mn", "Mc", "Cf"):
        return None
    # The names of characters begin with their script. Latin letters beyond a to z include copies of those.
    script = unicodedata.name(letter, "").split(" ")[0]
    return script if letter.isalnum() and script != "LATIN" else "unknown"


def _checked_script(username: str) -> str:
    scripts = {_script_of(character) for character in name_key(username)} - {None}
    if len(scripts) > 1 or not scripts.issubset(_SCRIPTS):
        raise ValueError("can be mistaken for another name: use Latin letters only, or those of one script of India.")
    return username


def _checked_as_part_of_a_path(username: str) -> str:
    """An invitation is withdrawn by an address that ends in its name, and clients remove these from an address."""
    if username in (".", "..") or "/" in username or "\\" in username:
        raise ValueError("must not contain a slash, and must not be only dots.")
    return username


def _checked_against_reserved(username: str) -> str:
    if _RESERVED.fullmatch(name_key(username)):
        raise ValueError("is reserved for the audit log; choose another one.")
    return username


Username = Annotated[PlainName, Field(min_length=1, max_length=100)]
# Shorter: until an invitation is accepted, the audit log has the name for its subject.
NewUsername = Annotated[
    PlainName,
    Field(min_length=1, max_length=64),
    AfterValidator(_checked_script),
    AfterValidator(_checked_as_part_of_a_path),
    AfterValidator(_checked_against_reserved),
]

_ADD_SALT = Statement(text("INSERT INTO login_salt (salt) VALUES (:salt)"))
# Earlier releases made two of them, if two processes made the first one at the same time.
_SALT = Statement(text("SELECT salt FROM login_salt ORDER BY salt LIMIT 1"))


async def hashed_name(transaction: Transaction, username_key: str) -> str:
    """A keyed hash of a name that was typed at a login, which may be a password in the wrong field."""
    salt = await transaction.scalar(_SALT)
    if salt is None:
        if not transaction.is_sqlite:
            # Guesses at the same time must agree on one salt, or each would be counted apart.
            await transaction.command("LOCK TABLE login_salt IN SHARE ROW EXCLUSIVE MODE")
            salt = await transaction.scalar(_SALT)
        if salt is None:
            await transaction.execute(_ADD_SALT, {"salt": secrets.token_hex(16)})
            salt = await transaction.scalar(_SALT)
    return hmac.new(salt.encode(), username_key.encode(), hashlib.sha256).hexdigest()
