"""Checks that the bank codes file is the one that came with the program: for `countinghouse doctor`."""

from collections.abc import Iterator
from pathlib import Path

from countinghouse.banks.codes_file import DamagedCodes, unpack
from countinghouse.banks.directory import CODES_FILE


def find_damaged_codes(file: Path = CODES_FILE) -> Iterator[str]:
    try:
        unpack(file.read_bytes())
    except (DamagedCodes, OSError) as problem:
        yield str(problem)
