"""A disk that can be filled to the last byte and given free space again."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_BALLAST = "ballast"


class Disk(Protocol):
    @property
    def folder(self) -> Path: ...

    def fill(self, processes: Sequence[int]) -> None:
        """`processes` are those that write to the disk."""

    def make_room(self, processes: Sequence[int]) -> None: ...


@dataclass(frozen=True)
class SmallDisk:
    """A separate file system, which only root can mount."""

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
    """For systems where nothing can be mounted: the kernel stops the files of these processes from growing."""

    folder: Path
    most_bytes: int

    def fill(self, processes: Sequence[int]) -> None:
        self._limit(processes, str(self.most_bytes))

    def make_room(self, processes: Sequence[int]) -> None:
        self._limit(processes, "unlimited")

    @staticmethod
    def _limit(processes: Sequence[int], most: str) -> None:
        for process in processes:
            with suppress(FileNotFoundError):
                # As their own user: root in a container may not change the limits of other users' processes.
                owner = Path(f"/proc/{process}").stat()
                words = ("prlimit", "--pid", str(process), f"--fsize={most}:")
                _succeeds(*words, user=owner.st_uid, group=owner.st_gid)


@contextmanager
def small_disk(megabytes: int, most_bytes: int) -> Iterator[Disk]:
    with tempfile.TemporaryDirectory(prefix="countinghouse-disk-") as folder:
        options = f"size={megabytes}m,mode=755"
        if os.geteuid() != 0 or not _succeeds("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder):
            # When running as root, PostgreSQL runs as another user.
            Path(folder).chmod(0o755)
            yield LimitedFiles(Path(folder), most_bytes)
            return
        try:
            yield SmallDisk(Path(folder))
        finally:
            # Files that a killed server still has open must not keep it mounted.
            assert _succeeds("umount", "--lazy", folder)


def _succeeds(*words: str, user: int | None = None, group: int | None = None) -> bool:
    return subprocess.run(words, user=user, group=group, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own arguments
