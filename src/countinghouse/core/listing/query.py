"""The query parameters of a list. A filter is declared once: in the annotation of its query field."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Protocol

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError
from sqlalchemy import Column, ColumnElement, Table, bindparam

from countinghouse.core.desk_zone import END_YEAR, FIRST_YEAR, read_day, start_of
from countinghouse.core.inputs import PlainText, spelt
from countinghouse.core.money import LARGEST_PAISE


class Filtered(Protocol):
    """What a shared filter needs to know of a list."""

    @property
    def table(self) -> Table: ...

    @property
    def amount(self) -> Column[int]: ...


@dataclass(frozen=True)
class Filter:
    """Which rows a query field keeps. The bound value has the field's name.

    `narrows`: it may leave few rows or many, which only a query can show. Such a filter has an index. `beside` are
    filters with which it has an index as well: what they leave together may be few, where each leaves many.
    """

    condition: Callable[[Filtered], ColumnElement[bool]]
    narrows: bool = False
    beside: tuple[str, ...] = ()


def filters_of(query: type[BaseModel]) -> dict[str, Filter]:
    return {
        name: declared
        for name, field in query.model_fields.items()
        for declared in field.metadata
        if isinstance(declared, Filter)
    }


NEWEST_FIRST = "-createdAt"

# Enough for an address of 300 characters at six bytes each, in base64.
LONGEST_CURSOR = 3000


_EARLIEST, _LATEST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(END_YEAR, 1, 1, tzinfo=UTC)
FIRST_MOMENT, LAST_MOMENT = "1900-01-01T00:00:00Z", "8999-12-31T00:00:00Z"


def _no_number(value: Any) -> Any:
    # Pydantic would read one as seconds since 1970.
    if isinstance(value, int | float):
        raise PydanticCustomError("datetime_type", "a number")
    return value


PossibleMoment = Annotated[
    AwareDatetime,
    Field(ge=_EARLIEST, lt=_LATEST, strict=False),
    spelt(r"\d{4}-.+", "datetime_parsing"),
    BeforeValidator(_no_number),
]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _read_days(days_later: int) -> BeforeValidator:
    """Takes a day of the desk for its first moment, or for that of a day later."""

    def read(value: Any) -> Any:
        if not isinstance(value, str) or not _DAY.fullmatch(value):
            return value
        try:
            day = read_day(value)
        except ValueError:
            raise PydanticCustomError("datetime_parsing", "is no day") from None
        # East of Greenwich the first possible day begins before the first possible moment.
        return min(max(start_of(day + timedelta(days=days_later)), _EARLIEST), _LATEST - timedelta.resolution)

    return BeforeValidator(read)


_DAY_OR_MOMENT = WithJsonSchema({"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}]})
# The ends of a period: moments, or days in the desk's time zone. The last day is part of the period.
PeriodStart = Annotated[PossibleMoment, _read_days(0), _DAY_OR_MOMENT]
PeriodEnd = Annotated[PossibleMoment, _read_days(1), _DAY_OR_MOMENT]
AskedRupees = Annotated[
    Decimal,
    Field(ge=0, le=Decimal(LARGEST_PAISE) / 100, decimal_places=2, allow_inf_nan=False, max_digits=20, strict=False),
    spelt(r"-?\d+(\.\d+)?", "decimal_parsing"),
]
_IN_DIGITS = spelt(r"-?\d+", "int_parsing")


class ListFilters(BaseModel):
    """Which rows. Every part is optional; a name that is not here is refused rather than ignored."""

    # Frozen, so that it can be the key of a cache.
    model_config = ConfigDict(extra="forbid", frozen=True)

    q: Annotated[PlainText | None, Field(min_length=1, max_length=100, description="Text to search for.")] = None
    from_: Annotated[
        PeriodStart | None,
        Field(alias="from", description="Created at or after this moment, or on this day or later."),
        Filter(lambda rows: rows.table.c.created_at >= bindparam("from_")),
    ] = None
    to: Annotated[
        PeriodEnd | None,
        Field(description="Created before this moment, or on this day or earlier."),
        Filter(lambda rows: rows.table.c.created_at < bindparam("to")),
    ] = None


class ListQuery(ListFilters):
    """Which rows, in which order, and which part of them."""

    limit: Annotated[
        int | None,
        Field(ge=1, le=1000, description="Rows per page. Without it, the whole list is returned."),
        _IN_DIGITS,
    ] = None
    cursor: Annotated[
        str | None, Field(max_length=LONGEST_CURSOR, description="From the Link header of the previous page.")
    ] = None
    skip: Annotated[
        int | None,
        Field(ge=0, le=100_000_000, description="Rows to skip before the page. Meant for jumps; a cursor is cheaper."),
        _IN_DIGITS,
    ] = None
    sort: Annotated[
        str, Field(max_length=40, description="A field name; a minus before it sorts in descending order.")
    ] = NEWEST_FIRST

    @property
    def more(self) -> str | None:
        """Which fields that cost more are wanted, by name."""
        return None


class AmountRange(BaseModel):
    min_amount: Annotated[
        AskedRupees | None,
        Field(alias="minAmount", description="Minimum amount in rupees."),
        Filter(lambda rows: rows.amount >= bindparam("min_amount"), narrows=True),
    ] = None
    max_amount: Annotated[
        AskedRupees | None,
        Field(alias="maxAmount", description="Maximum amount in rupees."),
        Filter(lambda rows: rows.amount <= bindparam("max_amount"), narrows=True),
    ] = None


class Exactly(BaseModel):
    exact: Annotated[bool, Field(description="Count every match, however many there are.")] = False
