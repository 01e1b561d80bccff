"""The bare PostgreSQL: pgbench runs the prepared statements, with nothing between it and the database."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from bench.cluster import Postgres
from bench.cpu import CpuReading, cpu_of_backends
from bench.desks import Desk
from bench.lanes import SETTLING_SECONDS, Sample
from bench.plan import CONNECTIONS


class PgbenchLane:
    """`then` is one transaction if it has several statements. It may use :n, which stays below `numbers`."""

    # The CPU time of the database is known to a hundredth of a second.
    fewest_calls = 400

    def __init__(
        self, name: str, desk: Desk, folder: Path, first: Sequence[str], then: Sequence[str], numbers: int = 0
    ) -> None:
        if desk.postgres is None:
            raise ValueError("pgbench needs PostgreSQL")
        self.name = name
        self._postgres: Postgres = desk.postgres
        self._database = desk.name
        self._script = folder / f"pgbench-{name.replace(' ', '-')}.sql"
        self._numbers = numbers
        self._numbers_used = 0
        counting = ["\\set i :i + 1", "\\set n :first + :client_id * :share + :i"]
        lines = counting if any(":n" in statement for statement in then) else []
        whole = ["BEGIN", *then, "COMMIT"] if len(then) > 1 else then
        self._script.write_text("\n".join([*lines, *(f"{statement};" for statement in (*first, *whole))]) + "\n")

    def run(self, calls: int) -> Sample:
        """Measures the difference of two runs, because connecting and preparing are not part of a request."""
        most = max(2, -(-calls // CONNECTIONS) + 1)
        one, _ = self._pgbench(1)
        many, latencies = self._pgbench(most)
        return Sample((most - 1) * CONNECTIONS, many - one, latencies)

    def _pgbench(self, transactions: int) -> tuple[CpuReading, list[int]]:
        log = self._script.with_suffix("")
        command = [f"{self._postgres.programs}/pgbench", "--no-vacuum", "--protocol=prepared", "--log"]
        command += [f"--log-prefix={log}", f"--client={CONNECTIONS}", f"--transactions={transactions}"]
        command += ["-D", "i=-1", "-D", f"first={self._numbers_used}", "-D", f"share={transactions}"]
        self._numbers_used += transactions * CONNECTIONS
        if self._numbers and self._numbers_used > self._numbers:
            raise RuntimeError("There are no more claims to move; the rounds are too long.")
        before = cpu_of_backends(self._postgres.postmaster)
        own = _cpu_of_program(
            [*command, f"--file={self._script}"], self._postgres.environment(self._database), self._script.parent
        )
        time.sleep(SETTLING_SECONDS)
        database = cpu_of_backends(self._postgres.postmaster) - before
        latencies = []
        for written in log.parent.glob(f"{log.name}.[0-9]*"):
            latencies += [int(line.split()[2]) * 1_000 for line in written.read_text().splitlines()]
            written.unlink()
        return CpuReading(own, database), latencies


def _cpu_of_program(command: list[str], variables: dict[str, str], folder: Path) -> int:
    output_file = folder / "pgbench.log"
    with output_file.open("w") as output:
        process = subprocess.Popen(command, env=os.environ | variables, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or "aborted" in (messages := output_file.read_text()):
        raise RuntimeError(f"pgbench failed: {output_file.read_text()}")
    if "number of transactions actually processed" not in messages:
        raise RuntimeError(f"pgbench did not finish: {messages}")
    output_file.unlink()
    return round((usage.ru_utime + usage.ru_stime) * 1e9)
