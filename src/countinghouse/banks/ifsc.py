"""Reads a branch code (IFSC): its format, whether the branch exists, which bank uses it. It never rejects a code."""

import re
from typing import Literal, NamedTuple

from countinghouse.banks.directory import BANK_LETTERS, BankCodes, directory
from countinghouse.india.accounts import account_key

CodeState = Literal["good", "malformed", "unknown"]

_LENGTH = 11
SHAPE = re.compile(r"[A-Z]{4}0[A-Z0-9]{6}")
_LETTER_FOR_ZERO = re.compile(r"[A-Z]{4}O[A-Z0-9]{6}")
# Banks that have merged into another bank, by the letters that codes begin with. Their codes have ended, but clients
# still use them.
_MERGERS = {
    "SBIN": ("BMBL", "SBBJ", "SBHY", "SBMY", "SBTR", "STBP"),
    "BARB": ("BKDN", "VIJB"),
    "PUNB": ("ORBC", "UTBI"),
    "UBIN": ("ANDB", "CORP"),
    "AUBL": ("FSFB",),
    "CNRB": ("SYNB",),
    "DBSS": ("LAVB",),
    "HDFC": ("LKBL",),
    "IDIB": ("ALLA",),
    "KKBK": ("VYSA",),
    "UNBA": ("PMCB",),
}
MERGED_INTO = {merged: bank for bank, all_merged in _MERGERS.items() for merged in all_merged}


class Reading(NamedTuple):
    """`code` is in the banks' spelling; `note` is empty if there is nothing to report."""

    code: str
    name: str
    state: CodeState
    note: str


def read_ifsc(written: str) -> Reading:
    code = account_key(written)
    if not SHAPE.fullmatch(code):
        return Reading(code, "", "malformed", _describe_malformed(code))
    known = directory()
    bank = code[:BANK_LETTERS]
    if not known.knows_bank(bank):
        return Reading(code, "", "unknown", f"No bank has codes that begin with {bank}.")
    bank_name, owner = known.bank_name(bank), known.find_owner(code)
    name = owner or bank_name
    if not known.is_listed(code):
        return Reading(code, name, "unknown", _why_not_listed(known, code, bank))
    notes = []
    if owner is not None:
        notes.append(f"Belongs to {owner}, which clears through {bank_name}.")
    if code != written:
        notes.append(f"Banks write it {code}.")
    return Reading(code, name, "good", " ".join(notes))


def note_if_malformed(written: str) -> str:
    """Empty for a code that could exist. Needs no directory, so it is cheap enough for thousands of rows."""
    code = account_key(written)
    return "" if SHAPE.fullmatch(code) else _describe_malformed(code)


def _describe_malformed(code: str) -> str:
    if not code:
        return "No IFSC is given."
    if len(code) != _LENGTH:
        return f"Codes have {_LENGTH} characters, the fifth a zero; this one has {len(code)}."
    if _LETTER_FOR_ZERO.fullmatch(code):
        return "The fifth character of a code is a zero; this one has the letter O."
    return "Codes are four letters, a zero, and six letters or digits."


def _why_not_listed(known: BankCodes, code: str, bank: str) -> str:
    fact = "This code is no longer listed" if known.was_listed(code) else "No branch has this code"
    if bank in MERGED_INTO:
        return f"{fact}: {known.bank_name(bank)} is part of {known.bank_name(MERGED_INTO[bank])} now."
    return f"{fact}."
