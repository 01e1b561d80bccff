"""The lists that can be exported: the query, the rows and the file columns of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError
from sqlalchemy import Connection, Result

from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.listing.pages import count_if_cheap
from countinghouse.core.listing.whole import execute_whole
from countinghouse.core.quick import ConnectionLook
from countinghouse.purchases.queries import PURCHASES, PurchaseQuery
from countinghouse.users.queries import USERS

ListName = Literal["claims", "purchases", "users"]
Kind = Literal["moment", "money", "text"]

# Paging parameters are refused: an export contains all matching rows.
_PAGING_FIELDS = ("limit", "cursor", "skip")


@dataclass(frozen=True, slots=True)
class Column:
    """`label` is the name on the screen, `name` the name in the statement."""

    label: str
    name: str
    kind: Kind = "text"
    width: int = 16


@dataclass(frozen=True, slots=True)
class ExportedList:
    listing: Listing
    query: type[ListQuery]
    columns: tuple[Column, ...]


# The label names the time zone: a spreadsheet shows times as written, and not in the admin's time zone.
_WHEN = Column("Date (UTC)", "created_at", "moment", 20)
_WHO = (Column("User Name", "username", width=24), Column("Mobile", "mobile"))

LISTS: Mapping[ListName, ExportedList] = {
    "claims": ExportedList(
        CLAIMS,
        ClaimQuery,
        (
            _WHEN,
            *_WHO,
            Column("Invest", "invest_paise", "money"),
            Column("Amount", "amount_paise", "money"),
            Column("Account No", "account_no", width=22),
            Column("IFSC", "ifsc"),
            Column("Address", "address", width=40),
            Column("Status", "status", width=12),
        ),
    ),
    "purchases": ExportedList(
        PURCHASES,
        PurchaseQuery,
        (
            _WHEN,
            *_WHO,
            Column("Invest", "invest_paise", "money"),
            Column("Daily Income", "daily_income_paise", "money"),
            Column("Transaction ID", "upi_id", width=24),
            Column("Claim Type", "claim_type"),
            Column("QR Name", "qr_name"),
        ),
    ),
    "users": ExportedList(USERS, ListQuery, (_WHEN, *_WHO)),
}


def read_query(name: ListName, sent: Mapping[str, str]) -> ListQuery:
    """Parses the query as the list's own URL would."""
    out_of_place = {
        field: f"{field} has no place here: an export holds all rows that match." for field in _PAGING_FIELDS
    }
    if refused := {field: message for field, message in out_of_place.items() if field in sent}:
        raise InvalidInput(refused)
    try:
        asked = LISTS[name].query.model_validate(dict(sent))
    except ValidationError as error:
        raise invalid_from(error) from error
    # Refuses an unknown sort order.
    LISTS[name].listing.order(asked.sort)
    return asked


def execute_rows(connection: Connection, name: ListName, asked: ListQuery) -> Result[Any]:
    """The rows of the list, in its order."""
    return execute_whole(connection, LISTS[name].listing, asked)


def count_rows(connection: Connection, name: ListName, asked: ListQuery) -> int | None:
    """The number of rows, or None if counting costs more than reading a page."""
    return count_if_cheap(LISTS[name].listing, ConnectionLook(connection), asked)
