"""The bare databases as lanes: the limit that no server can beat."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.cpu import CpuMeter
from bench.desks import ROOT, Desk
from bench.lanes import Lane, Sample
from bench.pgbench import PgbenchLane
from bench.run import Run
from bench.statements import SESSION

BARE = "bare database"


class SqliteLane:
    name = BARE
    fewest_calls = 1

    def __init__(self, reader: subprocess.Popen[str]) -> None:
        self._reader = reader
        self._meter = CpuMeter(reader.pid)

    def run(self, calls: int) -> Sample:
        if self._reader.stdin is None or self._reader.stdout is None:
            raise ValueError("the reader was started without pipes")
        before = self._meter.read()
        self._reader.stdin.write(f"{calls}\n")
        self._reader.stdin.flush()
        times = [int(word) for word in self._reader.stdout.readline().split()]
        if len(times) != calls:
            raise RuntimeError("The bare SQLite reader ended early.")
        return Sample(calls, self._meter.read() - before, times)


@contextmanager
def bare_page(run: Run, desk: Desk, page: str) -> Iterator[list[Lane]]:
    """The session is looked up first, by a separate statement."""
    if not run.wants("bare"):
        yield []
    elif desk.postgres is not None:
        yield [pgbench_after_login(run, desk, [page])]
    else:
        command = [sys.executable, "-m", "bench.sqlite_reader", str(desk.path), run.token_hash(desk).hex()]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as reader:
            yield [SqliteLane(reader)]
            if reader.stdin is not None:
                reader.stdin.close()


def pgbench_after_login(run: Run, desk: Desk, statements: Sequence[str], numbers: int = 0) -> Lane:
    session = SESSION.format(token_hash=f"'\\x{run.token_hash(desk).hex()}'::bytea")
    return PgbenchLane(BARE, desk, run.folder, [session], statements, numbers)
