"""A disk that can be filled to the last byte and given room again."""

import os
import resource
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_BALLAST = "ballast"
_SMALL_FILE_BYTES = 16_384


class Disk(Protocol):
    @property
    def folder(self) -> Path: ...

    def fill(self, processes: Sequence[int]) -> None:
        """`processes` are those that write to it."""

    def make_room(self, processes: Sequence[int]) -> None: ...


@dataclass(frozen=True)
class SmallDisk:
    """A file system of its own, which takes root to mount."""

    folder: Path

    def fill(self, _processes: Sequence[int]) -> None:
        with (self.folder / _BALLAST).open("ab", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12):
                with suppress(OSError):
                    while True:
                        ballast.write(b"\0" * size)

    def make_room(self, _processes: Sequence[int]) -> None:
        (self.folder / _BALLAST).unlink(missing_ok=True)


@dataclass(frozen=True)
class LimitedFiles:
    """Where nothing can be mounted: the kernel refuses to let the files of these processes grow."""

    folder: Path

    def fill(self, processes: Sequence[int]) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
                resource.prlimit(process, resource.RLIMIT_FSIZE, (_SMALL_FILE_BYTES, most))

    def make_room(self, processes: Sequence[int]) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
                resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def small_disk(megabytes: int) -> Iterator[Disk]:
    with tempfile.TemporaryDirectory(prefix="countinghouse-disk-") as folder:
        options = f"size={megabytes}m,mode=755"
        if os.geteuid() != 0 or not _is_done("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder):
            yield LimitedFiles(Path(folder))
            return
        try:
            yield SmallDisk(Path(folder))
        finally:
            # What a killed server has not closed yet must not keep it mounted.
            assert _is_done("umount", "--lazy", folder)


def _is_done(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own words
