"""Whose a code is, as lists and answers show it."""

import msgspec
from pydantic import JsonValue, with_config
from typing_extensions import TypedDict

from countinghouse.banks.directory import directory
from countinghouse.banks.ifsc import read_ifsc

BANK_EXAMPLE: dict[str, JsonValue] = {"name": "HDFC Bank", "note": ""}

# Each takes some 130 bytes. Few desks meet more codes, and those would look each up again for a whole list.
MOST_REMEMBERED = 100_000


@with_config(json_schema_extra={"examples": [BANK_EXAMPLE]})
class Bank(TypedDict):
    """`name` is empty where the bank is not known, `note` where nothing is to be said."""

    name: str
    note: str


@with_config(
    json_schema_extra={
        "examples": [{"ifsc": "HDFC0001234", "name": "HDFC Bank", "note": "", "dataVersion": "2.0.50"}],
    }
)
class BankCode(Bank):
    ifsc: str
    dataVersion: str


@with_config(
    json_schema_extra={
        "examples": [{"dataVersion": "2.0.50", "codes": 176_918, "banks": 257, "fetchedOn": "2026-11-15"}],
    }
)
class BankData(TypedDict):
    """Where the desk's knowledge of codes comes from, and how old it is."""

    dataVersion: str
    codes: int
    banks: int
    fetchedOn: str


class _Shown(msgspec.Struct, frozen=True, gc=False):
    name: str
    note: str


class _Remembered(dict[str, _Shown]):
    """By the code as it is stored. Full, it forgets everything: what is in use comes back with the next page."""

    def __missing__(self, ifsc: str) -> _Shown:
        reading = read_ifsc(ifsc)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        shown = self[ifsc] = _Shown(reading.name, reading.note)
        return shown


BANKS = _Remembered()


def bank_of(ifsc: str) -> Bank:
    shown = BANKS[ifsc]
    return {"name": shown.name, "note": shown.note}


def read_code(ifsc: str) -> BankCode:
    # Not by what is remembered: anything can be asked here.
    reading = read_ifsc(ifsc)
    return {"ifsc": reading.code, "name": reading.name, "note": reading.note, "dataVersion": directory().version}


def read_data() -> BankData:
    known = directory()
    return {
        "dataVersion": known.version,
        "codes": known.code_count,
        "banks": known.bank_count,
        "fetchedOn": known.fetched_on,
    }
