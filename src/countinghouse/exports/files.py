"""The interface of a file format: it returns the bytes for its beginning, for each chunk of rows, and for its end."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from sqlalchemy import Row

from countinghouse.core.times import iso

Format = Literal["csv", "xlsx"]


class RowWriter(Protocol):
    def begin(self) -> bytes: ...
    def add(self, rows: Sequence[Row[Any]]) -> bytes: ...
    def end(self) -> bytes: ...


def file_name(list_name: str, created_at: datetime, file_format: Format) -> str:
    return f"{list_name}-{iso(created_at)[:10]}.{file_format}"


def plain_rupees(paise: int) -> str:
    return f"{paise // 100}.{paise % 100:02}"
