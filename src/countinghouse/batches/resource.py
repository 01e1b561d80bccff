"""What the rest of the desk knows of batches."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class BatchVerb(Verb):
    PLANNED = "batch.planned", "Planned a bulk move"
    CONFIRMED = "batch.confirmed", "Confirmed a bulk move"
    LEFT = "batch.left", "Gave up a bulk move"
    ENDED = "batch.ended", "Finished a bulk move"


# The move itself needs its own permission: `claims.pay` for a batch of payments.
MOVE = permission("batches.move", Role.PAYER, Role.REVIEWER)


RESOURCE = Resource("batches", live_verbs=BatchVerb)
