"""What a room declares about its noun, for the parts of the desk that serve every noun.

Exports, saved views and live updates read these declarations from `resources.py`. None of them names a noun itself.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from countinghouse.core.listing import Listing, ListQuery

Kind = Literal["moment", "money", "text"]


class Verb(StrEnum):
    """The base of a room's audit verbs. A verb that was once used keeps its meaning for ever."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an exported file: `label` is its heading on the screen, `name` its name in the statement."""

    label: str
    name: str
    kind: Kind = "text"
    width: int = 16


# The zone is named because a spreadsheet shows a moment as it was written, not by the admin's clock.
CREATED_AT = Column("Date (UTC)", "created_at", "moment", 20)


@dataclass(frozen=True, slots=True)
class ListedRows:
    """A list at an address of its own: it can be exported, and open screens show its row count live."""

    listing: Listing
    query: type[ListQuery]
    columns: tuple[Column, ...]


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
