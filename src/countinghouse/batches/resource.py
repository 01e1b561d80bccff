"""What the rest of the desk knows of batches."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class BatchVerb(Verb):
    PLANNED = "batch.planned"
    CONFIRMED = "batch.confirmed"
    LEFT = "batch.left"
    ENDED = "batch.ended"


# The move itself needs its own permission: `claims.pay` for a batch of payments.
MOVE = permission("batches.move", Role.PAYER, Role.REVIEWER)


RESOURCE = Resource("batches", live_verbs=BatchVerb)
