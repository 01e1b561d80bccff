"""What the rest of the desk knows of batches."""

from countinghouse.core.resource import Resource, Verb


class BatchVerb(Verb):
    PLANNED = "batch.planned"
    CONFIRMED = "batch.confirmed"
    LEFT = "batch.left"
    ENDED = "batch.ended"


RESOURCE = Resource("batches", live_verbs=BatchVerb)
