"""The audit verbs of imports. They have no list of their own."""

from countinghouse.core.resource import Verb


class ImportVerb(Verb):
    UPLOADED = "import.uploaded"
    STARTED = "import.started"
    ENDED = "import.ended"
