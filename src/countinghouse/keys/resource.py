"""What the rest of the desk knows of API keys."""

from countinghouse.core.resource import Resource, Verb


class KeyVerb(Verb):
    ADDED = "key.added"
    REVOKED = "key.revoked"


RESOURCE = Resource("keys", "/Settings/Keys")
