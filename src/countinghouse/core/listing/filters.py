"""A filter is declared once: in the annotation of its query field, beside the field's type and description."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel
from sqlalchemy import Column, ColumnElement, Table


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
