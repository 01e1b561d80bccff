"""What the rest of the desk knows of imports."""

from countinghouse.core.resource import Resource, Verb


class ImportVerb(Verb):
    UPLOADED = "import.uploaded"
    STARTED = "import.started"
    ENDED = "import.ended"


RESOURCE = Resource("imports", "/Settings/Import")
