"""What can be exported, and the interface of a file format: the bytes of its beginning, each chunk and its end."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Protocol
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from countinghouse.core.masked_answers import mask_cells
from countinghouse.core.resource import Column
from countinghouse.core.times import iso
from countinghouse.resources import LISTED

# A type that the API's description spells out, made of what is declared. The type checker cannot read it.
if TYPE_CHECKING:
    ListName = str
else:
    ListName = Literal[tuple(LISTED)]
Format = Literal["csv", "xlsx"]


class RowWriter(Protocol):
    media_type: str

    def begin(self) -> bytes: ...
    def add(self, rows: Sequence[Row[Any]]) -> bytes: ...
    def end(self) -> bytes: ...


def file_name(list_name: str, created_at: datetime, file_format: Format) -> str:
    return f"{list_name}-{iso(created_at)[:10]}.{file_format}"


def values_of(columns: Sequence[Column], zone: ZoneInfo) -> Callable[[Row[Any]], list[Any]]:
    """Reads the cells of a row: moments in the zone, texts where a column converts, and None for what is not there.
    Where the columns say so, account and mobile numbers are masked in all texts and details of the row."""
    read = attrgetter(*(column.name for column in columns))
    converts = [column.convert or (partial(_in_zone, zone) if column.kind == "moment" else None) for column in columns]
    texts = [
        (place, column.holds)
        for place, column in enumerate(columns)
        if column.is_masked and column.kind in ("text", "details")
    ]

    def values(row: Row[Any]) -> list[Any]:
        return [
            cell if convert is None or cell is None else convert(cell)
            for convert, cell in zip(converts, read(row), strict=True)
        ]

    return (lambda row: mask_cells(values(row), texts)) if texts else values


def _in_zone(zone: ZoneInfo, iso_text: str) -> datetime:
    moment = datetime.fromisoformat(iso_text)
    try:
        return moment.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        # At the ends of the calendar, where it is only a placeholder for an unknown moment.
        return moment.replace(tzinfo=None)


def plain_rupees(paise: int) -> str:
    return f"{paise // 100}.{paise % 100:02}"


def plain_details(details: object) -> str:
    """An object as `status: Paid, version: 2`."""
    if isinstance(details, dict):
        return ", ".join(f"{name}: {plain_details(value)}" for name, value in details.items())
    if isinstance(details, list):
        return "; ".join(map(plain_details, details))
    return "" if details is None else str(details)
