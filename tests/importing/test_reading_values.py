"""Values as services store them: each becomes exactly what it means, or is a problem with a reason."""

from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from bson import Decimal128, ObjectId
from bson.datetime_ms import DatetimeMS
from hypothesis import given
from hypothesis import strategies as st

from countinghouse.importing.values import Unclear, plain, to_id, to_moment, to_paise, to_text

INDIA = ZoneInfo("Asia/Kolkata")
# Extended JSON that no MongoDB has written.
MALFORMED: list[Any] = [
    {"$numberDouble": "abc"},
    {"$numberDouble": "NaN"},
    {"$numberDecimal": ""},
    {"$numberDecimal": "9" * 5000},
    {"$numberDecimal": "1e900000000"},
    {"$numberInt": "1.5"},
    {"$numberLong": "9" * 5000},
    {"$date": {"$numberLong": "soon"}},
    {"$ref": "users", "$id": {"$ref": "users", "$id": "u1"}},
]
MOMENT = datetime(2026, 11, 15, 4, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "rupees"),
    [
        (199.99, "199.99"),
        (0.1 + 0.2, "0.30"),
        (1e5, "100000"),
        (1250, "1250"),
        ("1250.5", "1250.50"),
        ("₹ 12,34,567.50", "1234567.50"),
        ("Rs. 1,250", "1250"),
        ("1,234,567", "1234567"),
        (Decimal("33.335"), "33.34"),
        (Decimal128("19.99"), "19.99"),
        ({"$numberDouble": "199.99"}, "199.99"),
        ({"$numberDecimal": "5.005"}, "5.01"),
        ({"$numberLong": "42"}, "42"),
    ],
)
def test_money_is_read_to_the_paisa(value: Any, rupees: str) -> None:
    assert to_paise(plain(value))[0] == Decimal(rupees) * 100


@pytest.mark.parametrize(("value", "is_rounded"), [(199.99, False), (33.333, True), (0.1 + 0.2, True), ("5.10", False)])
def test_rounded_money_is_reported(value: Any, is_rounded: bool) -> None:
    assert to_paise(value)[1] is is_rounded


@pytest.mark.parametrize(
    "value",
    [
        "12,50",
        "1.250,00",
        "abc",
        "",
        True,
        float("nan"),
        float("inf"),
        1e300,
        {"a": 1},
        [],
        "1 250",
        "१२",
        -5,
        1e18,
        10**16,
        "1" * 100,
        "1e900000000",
        Decimal("1e900000000"),
        Decimal("sNaN"),
        *MALFORMED,
    ],
)
def test_what_is_no_amount_is_refused(value: Any) -> None:
    with pytest.raises(Unclear):
        to_paise(plain(value))


@pytest.mark.parametrize(
    "value",
    [
        MOMENT,
        "2026-11-15T04:00:00Z",
        "2026-11-15T09:30:00+05:30",
        "2026-11-15 09:30",
        datetime(2026, 11, 15, 9, 30),
        1_794_715_200_000,
        "1794715200000",
        1_794_715_200_000.0,
        {"$date": "2026-11-15T04:00:00.000Z"},
        {"$date": {"$numberLong": "1794715200000"}},
        {"$date": 1_794_715_200_000},
        46341.395833333336,
        "46341.395833333336",
    ],
)
def test_moments_in_every_spelling_are_the_same(value: Any) -> None:
    assert to_moment(plain(value), INDIA, None) == MOMENT


def test_a_date_alone_begins_at_midnight_where_it_was_written() -> None:
    midnight = datetime(2026, 11, 14, 18, 30, tzinfo=UTC)
    assert to_moment(date(2026, 11, 15), INDIA, None) == midnight
    assert to_moment("2026-11-15", INDIA, None) == midnight
    assert to_moment("15/11/2026", INDIA, "%d/%m/%Y") == midnight


@pytest.mark.parametrize(
    "value",
    [
        "15/11/2026",
        "yesterday",
        "",
        1_763_179_200,
        True,
        10**20,
        "2026-02-30",
        {"x": 1},
        -1,
        -(10**14) + 1,
        10**400,
        "9" * 5000,
        float("nan"),
        Decimal("sNaN"),
        Decimal("1e900000000"),
        datetime.min.replace(tzinfo=INDIA),
        DatetimeMS(-(10**14) + 1),
        {"$date": 10**400},
        {"$date": {"$numberLong": "9" * 5000}},
        *MALFORMED,
    ],
)
def test_what_is_no_moment_is_refused(value: Any) -> None:
    with pytest.raises(Unclear):
        to_moment(plain(value), INDIA, None)


@pytest.mark.parametrize(
    ("value", "text"),
    [("00123", "00123"), (9805756092, "9805756092"), (9805756092.0, "9805756092"), (Decimal("42"), "42")],
)
def test_numbers_become_text_digit_by_digit(value: Any, text: str) -> None:
    assert to_text(value) == text


@pytest.mark.parametrize(
    "value",
    [123456789012345678.0, 1.5, True, None, {}, float("nan"), Decimal("1e900000000"), Decimal("sNaN"), *MALFORMED],
)
def test_digits_that_may_be_lost_are_refused(value: Any) -> None:
    with pytest.raises(Unclear):
        to_text(plain(value))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text() | st.binary(),
        lambda inner: (
            st.dictionaries(
                st.sampled_from(
                    ["$oid", "$numberDouble", "$numberDecimal", "$numberLong", "$date", "$ref", "$id", "a"]
                ),
                inner,
                max_size=2,
            )
            | st.lists(inner, max_size=2)
        ),
        max_leaves=4,
    )
)
def test_any_value_at_all_is_read_or_refused_with_a_reason(value: Any) -> None:
    for read in (to_text, to_id, to_paise, lambda found: to_moment(found, INDIA, "%d/%m/%Y")):
        with suppress(Unclear):
            read(plain(value))


@pytest.mark.parametrize(
    "value",
    [
        ObjectId("6917e2f4a1b2c3d4e5000001"),
        {"$oid": "6917e2f4a1b2c3d4e5000001"},
        "6917E2F4A1B2C3D4E5000001",
        "ObjectId(6917e2f4a1b2c3d4e5000001)",
        'ObjectId("6917e2f4a1b2c3d4e5000001")',
    ],
)
def test_an_id_of_mongodb_is_the_same_in_every_format(value: Any) -> None:
    assert to_id(plain(value)) == "6917e2f4a1b2c3d4e5000001"
