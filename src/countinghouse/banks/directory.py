"""Looks up bank codes. The file is read on first use, and the codes stay in arrays instead of one object each."""

from bisect import bisect_left
from functools import cache
from pathlib import Path

from countinghouse.banks.codes_file import BankCodes, Branches, branch_number, branch_text, unpack

CODES_FILE = Path(__file__).parent / "codes" / "ifsc.bin"

BANK_LETTERS = 4
# A zero separates the bank from the branch.
_BRANCH_START = BANK_LETTERS + 1


class Directory:
    """Expects well-formed codes."""

    def __init__(self, codes: BankCodes) -> None:
        self.version = codes.version
        self.fetched_on = codes.fetched_on
        self.code_count = sum(map(len, codes.listed.values()))
        self.bank_count = len(codes.listed)
        self._codes = codes
        # Longest prefix first, because it is the most specific.
        self._lengths = sorted({len(begin) for begin in codes.owners}, reverse=True)
        # Most codes have no other owner; one lookup of the shortest prefix rules them out.
        self._shortest = min(self._lengths, default=0)
        self._owned = frozenset(begin[: self._shortest] for begin in codes.owners)

    def knows_bank(self, bank: str) -> bool:
        return bank in self._codes.names or bank in self._codes.listed

    def bank_name(self, bank: str) -> str:
        """Empty for a bank that has codes but no known name."""
        return self._codes.names.get(bank, "")

    def find_owner(self, code: str) -> str | None:
        """The name of the bank that uses this code, if it is not the bank that the code names."""
        if code[: self._shortest] not in self._owned:
            return None
        begins = (code[:length] for length in self._lengths)
        return next((self._codes.owners[begin] for begin in begins if begin in self._codes.owners), None)

    def is_listed(self, code: str) -> bool:
        return _contains(self._codes.listed, code)

    def was_listed(self, code: str) -> bool:
        return _contains(self._codes.withdrawn, code)

    def count_of(self, bank: str) -> int:
        return len(self._codes.listed.get(bank, ()))

    def code_at(self, bank: str, place: int) -> str:
        """The code at this position among the bank's listed codes, in order."""
        return f"{bank}0{branch_text(self._codes.listed[bank][place])}"


def _contains(branches_of: Branches, code: str) -> bool:
    branches = branches_of.get(code[:BANK_LETTERS])
    if branches is None:
        return False
    number = branch_number(code[_BRANCH_START:])
    place = bisect_left(branches, number)
    return place < len(branches) and branches[place] == number


@cache
def directory() -> Directory:
    return Directory(unpack(CODES_FILE.read_bytes()))
