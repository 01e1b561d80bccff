"""What the rest of the desk knows of payment QR codes."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class QrVerb(Verb):
    UPLOADED = "qr.uploaded"
    READ = "qr.read"
    CONFIRMED = "qr.confirmed"
    STATUS_CHANGED = "qr.status_changed"
    DISPLAY_REQUESTED = "qr.display_requested"
    DISPLAY_WITHDRAWN = "qr.display_withdrawn"
    DELETED = "qr.deleted"


READ = permission("qr.read", everybody=True)
UPLOAD = permission("qr.upload", Role.QR_MANAGER)
DISPLAY = permission("qr.display", Role.QR_MANAGER)
DELETE = permission("qr.delete", Role.QR_MANAGER)


RESOURCE = Resource("qr", "/QR", has_views=True, live_verbs=QrVerb)
