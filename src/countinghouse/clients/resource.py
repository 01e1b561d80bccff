"""What the rest of the desk knows of clients."""

from countinghouse.core.resource import Resource, Verb


class ClientVerb(Verb):
    NOTED = "client.noted"


RESOURCE = Resource("clients", "/client/:id", live_verbs=ClientVerb)
