import re
import subprocess
import sys
import threading

from countinghouse.core.ids import is_id, new_id

# Runs in a separate process: forking the test process would copy the locks of its threads.
FORK = r"""
import os
from countinghouse.core.ids import new_id
child = os.fork()
os.write(1, f"{new_id(at_second=1)}\n".encode())
if child:
    os.waitpid(child, 0)
"""


def test_an_id_is_24_hex_digits_that_begin_with_its_timestamp() -> None:
    made = new_id(at_second=0x6917E2F4)
    assert re.fullmatch(r"6917e2f4[0-9a-f]{16}", made)
    assert is_id(made)


def test_ids_sort_by_their_timestamp() -> None:
    seconds = (0, 1, 0x6917E2F4, 0x6917E2F5, 0xFFFFFFFF)
    made = [new_id(at_second=second) for second in seconds]
    assert made == sorted(made)


def test_a_hundred_thousand_ids_of_one_second_from_four_threads_are_all_different() -> None:
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.extend([new_id(at_second=1) for _ in range(25_000)])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == len(set(made)) == 100_000


def test_a_forked_process_generates_different_ids() -> None:
    made = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True).stdout.split()
    assert len(made) == 2
    assert all(is_id(one) for one in made)
    of_parent, of_child = (one[8:18] for one in made)
    assert of_parent != of_child


def test_a_string_that_only_resembles_an_id_is_rejected() -> None:
    good = new_id()
    for bad in (good.upper().replace("0", "A"), good[:-1], f"{good}0", f"{good}\n", f" {good[1:]}", "", "x" * 24):
        assert not is_id(bad), bad
