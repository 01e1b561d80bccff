"""File descriptors: raises the limit, and caps client connections so that files and the database keep some."""

import os
import resource
from functools import cache

# More than the server needs, but low enough not to slow the process down.
MOST_DESCRIPTORS = 65_536
# An open connection can hold about 64 KB, so this limits memory too.
MOST_CONNECTIONS = 4_096
# For database connections, SQLite files, exports, pipes and logs.
RESERVED = 256


def raise_descriptor_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@cache
def connection_limit() -> int:
    """The maximum number of open client connections of this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, max(soft // 2, soft - RESERVED))


def are_descriptors_used_up() -> bool:
    """For the log: the event loop silently closes a connection when no descriptor is left for it."""
    try:
        os.close(os.dup(2))
    except OSError:
        return True
    return False
