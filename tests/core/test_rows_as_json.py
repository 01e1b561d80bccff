"""Encoding a row of plain columns as a JSON object."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, MetaData, String, Table

from countinghouse.core.listing.items import Choice, Fields, Items, Rupees, list_columns
from countinghouse.core.times import Moment

things = Table(
    "things",
    MetaData(),
    Column("id", String(24), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("kept_at", Moment),
    Column("price_paise", BigInteger, nullable=False),
    Column("rebate_paise", BigInteger),
    Column("state", String(9), nullable=False),
)
FIELDS: Fields = {
    "_id": things.c.id,
    "madeAt": things.c.made_at,
    "kept": {"at": things.c.kept_at},
    "price": Rupees(things.c.price_paise),
    "rebate": Rupees(things.c.rebate_paise),
    "state": things.c.state,
    "next": Choice(things.c.state, {"new": msgspec.Raw(b'["old"]'), "old": ()}),
}
ROW: tuple[Any, ...] = ("a", "2026-11-15T02:52:36.120Z", "2026-11-15T02:52:37.000Z", 193750, 50, "new")
SHOWN = {
    "_id": "a",
    "madeAt": "2026-11-15T02:52:36.120Z",
    "kept": {"at": "2026-11-15T02:52:37.000Z"},
    "price": 1937.5,
    "rebate": 0.5,
    "state": "new",
    "next": ["old"],
}


def shown(*rows: tuple[Any, ...]) -> Any:
    return json.loads(Items(FIELDS).as_json(rows))


def test_a_column_that_is_shown_twice_is_read_once() -> None:
    assert [column.key for column in list_columns(FIELDS)] == [column.key for column in things.c]


def test_fields_keep_their_order_and_extra_columns_are_left_out() -> None:
    assert shown(ROW, ROW) == [SHOWN, SHOWN]
    assert list(shown(ROW)[0]) == list(FIELDS)
    assert shown((*ROW, "a key", 1_000_000)) == [SHOWN]
    assert Items(FIELDS).as_dict(ROW) == SHOWN


def test_no_rows_give_an_empty_array() -> None:
    assert shown() == []


def test_times_from_both_drivers_are_encoded_alike() -> None:
    made, kept = datetime(2026, 11, 15, 2, 52, 36, 120000, UTC), datetime(2026, 11, 15, 2, 52, 37, 0, UTC)
    assert shown(("a", made, kept, *ROW[3:])) == [SHOWN]


def test_missing_values_are_null() -> None:
    row = (*ROW[:2], None, 193750, None, "new")
    assert shown(row) == [SHOWN | {"kept": {"at": None}, "rebate": None}]


def test_special_characters_survive_encoding() -> None:
    odd = 'a"b\\c\n\u2028</script>\x01₹'
    assert shown((odd, *ROW[1:]))[0]["_id"] == odd
