"""Reading all rows of a table in portions, in the order of a unique key."""

from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam

from countinghouse.core.db import Reader, Statement
from countinghouse.core.db.reader import NOTHING
from countinghouse.core.db.statement import Cells, Values
from countinghouse.core.listing.sql import number


class Portions:
    """The key is the last column of each row, named `place`.

    The first portion has no lower bound. Any value to begin after, such as an empty text, could be the key of a row
    that somebody has inserted, which would then never be read.
    """

    def __init__(self, chosen: Select[Any], key: ColumnElement[Any], limit: int) -> None:
        ordered = chosen.add_columns(key.label("place")).order_by(key).limit(number(limit))
        self.first = Statement(ordered)
        self.next = Statement(ordered.where(key > bindparam("after")))

    async def cells(self, reader: Reader, values: Values = NOTHING) -> AsyncIterator[list[Cells]]:
        portion = await reader.all(self.first, values)
        while portion:
            yield portion
            portion = await reader.all(self.next, {**values, "after": portion[-1][-1]})

    async def rows(self, reader: Reader, values: Values = NOTHING) -> AsyncIterator[list[Row[Any]]]:
        portion = await reader.rows(self.first, values)
        while portion:
            yield portion
            portion = await reader.rows(self.next, {**values, "after": portion[-1].place})
