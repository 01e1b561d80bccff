"""The highest memory that a server's processes have held together, as the kernel counted it."""

from pathlib import Path

from bench.cpu import PROC, tree_of

# proc(5), clear_refs: forget the highest resident size so far.
FORGET_PEAK = "5"


class PeakMemory:
    """What was added above the resident size at the moment this was made."""

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
