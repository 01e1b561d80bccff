"""CSV that spreadsheets import unchanged: no formulas, no lost leading zeros, no rounded digits."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from countinghouse.core.resource import Column, Kind
from countinghouse.exports.files import plain_rupees

# The longest text that Excel accepts inside a formula.
_LONGEST_QUOTED = 255
_DIGITS = re.compile(r"[0-9]+")
# Text that a spreadsheet would convert to a date, a time or another number: 1-2, 12E4, 1,5.
_LOOKS_LIKE_A_NUMBER = re.compile(r"(?=.*[eE.,:/+-])[0-9][0-9eE.,:/+ -]*")
_BEGINS_A_FORMULA = frozenset("=+-@")
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")


def safe_text(text: str) -> str:
    if _DIGITS.fullmatch(text):
        # Only digits can be between these quotes, so the formula always evaluates to the same text.
        return f'="{text}"' if len(text) <= _LONGEST_QUOTED else f"'{text}"
    if _begins_a_formula(text) or _LOOKS_LIKE_A_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _begins_a_formula(text: str) -> bool:
    if text[:1].isalpha():
        return False
    if text[:1] in ("\t", "\r", "\n"):
        return True
    first = next((character for character in text if unicodedata.category(character) not in _INVISIBLE), "")
    # Some spreadsheets treat full-width and small forms of these characters like the plain ones.
    return unicodedata.normalize("NFKC", first)[:1] in _BEGINS_A_FORMULA


def _moment(iso_text: str) -> str:
    """2026-11-15 02:52:36: Excel and LibreOffice read this as a date and time. With T, Z or a fraction it would be
    text, or cut off."""
    return f"{iso_text[:10]} {iso_text[11:19]}"


_CELLS: Mapping[Kind, Callable[[Any], str]] = {"moment": _moment, "money": plain_rupees, "text": safe_text}


class CsvWriter:
    media_type = "text/csv; charset=utf-8"

    def __init__(self, columns: Sequence[Column]) -> None:
        self._labels = [column.label for column in columns]
        self._values = attrgetter(*(column.name for column in columns))
        self._cells = [_CELLS[column.kind] for column in columns]

    def begin(self) -> bytes:
        # Without the byte order mark, Excel assumes the machine's legacy encoding.
        return codecs.BOM_UTF8 + _lines([self._labels])

    def add(self, rows: Sequence[Row[Any]]) -> bytes:
        return _lines([cell(value) for cell, value in zip(self._cells, self._values(row), strict=True)] for row in rows)

    def end(self) -> bytes:
        return b""


def _lines(rows: Any) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode(errors="replace")
