"""What the rest of the desk knows of its rules."""

from countinghouse.core.resource import Resource, Verb


class PolicyVerb(Verb):
    CHANGED = "policy.changed"


RESOURCE = Resource("policy", "/Settings", live_verbs=PolicyVerb)
