"""What can be exported, and the interface of a file format: the bytes of its beginning, each chunk and its end."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from sqlalchemy import Row

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


def plain_rupees(paise: int) -> str:
    return f"{paise // 100}.{paise % 100:02}"
