"""What the rest of the desk knows of imports."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class ImportVerb(Verb):
    UPLOADED = "import.uploaded", "Uploaded files to import"
    PLANNED = "import.planned", "Planned an import"
    CANCELLED = "import.cancelled", "Cancelled the check of an import"
    STARTED = "import.started", "Started an import"
    ENDED = "import.ended", "Ended an import"


READ = permission("imports.read", Role.AUDITOR)
RUN = permission("imports.run")

RESOURCE = Resource("imports", "/Settings/Import")
