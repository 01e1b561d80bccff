"""What the rest of the desk knows of admins. They have no list that can be exported."""

from countinghouse.core.resource import Resource

RESOURCE = Resource("admins", "/Settings/Admins")
# Where an invited admin sets a password. It needs no session.
INVITATIONS = Resource("invitations", "/Invite")
