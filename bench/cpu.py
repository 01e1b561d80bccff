"""The CPU time that a server and its database have used: exact, and independent of other programs on the machine."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
NANOSECONDS_A_TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
# PostgreSQL's background work: it belongs to no request and runs at arbitrary times.
HOUSEKEEPING = (
    "checkpointer",
    "background writer",
    "walwriter",
    "walsender",
    "walreceiver",
    "startup",
    "logical replication launcher",
    "autovacuum launcher",
)


@dataclass(frozen=True)
class CpuReading:
    server_ns: int
    database_ns: int

    def __sub__(self, earlier: "CpuReading") -> "CpuReading":
        return CpuReading(self.server_ns - earlier.server_ns, self.database_ns - earlier.database_ns)

    @property
    def total_ns(self) -> int:
        return self.server_ns + self.database_ns


@dataclass(frozen=True)
class CpuMeter:
    """Each is the root of a process tree. The postmasters are those of the clusters that the server uses."""

    server: int
    postmasters: tuple[int, ...] = ()

    def read(self) -> CpuReading:
        return CpuReading(cpu_of_tree(self.server), sum(map(cpu_of_backends, self.postmasters)))


def cpu_of_process(process: int) -> int:
    """CPU time of all its threads, including ended ones, to the nanosecond (clock_getcpuclockid(3))."""
    scheduler_clock = 2
    return time.clock_gettime_ns((~process << 3) | scheduler_clock)


def cpu_of_tree(root: int) -> int:
    return sum(_cpu_or_zero(process) + cpu_of_ended_children(process) for process in tree_of(root))


def cpu_of_backends(postmaster: int) -> int:
    """The work that clients caused in the cluster: their backends and parallel workers, including ended ones."""
    backends = [child for child in tree_of(postmaster)[1:] if not _is_housekeeping(child)]
    return sum(_cpu_or_zero(child) for child in backends) + cpu_of_ended_children(postmaster)


def cpu_of_ended_children(process: int) -> int:
    try:
        fields = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # Counted from the state, which is field 3 of proc(5): cutime is 16, cstime is 17.
    return (int(fields[13]) + int(fields[14])) * NANOSECONDS_A_TICK


def tree_of(root: int) -> list[int]:
    found = [root]
    for process in found:
        for listing in (PROC / str(process) / "task").glob("*/children"):
            try:
                found += [int(child) for child in listing.read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def _cpu_or_zero(process: int) -> int:
    try:
        return cpu_of_process(process)
    except OSError:
        # It ended after it was listed; its parent's counters include it.
        return 0


def _is_housekeeping(process: int) -> bool:
    try:
        title = (PROC / str(process) / "cmdline").read_bytes().decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(word in title for word in HOUSEKEEPING)
