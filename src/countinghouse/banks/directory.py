"""All bank codes. Their file is a line of JSON that describes the content, followed by the compressed content.

A branch is the last six characters of its code, read as a base-36 number. For each bank the file stores the differences
between consecutive branch numbers. They are small, so they compress well, and they are summed up again without a loop.
The codes stay in arrays instead of one object each.
"""

import hashlib
import json
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from string import ascii_uppercase, digits

CODES_FILE = Path(__file__).parent / "codes" / "ifsc.bin"

# Four bytes hold any branch: 36 to the sixth power is less than two to the 32nd.
_NUMBERS = "I"
_FORMAT = 1
BANK_LETTERS = 4
_BRANCH_LENGTH = 6
_CHARACTERS = digits + ascii_uppercase

Branches = Mapping[str, "array[int]"]


class DamagedCodes(Exception):
    """The file's checksum or format is wrong."""


@dataclass(frozen=True, slots=True)
class BankCodes:
    """Per bank, keyed by its four letters: its name, its listed branches and its withdrawn branches.

    `owners` maps a code, or a prefix of codes, to the name of the other bank that uses it. The methods expect
    well-formed codes.
    """

    version: str
    fetched_on: str
    names: Mapping[str, str]
    owners: Mapping[str, str]
    listed: Branches
    withdrawn: Branches

    @property
    def code_count(self) -> int:
        return sum(map(len, self.listed.values()))

    def knows_bank(self, bank: str) -> bool:
        return bank in self.names or bank in self.listed

    def bank_name(self, bank: str) -> str:
        """Empty for a bank that has codes but no known name."""
        return self.names.get(bank, "")

    def find_owner(self, code: str) -> str | None:
        """The name of the bank that uses this code, if it is not the bank that the code names."""
        # Longest prefix first, because it is the most specific.
        begins = (code[:length] for length in range(len(code), BANK_LETTERS, -1))
        return next((self.owners[begin] for begin in begins if begin in self.owners), None)

    def is_listed(self, code: str) -> bool:
        return _contains(self.listed, code)

    def was_listed(self, code: str) -> bool:
        return _contains(self.withdrawn, code)

    def code_at(self, bank: str, place: int) -> str:
        """The code at this position among the bank's listed codes, in order."""
        return f"{bank}0{branch_text(self.listed[bank][place])}"


def _contains(branches_of: Branches, code: str) -> bool:
    branches = branches_of.get(code[:BANK_LETTERS], ())
    # A zero separates the bank from the branch.
    number = branch_number(code[BANK_LETTERS + 1 :])
    place = bisect_left(branches, number)
    return place < len(branches) and branches[place] == number


def branch_number(branch: str) -> int:
    return int(branch, 36)


def branch_text(number: int) -> str:
    text = ""
    for _ in range(_BRANCH_LENGTH):
        number, place = divmod(number, 36)
        text = _CHARACTERS[place] + text
    return text


def by_bank(codes: Iterable[str]) -> Branches:
    found: dict[str, list[int]] = {}
    for code in codes:
        found.setdefault(code[:BANK_LETTERS], []).append(branch_number(code[BANK_LETTERS + 1 :]))
    return {bank: array(_NUMBERS, sorted(found[bank])) for bank in sorted(found)}


def full_codes(branches_of: Branches) -> set[str]:
    return {f"{bank}0{branch_text(number)}" for bank, branches in branches_of.items() for number in branches}


def pack(codes: BankCodes) -> bytes:
    described = json.dumps(
        {
            "names": codes.names,
            "owners": codes.owners,
            "listed": {bank: len(branches) for bank, branches in sorted(codes.listed.items())},
            "withdrawn": {bank: len(branches) for bank, branches in sorted(codes.withdrawn.items())},
        },
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    ).encode()
    steps = array(_NUMBERS)
    for branches_of in (codes.listed, codes.withdrawn):
        for _, branches in sorted(branches_of.items()):
            steps.extend(after - before for before, after in pairwise((0, *branches)))
    body = zlib.compress(len(described).to_bytes(4, "little") + described + _in_file_order(steps).tobytes(), 9)
    header = {
        "format": _FORMAT,
        "version": codes.version,
        "fetchedOn": codes.fetched_on,
        "sha256": _checksum(codes.version, codes.fetched_on, body),
    }
    return json.dumps(header).encode() + b"\n" + body


def unpack(content: bytes) -> BankCodes:
    header_line, _, body = content.partition(b"\n")
    try:
        header = json.loads(header_line)
        is_whole = header["sha256"] == _checksum(header["version"], header["fetchedOn"], body)
        if header["format"] != _FORMAT or not is_whole:
            raise ValueError("The checksum does not hold.")
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedCodes("The file of bank codes is damaged. Reinstall the program.") from error
    unpacked = zlib.decompress(body)
    begin = 4 + int.from_bytes(unpacked[:4], "little")
    described = json.loads(unpacked[4:begin])
    steps = array(_NUMBERS)
    steps.frombytes(unpacked[begin:])
    steps = _in_file_order(steps)
    listed_steps = sum(described["listed"].values())
    return BankCodes(
        version=header["version"],
        fetched_on=header["fetchedOn"],
        names=described["names"],
        owners=described["owners"],
        listed=_to_branches(steps[:listed_steps], described["listed"]),
        withdrawn=_to_branches(steps[listed_steps:], described["withdrawn"]),
    )


def _checksum(version: str, fetched_on: str, body: bytes) -> str:
    return hashlib.sha256(f"{version} {fetched_on}\n".encode() + body).hexdigest()


def _to_branches(steps: "array[int]", counts: Mapping[str, int]) -> Branches:
    ends = accumulate(counts.values())
    return {
        bank: array(_NUMBERS, accumulate(steps[end - count : end]))
        for (bank, count), end in zip(counts.items(), ends, strict=True)
    }


def _in_file_order(numbers: "array[int]") -> "array[int]":
    """Converts to or from little-endian, the byte order of the file."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


@cache
def directory() -> BankCodes:
    return unpack(CODES_FILE.read_bytes())


def find_damaged_codes(file: Path = CODES_FILE) -> Iterator[str]:
    """Checks that the file is the one that came with the program: for `countinghouse doctor`."""
    try:
        unpack(file.read_bytes())
    except (DamagedCodes, OSError) as problem:
        yield str(problem)
