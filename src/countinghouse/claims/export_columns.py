"""What a file of claims has beside the columns of the list, so that it can be compared with a bank statement."""

from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, or_, select

from countinghouse.banks.queries import bank_of
from countinghouse.claims.lifecycle import Status
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.listing.items import selected
from countinghouse.core.listing.sql import number, written
from countinghouse.core.masking import Holds
from countinghouse.core.numbers import with_letter
from countinghouse.core.resource import Column

NUMBER = Column("Claim No.", "number", convert=partial(with_letter, claims))
BANK = Column("Bank", "ifsc", width=24, convert=lambda ifsc: bank_of(ifsc)["name"])

_BY, _AT, _REASON = "moved_by", "moved_at", "reason"
# A claim may have left the status since: a returned one was paid. What was undone or started again is left out.
_STARTS_AGAIN: tuple[Status, ...] = ("Pending", "Accepted")
_MOVES: dict[Status, tuple[str, ...]] = {
    "Accepted": (_BY, _AT),
    "Paid": (_BY, _AT),
    "Rejected": (_BY, _AT, _REASON),
    "Returned": (_BY, _AT, _REASON),
}


def _move_column(status: Status, column: str) -> Column:
    name = f"{status}_{column}"
    if column == _AT:
        return Column(f"{status} at", name, "moment", 24)
    if column == _REASON:
        return Column(f"{status} because", name, width=30)
    return Column(f"{status} by", name)


def _still_counts(move_number: ColumnElement[int]) -> ColumnElement[bool]:
    later = claim_transitions.alias()
    again = or_(*(later.c.to_status == written(status) for status in _STARTS_AGAIN))
    return ~exists().where(later.c.claim_id == claims.c.id, later.c.number > move_number, again)


def _newest(rows: Select[Any], order: ColumnElement[int], name: str) -> ColumnElement[Any]:
    return rows.order_by(order.desc()).limit(number(1)).scalar_subquery().label(name)


def _last_move(status: Status, column: str) -> ColumnElement[Any]:
    move = claim_transitions.alias()
    moved = select(selected(move.c[column])).where(move.c.claim_id == claims.c.id, move.c.to_status == written(status))
    moved = moved.where(_still_counts(move.c.number))
    return _newest(moved, move.c.number, f"{status}_{column}")


_references = select(payout_references.c.reference).where(
    payout_references.c.claim_id == claims.c.id, _still_counts(payout_references.c.number)
)

COLUMNS = (
    Column("Bank Reference", "payout_reference", width=24, holds=Holds.REFERENCE),
    *(_move_column(status, column) for status, columns in _MOVES.items() for column in columns),
    Column("Client ID", "client_id", width=26),
    Column("ID", "row_id", width=26),
    Column("External ID", "external_id", width=26, holds=Holds.REFERENCE),
)
SELECTED = (
    _newest(_references, payout_references.c.number, "payout_reference"),
    *(_last_move(status, column) for status, columns in _MOVES.items() for column in columns),
    claims.c.user_id.label("client_id"),
    claims.c.id.label("row_id"),
    claims.c.external_id,
)
