"""File descriptors: as many as the system allows, and connections only so far that files and the database keep some."""

import os
import resource
from functools import cache

# More than a desk needs, and few enough that a process stays quick.
MOST_DESCRIPTORS = 65_536
# Each open connection may hold some 64 KB, so this bounds memory too.
MOST_CONNECTIONS = 4_096
# Database connections, the files of SQLite, exports, pipes and logs.
RESERVED = 256


def raise_descriptor_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@cache
def connection_limit() -> int:
    """How many connections of clients this process holds open at most."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, max(soft // 2, soft - RESERVED))


def are_descriptors_used_up() -> bool:
    """The event loop closes a connection that it has no descriptor for without telling anybody."""
    try:
        os.close(os.dup(2))
    except OSError:
        return True
    return False
