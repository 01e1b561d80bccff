"""What the rest of the desk knows of its rules."""

from countinghouse.admins.permissions import permission
from countinghouse.core.resource import Resource, Verb


class PolicyVerb(Verb):
    CHANGED = "policy.changed", "Changed the policy"


READ = permission("policy.read", everybody=True)
CHANGE = permission("policy.change")


RESOURCE = Resource("policy", "/Settings", live_verbs=PolicyVerb)
