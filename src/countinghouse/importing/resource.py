"""What the rest of the desk knows of imports."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class ImportVerb(Verb):
    UPLOADED = "import.uploaded"
    PLANNED = "import.planned"
    STARTED = "import.started"
    ENDED = "import.ended"


READ = permission("imports.read", Role.AUDITOR)
RUN = permission("imports.run")

RESOURCE = Resource("imports", "/Settings/Import")
