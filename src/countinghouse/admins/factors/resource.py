"""What the rest of the desk knows of an admin's own account: the path of its screen."""

from countinghouse.core.resource import Resource

RESOURCE = Resource("account", "/Settings/Account")
