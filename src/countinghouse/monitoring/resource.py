"""What the rest of the desk knows of its health. It is nothing that changes, so there are no verbs."""

from countinghouse.admins.permissions import permission
from countinghouse.core.resource import Resource

READ = permission("health.read")

RESOURCE = Resource("health", "/Settings/Health")
