"""What the rest of the desk knows of Home."""

from countinghouse.admins.permissions import permission
from countinghouse.core.resource import Resource

READ = permission("home.read", everybody=True)

RESOURCE = Resource("home", "/Home")
