"""The bank codes file: a line of JSON that describes the content, followed by the compressed content.

A branch is the last six characters of its code, read as a base-36 number. For each bank the file stores the differences
between consecutive branch numbers. They are small, so they compress well, and they are summed up again without a loop.
"""

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from string import ascii_uppercase, digits

# Four bytes hold any branch: 36 to the sixth power is less than two to the 32nd.
_NUMBERS = "I"
_FORMAT = 1
_BRANCH_LENGTH = 6
_CHARACTERS = digits + ascii_uppercase

Branches = Mapping[str, "array[int]"]


class DamagedCodes(Exception):
    """The file's checksum or format is wrong."""


@dataclass(frozen=True, slots=True)
class BankCodes:
    """Per bank, keyed by its four letters: its name, its listed branches and its withdrawn branches.

    `owners` maps a code, or a prefix of codes, to the name of the other bank that uses it.
    """

    version: str
    fetched_on: str
    names: Mapping[str, str]
    owners: Mapping[str, str]
    listed: Branches
    withdrawn: Branches


def branch_number(branch: str) -> int:
    return int(branch, 36)


def branch_text(number: int) -> str:
    text = ""
    for _ in range(_BRANCH_LENGTH):
        number, place = divmod(number, 36)
        text = _CHARACTERS[place] + text
    return text


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
