"""The short numbers by which people name rows, such as C-10482. The database gives them, in the order of creation."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field, WithJsonSchema, field_validator, model_validator
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    FromClause,
    Identity,
    String,
    Table,
    bindparam,
    cast,
    func,
    or_,
)

from countinghouse.core.listing.items import Converted
from countinghouse.core.listing.query import Filter, Filtered
from countinghouse.core.listing.sql import number as written_number

# Long enough from the first row on that nobody takes one for a count.
FIRST_NUMBER = 10_001


def number_column(letter: str) -> Column[int]:
    """Only the database fills it: PostgreSQL by a sequence, SQLite by a trigger. Rows of other programs get one too."""
    given = Identity(always=True, start=FIRST_NUMBER)
    return Column("number", BigInteger, given, nullable=False, info={"letter": letter})


def letter_of(table: Table) -> str:
    letter: str = table.c.number.info["letter"]
    return letter


def with_letter(table: Table, number: int) -> str:
    return f"{letter_of(table)}-{number}"


def shown_number(table: Table, rows: FromClause) -> Converted:
    """`rows` is the table or a subquery of it."""
    letter = letter_of(table)
    return Converted(rows.c.number, lambda number: f"{letter}-{number}")


def _is_named(rows: Filtered) -> ColumnElement[bool]:
    named: ColumnElement[str] = bindparam("named", type_=String)
    digits = func.substr(named, written_number(3))
    return or_(rows.table.c.number == cast(digits, BigInteger), rows.table.c.external_id == named)


class Numbered(BaseModel):
    """A list whose rows can be found by number. Searching for one finds exactly that row, and any that the service
    calls the same: an admin should see both."""

    letter: ClassVar[str]

    number: Annotated[
        int | None,
        Field(description="Only the row with this number, such as 10482; its letter may stand before it."),
        WithJsonSchema({"type": "string", "pattern": "^([A-Za-z]-)?[0-9]{1,15}$"}),
        Filter(lambda rows: rows.table.c.number == bindparam("number"), narrows=True),
    ] = None

    named: Annotated[
        str | None,
        Field(description="Only rows with this number, such as C-10482, or with this `externalId`."),
        WithJsonSchema({"type": "string", "pattern": "^[A-Za-z]-[0-9]{1,15}$"}),
        Filter(_is_named, narrows=True),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _search_by_number(cls, given: Any) -> Any:
        q = given.get("q") if isinstance(given, Mapping) else None
        if not isinstance(q, str) or given.get("named") is not None:
            return given
        return {**given, "q": None, "named": q} if cls._is_number(q) else given

    @classmethod
    def _is_number(cls, text: str) -> bool:
        return re.fullmatch(rf"{cls.letter}-[0-9]{{1,15}}", text, re.IGNORECASE) is not None

    @field_validator("named")
    @classmethod
    def _of_this_list(cls, given: str | None) -> str | None:
        if given is not None and not cls._is_number(given):
            raise ValueError(f"must look like {cls.letter}-10482.")
        return given

    @field_validator("number", mode="before")
    @classmethod
    def _without_letter(cls, given: Any) -> Any:
        if not isinstance(given, str):
            return given
        found = re.fullmatch(rf"(?:{cls.letter}-)?([0-9]{{1,15}})", given, re.IGNORECASE)
        if not found:
            raise ValueError(f"must look like {cls.letter}-10482.")
        return int(found[1])
