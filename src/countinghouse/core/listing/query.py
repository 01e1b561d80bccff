"""The query parameters of a list. A filter is declared once: in the annotation of its query field."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy import Column, ColumnElement, Table, bindparam

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

    `narrows`: it may leave few rows or many, which only a query can show. Such a filter has an index.
    """

    condition: Callable[[Filtered], ColumnElement[bool]]
    narrows: bool = False


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


# Python cannot convert its earliest and latest datetimes to another time zone.
PossibleMoment = Annotated[
    AwareDatetime,
    Field(ge=datetime(1900, 1, 1, tzinfo=UTC), lt=datetime(9000, 1, 1, tzinfo=UTC)),
    # Pydantic would read a bare number as seconds since 1970.
    spelt(r"\d{4}-.+", "datetime_parsing"),
]
AskedRupees = Annotated[
    Decimal,
    Field(ge=0, le=Decimal(LARGEST_PAISE) / 100, decimal_places=2, allow_inf_nan=False, max_digits=20),
    spelt(r"-?\d+(\.\d+)?", "decimal_parsing"),
]
_IN_DIGITS = spelt(r"-?\d+", "int_parsing")


class ListFilters(BaseModel):
    """Which rows. Every part is optional; a name that is not here is refused rather than ignored."""

    # Frozen, so that it can be the key of a cache.
    model_config = ConfigDict(extra="forbid", frozen=True)

    q: Annotated[PlainText | None, Field(min_length=1, max_length=100, description="Text to search for.")] = None
    from_: Annotated[
        PossibleMoment | None,
        Field(alias="from", description="Created at or after this moment."),
        Filter(lambda rows: rows.table.c.created_at >= bindparam("from_")),
    ] = None
    to: Annotated[
        PossibleMoment | None,
        Field(description="Created before this moment."),
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
