"""Short deadlines for a server, because the short version of a drill does not wait for the real ones."""

from countinghouse.core.http.protocol import DeadlineProtocol


def be_impatient() -> None:
    """Runs in the process of the server."""
    DeadlineProtocol.header_seconds = 2.0
    DeadlineProtocol.body_seconds = 2.5
    DeadlineProtocol.reader_seconds = 3.0
