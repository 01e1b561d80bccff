"""CSV that spreadsheets import unchanged: no formulas, no lost leading zeros, no rounded digits."""

import codecs
import csv
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from countinghouse.core.csv_text import safe_text
from countinghouse.core.resource import Column, Kind
from countinghouse.exports.files import plain_details, plain_rupees, values_of


def _moment(moment: datetime) -> str:
    """2026-11-15 02:52:36: Excel and LibreOffice read this as a date and time. With T, Z or a fraction it would be
    text, or cut off."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


_CELLS: Mapping[Kind, Callable[[Any], str]] = {
    "moment": _moment,
    "money": plain_rupees,
    "text": safe_text,
    "details": lambda details: safe_text(plain_details(details)),
}


class CsvWriter:
    media_type = "text/csv; charset=utf-8"

    def __init__(self, columns: Sequence[Column], zone: ZoneInfo) -> None:
        self._labels = [column.label_in(zone) for column in columns]
        self._values = values_of(columns, zone)
        self._cells = [_CELLS[column.kind] for column in columns]

    def begin(self) -> bytes:
        # Without the byte order mark, Excel assumes the machine's legacy encoding.
        return codecs.BOM_UTF8 + _lines([self._labels])

    def add(self, rows: Sequence[Row[Any]]) -> bytes:
        return _lines(
            ["" if value is None else cell(value) for cell, value in zip(self._cells, self._values(row), strict=True)]
            for row in rows
        )

    def end(self) -> bytes:
        return b""


def _lines(rows: Any) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode(errors="replace")
