"""Progress is reported by two threads at once, and what goes wrong while writing is no damage of the backup."""

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from countinghouse.backups.archive import MANIFEST, ArchiveWriter, opened_archive
from countinghouse.cli.backups import _progress

STEPS = 3_000


def test_two_threads_report_progress_at_once() -> None:
    with _progress() as show, ThreadPoolExecutor(2) as threads:

        def report(name: str) -> None:
            for step in range(STEPS):
                show(f"{name} {step // 10}", step, STEPS)

        for reported in [threads.submit(report, name) for name in ("table", "byte")]:
            reported.result()


class _Failing(io.BytesIO):
    def write(self, _data: object, /) -> int:
        raise RuntimeError("dictionary changed size during iteration")


@pytest.mark.parametrize("passphrase", [None, "correct horse battery staple"])
def test_an_error_of_whoever_writes_is_not_called_damage(tmp_path: Path, passphrase: str | None) -> None:
    path = tmp_path / "desk.backup"
    with path.open("wb") as file, ArchiveWriter(file, passphrase) as writer:
        writer.add(MANIFEST, io.BytesIO(b"{}"))
        writer.finish()
    with (
        opened_archive(path, lambda: str(passphrase), lambda *_: None) as archive,
        pytest.raises(RuntimeError, match="dictionary changed"),
    ):
        archive.copy(MANIFEST, _Failing())
