"""How the database stores random secrets: session tokens, API keys, recovery codes, the marks of known devices."""

from hashlib import sha256


def hash_secret(secret: str) -> bytes:
    """A fast hash suffices, because nobody can guess a long random text."""
    return sha256(secret.encode()).digest()
