"""What the rest of the desk knows of API keys."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class KeyVerb(Verb):
    ADDED = "key.added", "Added an API key"
    REVOKED = "key.revoked", "Revoked an API key"


READ = permission("keys.read", Role.AUDITOR)
MANAGE = permission("keys.manage")

RESOURCE = Resource("keys", "/Settings/Keys")
