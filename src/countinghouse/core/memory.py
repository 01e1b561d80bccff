"""Limits the memory of a process that handles strangers' files."""

import os
import resource
from pathlib import Path


def limit_memory(more_bytes: int) -> None:
    """`more_bytes` is what the process may take in addition to its size now, all its later child processes too."""
    most = _size_in_memory() + more_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        # A limit of the operator cannot be raised.
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # Otherwise a process that hits the limit could write a file as large as its memory, with personal data.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _size_in_memory() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        # The system does not report it. This is enough for everything loaded so far.
        return 512 * 1024 * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
