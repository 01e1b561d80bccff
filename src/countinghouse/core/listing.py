"""What a list may be asked for: a part of it, in another order, some of it, a search. One statement serves them all."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter
from sqlalchemy import BigInteger, ColumnElement, Row, Select, String, func, literal, or_, select, tuple_

from countinghouse.core.errors import InvalidInput
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import PlainText
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.times import Moment

NEWEST_FIRST = "-createdAt"

# The ends of time as Python knows it cannot be moved to another zone.
PossibleMoment = Annotated[
    AwareDatetime, Field(ge=datetime(1900, 1, 1, tzinfo=UTC), lt=datetime(9000, 1, 1, tzinfo=UTC))
]


class ListQuery(BaseModel):
    """Every part is optional; a name that is not here is refused rather than ignored."""

    model_config = ConfigDict(extra="forbid")

    limit: Annotated[int | None, Field(ge=1, le=1000, description="Rows a page; without it the whole list.")] = None
    cursor: Annotated[str | None, Field(max_length=1000, description="From the Link header of the page before.")] = None
    q: Annotated[PlainText | None, Field(min_length=1, max_length=100, description="Text to look for.")] = None
    sort: Annotated[str, Field(max_length=40, description="A field's name; with a minus before it, descending.")] = (
        NEWEST_FIRST
    )
    from_: Annotated[PossibleMoment | None, Field(alias="from", description="Created at or after this moment.")] = None
    to: Annotated[PossibleMoment | None, Field(description="Created before this moment.")] = None


@dataclass(frozen=True)
class Listing:
    """A noun's list. `sorts` names, for each field of the answer, the column of the statement that orders it."""

    statement: Select[Any]
    id: ColumnElement[str]
    created_at: ColumnElement[datetime]
    sorts: Mapping[str, ColumnElement[Any]]
    searched: tuple[ColumnElement[str], ...]

    def select_all(self, asked: ListQuery, *more: ColumnElement[bool]) -> Select[Any]:
        """What is asked for, in order, from wherever the cursor points to."""
        column, is_descending = self._order(asked.sort)
        chosen = self._select_matching(asked, *more)
        if asked.cursor is not None:
            after = tuple_(*self._position(asked, column))
            here = tuple_(column, self.id)
            chosen = chosen.where(here < after if is_descending else here > after)
        order = (column, self.id)
        return chosen.order_by(*(part.desc() for part in order) if is_descending else order)

    def select_count(self, asked: ListQuery, *more: ColumnElement[bool]) -> Select[int]:
        return select(func.count()).select_from(self._select_matching(asked, *more).subquery())

    def cursor_after(self, asked: ListQuery, row: Row[Any]) -> str:
        column, _ = self._order(asked.sort)
        position = [asked.sort, row._mapping[str(column.key)], row.id]
        return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")

    def _select_matching(self, asked: ListQuery, *more: ColumnElement[bool]) -> Select[Any]:
        conditions = list(more)
        if asked.from_ is not None:
            conditions.append(self.created_at >= asked.from_)
        if asked.to is not None:
            conditions.append(self.created_at < asked.to)
        if asked.q is not None:
            conditions.append(or_(*(column.icontains(asked.q, autoescape=True) for column in self.searched)))
        return self.statement.where(*conditions)

    def _order(self, sort: str) -> tuple[ColumnElement[Any], bool]:
        name = sort.removeprefix("-")
        if name not in self.sorts:
            names = ", ".join(self.sorts)
            raise InvalidInput({"sort": f"sort must be one of {names}, with a minus before it for descending."})
        return self.sorts[name], sort.startswith("-")

    def _position(self, asked: ListQuery, column: ColumnElement[Any]) -> tuple[ColumnElement[Any], ...]:
        foreign = InvalidInput({"cursor": "cursor belongs to another list or order; begin again without it."})
        text = asked.cursor or ""
        try:
            sort, value, row_id = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            value = _CURSOR_VALUES[type(column.type)].validate_python(value)
        except (binascii.Error, ValueError, TypeError, RecursionError) as error:
            raise foreign from error
        if sort != asked.sort or not isinstance(row_id, str) or not is_id(row_id):
            raise foreign
        return literal(value, column.type), literal(row_id)


# Anybody can write a cursor: what stands in it is held to what such a column can hold.
_CURSOR_VALUES: dict[type[Any], TypeAdapter[Any]] = {
    Moment: TypeAdapter(PossibleMoment),
    String: TypeAdapter(Annotated[PlainText, Field(max_length=500)]),
    BigInteger: TypeAdapter(Annotated[int, Field(strict=True, ge=0, le=LARGEST_PAISE)]),
}
