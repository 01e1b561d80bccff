"""The benchmark's CPU meter: if it were wrong, every ratio would be wrong, and nothing would show it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.cpu import CpuMeter, cpu_of_process, cpu_of_tree
from bench.memory import PeakMemory

BURN = "import time\nwhile time.process_time() < {seconds}: pass\n"
THEN_WAIT = "print('done', flush=True)\nimport sys\nsys.stdin.read()\n"


@contextmanager
def program(source: str) -> Iterator[subprocess.Popen[str]]:
    """Starts the program and waits until it prints a line; it then stays alive until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-c", source + THEN_WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "done\n"
        yield process
        process.stdin.close()


def test_a_process_is_charged_for_the_time_it_used() -> None:
    with program(BURN.format(seconds=0.2)) as process:
        used = cpu_of_process(process.pid)
        time.sleep(0.05)
        assert 0.2e9 <= used < 0.5e9
        assert cpu_of_process(process.pid) - used < 0.02e9, "waiting costs nothing"


def test_children_are_charged_to_their_parent_even_after_they_have_ended() -> None:
    child = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', " + repr(BURN.format(seconds=0.2)) + "])\n"
    with program(child) as process:
        assert cpu_of_tree(process.pid) - cpu_of_process(process.pid) >= 0.19e9


def test_a_thread_that_has_ended_is_still_charged() -> None:
    burn = "import threading, time\ndef burn():\n while time.thread_time() < 0.2: pass\n"
    with program(burn + "t = threading.Thread(target=burn); t.start(); t.join()\n") as process:
        assert cpu_of_process(process.pid) >= 0.2e9


def test_without_a_database_no_database_time_is_charged() -> None:
    with program("") as process:
        assert CpuMeter(process.pid).read().database_ns == 0


def test_peak_memory_is_seen_after_it_was_freed() -> None:
    grow = "import sys\nprint('ready', flush=True)\nsys.stdin.readline()\nx = bytearray(40_000_000)\ndel x\n"
    with subprocess.Popen(
        [sys.executable, "-c", grow + THEN_WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        peak = PeakMemory(process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert 35 < peak.extra_megabytes() < 60
        process.stdin.close()
