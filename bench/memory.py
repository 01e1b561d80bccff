"""The peak memory of all processes of a server together, as counted by the kernel."""

from pathlib import Path

from bench.cpu import PROC, tree_of

# proc(5), clear_refs: resets the peak resident size.
FORGET_PEAK = "5"


class PeakMemory:
    """The growth above the resident size at the time of creation."""

    def __init__(self, root: int) -> None:
        self._processes = tree_of(root)
        for process in self._processes:
            (PROC / str(process) / "clear_refs").write_text(FORGET_PEAK)
        self._before = self._sum("VmRSS")

    def extra_megabytes(self) -> float:
        return (self._sum("VmHWM") - self._before) / 1024

    def _sum(self, field: str) -> int:
        return sum(_kilobytes(PROC / str(process) / "status", field) for process in self._processes)


def _kilobytes(status: Path, field: str) -> int:
    for line in status.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise ValueError(f"{status} has no {field}")
