"""What the rest of the desk knows of payment QR codes."""

from countinghouse.core.resource import Resource, Verb


class QrVerb(Verb):
    UPLOADED = "qr.uploaded"
    READ = "qr.read"
    CONFIRMED = "qr.confirmed"
    STATUS_CHANGED = "qr.status_changed"
    DISPLAY_REQUESTED = "qr.display_requested"
    DISPLAY_WITHDRAWN = "qr.display_withdrawn"
    DELETED = "qr.deleted"


RESOURCE = Resource("qr", "/QR", has_views=True, live_verbs=QrVerb)
