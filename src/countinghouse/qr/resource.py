"""What the rest of the desk knows of payment QR codes."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class QrVerb(Verb):
    UPLOADED = "qr.uploaded", "Uploaded a QR code"
    READ = "qr.read", "Read a QR code again"
    CONFIRMED = "qr.confirmed", "Confirmed a QR code"
    STATUS_CHANGED = "qr.status_changed", "Displayed or hid a QR code"
    DISPLAY_REQUESTED = "qr.display_requested", "Asked to display a QR code"
    DISPLAY_WITHDRAWN = "qr.display_withdrawn", "Withdrew a display request"
    DELETED = "qr.deleted", "Deleted a QR code"


READ = permission("qr.read", everybody=True)
UPLOAD = permission("qr.upload", Role.QR_MANAGER)
DISPLAY = permission("qr.display", Role.QR_MANAGER)
DELETE = permission("qr.delete", Role.QR_MANAGER)


RESOURCE = Resource("qr", "/QR", has_views=True, live_verbs=QrVerb)
