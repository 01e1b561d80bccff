"""Looks up the bank of a code, as lists and answers show it."""

from functools import lru_cache
from typing import Annotated

from typing_extensions import TypedDict

from countinghouse.banks.directory import directory
from countinghouse.banks.ifsc import read_ifsc
from countinghouse.core.examples import Example, described, examples

# Each entry takes about 250 bytes. Few installations see more codes; with more, a whole list would look up each code
# again.
MOST_REMEMBERED = 100_000


@described
class Bank(TypedDict):
    """`name` is empty if the bank is not known, and `note` if there is nothing to say."""

    name: Annotated[str, Example("HDFC Bank")]
    note: Annotated[str, Example("")]


@examples({"ifsc": "HDFC0001234", "name": "HDFC Bank", "note": "", "dataVersion": "2.0.50"})
class BankCode(Bank):
    ifsc: str
    dataVersion: str


@described
class BankData(TypedDict):
    """The source of the bank code list, and how old it is."""

    dataVersion: Annotated[str, Example("2.0.50")]
    codes: Annotated[int, Example(176_918)]
    banks: Annotated[int, Example(257)]
    fetchedOn: Annotated[str, Example("2026-11-15")]


@lru_cache(MOST_REMEMBERED)
def bank_of(ifsc: str) -> Bank:
    """Cached by the code as stored. The result is shared: do not change it."""
    reading = read_ifsc(ifsc)
    return {"name": reading.name, "note": reading.note}


def read_code(ifsc: str) -> BankCode:
    # Bypasses the cache, because callers can ask for any text here.
    reading = read_ifsc(ifsc)
    return {"ifsc": reading.code, "name": reading.name, "note": reading.note, "dataVersion": directory().version}


def read_data() -> BankData:
    known = directory()
    return {
        "dataVersion": known.version,
        "codes": known.code_count,
        "banks": len(known.listed),
        "fetchedOn": known.fetched_on,
    }
