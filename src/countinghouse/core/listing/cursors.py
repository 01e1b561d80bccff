"""Keyset cursors: the position where a page ended.

A client can forge a cursor, so each value is validated against what its column can hold.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
from pydantic import AfterValidator, Field, TypeAdapter
from sqlalchemy import BigInteger, Column, ColumnElement, String, bindparam, tuple_

from countinghouse.core.errors import InvalidInput
from countinghouse.core.listing.declarations import Order
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.times import Moment, iso, stored_text


def _parse_moment(text: str) -> datetime:
    """Accepts every moment that can be stored. The filters accept fewer, but a page can end at any row."""
    moment = datetime.fromisoformat(text)
    # Microseconds, as in row comparisons. Links from before migration 0008 have milliseconds.
    if not text.endswith("Z") or text not in (stored_text(moment), iso(moment)):
        raise ValueError("no moment of ours")
    return moment


_VALUES: dict[type[Any], TypeAdapter[Any]] = {
    Moment: TypeAdapter(Annotated[str, AfterValidator(_parse_moment)]),
    # A page can end at any stored text, even one that the inputs would refuse. Only NUL is never stored.
    String: TypeAdapter(Annotated[str, Field(max_length=500, pattern=r"^[^\x00]*$")]),
    BigInteger: TypeAdapter(Annotated[int, Field(strict=True, ge=0, le=LARGEST_PAISE)]),
}


def write_cursor(sort: str, position: Sequence[Any]) -> str:
    values = [stored_text(value) if isinstance(value, datetime) else value for value in position]
    return base64.urlsafe_b64encode(msgspec.json.encode([sort, *values])).decode().rstrip("=")


def wrong_cursor() -> InvalidInput:
    return InvalidInput({"cursor": "cursor belongs to another list or order; begin again without it."})


def read_cursor(text: str, sort: str, keys: Sequence[Column[Any]]) -> list[Any]:
    try:
        written = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(written, list) or written[:1] != [sort] or len(written) != len(keys) + 1:
            raise wrong_cursor()
        # An id can be any text too: another program may have generated it.
        return [_VALUES[type(key.type)].validate_python(value) for key, value in zip(keys, written[1:], strict=True)]
    except (binascii.Error, ValueError, TypeError, RecursionError) as error:
        raise wrong_cursor() from error


def after_cursor(order: Order, is_descending: bool) -> list[ColumnElement[bool]]:
    """The rows that come after those of the cursor's page."""
    after = [bindparam(f"after_{place}", type_=key.type) for place, key in enumerate(order.keys)]
    row_keys, cursor_keys = tuple_(*order.keys), tuple_(*after)
    conditions = [row_keys < cursor_keys if is_descending else row_keys > cursor_keys]
    if order.via is not None:
        # The row comparison spans two tables; this part of it can use the index of the `via` table.
        row_keys, cursor_keys = tuple_(*order.keys[:-1]), tuple_(*after[:-1])
        conditions.append(row_keys <= cursor_keys if is_descending else row_keys >= cursor_keys)
    return conditions
