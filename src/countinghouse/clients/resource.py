"""What the rest of the desk knows of clients."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class ClientVerb(Verb):
    NOTED = "client.noted", "Wrote a note about a client"
    REVEALED = "client.revealed", "Revealed the mobile number of a client"


READ = permission("clients.read", everybody=True)
REVEAL = permission("clients.reveal", everybody=True)
NOTE = permission("clients.note", Role.PAYER, Role.REVIEWER)


RESOURCE = Resource("clients", "/client/:id", live_verbs=ClientVerb, paper="/Statement")
