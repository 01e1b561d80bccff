"""What a room declares about its noun, for the parts of the desk that serve every noun.

Exports, saved views and live updates read these declarations from `resources.py`, instead of naming each noun.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement

from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.masking import Holds

# "details" are the fields of an object, or nothing.
Kind = Literal["moment", "money", "text", "details"]


# The labels of all verbs that were declared.
_LABELS: dict[str, str] = {}


class Verb(StrEnum):
    """The base of a room's audit verbs. Each has a name, which is in the log, and a label, which is on the screens. A
    verb that was once used keeps its name and its meaning for ever."""

    label: str

    def __new__(cls, name: str, label: str) -> Self:
        verb = str.__new__(cls, name)
        verb._value_ = name
        verb.label = label
        _LABELS[name] = label
        return verb


def label_of(verb: str) -> str:
    """A verb that only a later version knows is shown as the log has it."""
    return _LABELS.get(verb) or verb.replace(".", " ").replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an exported file: `label` is its heading on the screen, `name` its name in the statement."""

    label: str
    name: str
    kind: Kind = "text"
    width: int = 16
    # Of a text: unless it is declared, numbers in it are masked for admins who see only their last digits.
    holds: Holds | None = None
    is_masked: bool = False
    # Makes a text of the cell first.
    convert: Callable[[Any], str] | None = None

    def label_in(self, zone: ZoneInfo) -> str:
        """Names the zone, because a spreadsheet shows a moment as it was written, not by the admin's clock."""
        return f"{self.label} ({zone.key})" if self.kind == "moment" else self.label


CREATED_AT = Column("Date", "created_at", "moment", 24)


@dataclass(frozen=True, slots=True)
class ListedRows:
    """A list at an address of its own: it can be exported, and open screens show its row count live."""

    listing: Listing
    query: type[ListQuery]
    columns: tuple[Column, ...]
    # What only its files have, beside the columns of the list.
    more: tuple[ColumnElement[Any], ...] = ()
    # The name of the permission that reading it needs, unless every admin may.
    permission: str | None = None

    def columns_for(self, *, hides_numbers: bool) -> tuple[Column, ...]:
        return tuple(replace(column, is_masked=hides_numbers) for column in self.columns)


@dataclass(frozen=True, slots=True)
class Resource:
    # As the API calls it in exports, saved views and live counts.
    name: str
    # The path of its screen in the web app; `:id` stands for any id.
    screen: str | None = None
    rows: ListedRows | None = None
    # Whether admins can save views of its screen.
    has_views: bool = False
    # Changes that are sent to every open screen.
    live_verbs: type[Verb] | None = None
    # The path of its printable page in the web app.
    paper: str | None = None
