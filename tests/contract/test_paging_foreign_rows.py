"""Rows of other programs: whatever their time precision, format and order, paging shows each of them once."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from countinghouse.core.times import iso
from tests.contract.foreign_rows import (
    BASE,
    Foreign,
    foreign_connection,
    insert_rows,
    some_moments,
    write_foreign_rows,
)
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, SORTS, USERS, every_sort, ids, value_at, walk
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import Desk
from tests.exports.downloads import download, read_csv

ROWS = 42
NOUNS = {CLAIMS: "claims", PURCHASES: "purchases", USERS: "users"}


@pytest.fixture
def written(desk: Desk) -> Foreign:
    return write_foreign_rows(desk, ROWS)


def _in_order(moments: dict[str, datetime]) -> list[str]:
    return sorted(moments, key=lambda row_id: (moments[row_id], row_id))


@pytest.mark.parametrize("limit", [1, 2, 7, 20])
@pytest.mark.parametrize("path", LISTS)
def test_paging_by_time_shows_every_row_once_in_chronological_order(
    desk: Desk, written: Foreign, path: str, limit: int
) -> None:
    expected = _in_order(getattr(written, NOUNS[path]))
    assert ids(walk(desk, path, {"sort": "createdAt", "limit": str(limit)})) == expected
    assert ids(walk(desk, path, {"sort": "-createdAt", "limit": str(limit)})) == expected[::-1]
    assert ids(desk.get(path).json()) == expected[::-1]


@pytest.mark.parametrize("path", LISTS)
def test_paging_in_every_sort_order_shows_every_row_once(desk: Desk, written: Foreign, path: str) -> None:
    for sort in every_sort(path):
        whole = desk.get(path, params={"sort": sort}).json()
        assert sorted(ids(whole)) == sorted(getattr(written, NOUNS[path]))
        keys = [value_at(row, SORTS[path][sort.removeprefix("-")]) for row in whole]
        assert keys == sorted(keys, reverse=sort.startswith("-"))
        for limit in ("2", "7"):
            assert walk(desk, path, {"sort": sort, "limit": limit}) == whole


@pytest.mark.parametrize("path", LISTS)
def test_times_are_shown_to_the_millisecond_whatever_format_was_written(
    desk: Desk, written: Foreign, path: str
) -> None:
    shown = {row["_id"]: row["createdAt"] for row in desk.get(path).json()}
    assert shown == {row_id: iso(moment) for row_id, moment in getattr(written, NOUNS[path]).items()}
    assert {row["_id"]: row["createdAt"] for row in walk(desk, path, {"limit": "20"})} == shown


EDGES = (
    BASE,
    BASE + timedelta(microseconds=120_000),
    BASE + timedelta(microseconds=120_345),
    BASE + timedelta(microseconds=120_346),
    BASE + timedelta(microseconds=999),
    BASE + timedelta(microseconds=1_000),
    BASE.replace(hour=0, minute=0, second=0),
    BASE.replace(hour=0, minute=0, second=0) - timedelta(microseconds=1),
    BASE.replace(hour=0, minute=0, second=0) + timedelta(microseconds=1),
)


@pytest.mark.parametrize("path", LISTS)
def test_from_and_to_are_exact_in_pages_lists_totals_and_exports(desk: Desk, written: Foreign, path: str) -> None:
    moments = getattr(written, NOUNS[path])
    windows: list[tuple[datetime | None, datetime | None]] = [(edge, None) for edge in EDGES]
    windows += [(None, edge) for edge in EDGES]
    windows += [(EDGES[6], EDGES[2]), (EDGES[7], EDGES[8]), (EDGES[0], EDGES[4])]
    for first, end in windows:
        asked = {name: edge.isoformat() for name, edge in (("from", first), ("to", end)) if edge is not None}
        expected = [
            row_id
            for row_id in reversed(_in_order(moments))
            if (first is None or moments[row_id] >= first) and (end is None or moments[row_id] < end)
        ]
        assert ids(desk.get(path, params=asked).json()) == expected, asked
        assert ids(walk(desk, path, {**asked, "limit": "7"})) == expected, asked
        totals = desk.get(path.removesuffix("/all") + "/totals", params=asked).json()
        assert totals["count"] == len(expected), asked
    assert len(read_csv(download(desk, NOUNS[path], "csv", **asked))) - 1 == len(expected)


FILTERS: tuple[tuple[str, dict[str, str]], ...] = (
    (CLAIMS, {"status": "Paid"}),
    (CLAIMS, {"q": "0003"}),
    (CLAIMS, {"q": "ananya 1"}),
    (CLAIMS, {"minAmount": "1", "maxAmount": "3"}),
    (CLAIMS, {"status": "Pending", "from": BASE.isoformat()}),
    (CLAIMS, {"q": "ananya", "to": (BASE + timedelta(microseconds=777)).isoformat()}),
    (PURCHASES, {"claimType": "Daily", "from": BASE.isoformat()}),
    (PURCHASES, {"minAmount": "1"}),
    (PURCHASES, {"q": "0001"}),
    (USERS, {"q": "ananya 2"}),
)


@pytest.mark.parametrize(("path", "asked"), FILTERS)
def test_filtered_pages_agree_with_the_whole_list_and_the_totals(
    desk: Desk, written: Foreign, path: str, asked: dict[str, str]
) -> None:
    assert getattr(written, NOUNS[path])
    for sort in ("createdAt", "-createdAt", "username"):
        whole = desk.get(path, params={**asked, "sort": sort}).json()
        assert whole
        for limit in ("1", "2", "7", "20"):
            assert walk(desk, path, {**asked, "sort": sort, "limit": limit}) == whole
    totals = desk.get(path.removesuffix("/all") + "/totals", params=asked).json()
    count = totals["count"] if "status" not in asked else _count_of_status(totals, asked["status"])
    assert count == len(whole)


def _count_of_status(totals: dict[str, Any], status: str) -> int:
    return int(next(part["count"] for part in totals["byStatus"] if part["status"] == status))


@pytest.mark.usefixtures("written")
def test_totals_and_searches_stay_exact_for_every_time_format(desk: Desk) -> None:
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)
    with foreign_connection(desk) as connection:
        for table in NOUNS.values():
            cursor = connection.cursor()
            cursor.execute(
                f"UPDATE {table} SET created_at = '2026-11-16 01:00:00.5+05:30' WHERE created_at IS NOT NULL"
            )
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)
    shown = {row["createdAt"] for path in LISTS for row in desk.get(path).json()}
    assert shown == {"2026-11-15T19:30:00.500Z"}
    with foreign_connection(desk) as connection:
        connection.cursor().execute("DELETE FROM claims")
    assert_tallies_are_true(desk.database)


def test_rows_of_the_desk_and_of_other_programs_share_one_order(desk: Desk) -> None:
    moments = some_moments(Random(3), 30)  # noqa: S311 - the same rows every time
    stored = {}
    for place, moment in enumerate(moments):
        if place % 2:
            stored[desk.add_user(created_at=moment)] = moment
        else:
            row_id = f"{place:024x}"
            with foreign_connection(desk) as connection:
                time_text = moment.strftime("%Y-%m-%d %H:%M:%S.%f")
                insert_rows(desk, connection, "users", [(row_id, time_text, "Ravi", "1")])
            stored[row_id] = moment
    assert ids(walk(desk, USERS, {"sort": "createdAt", "limit": "1"})) == _in_order(stored)


@pytest.mark.parametrize(
    "time_text", ["", "some day", "1763175156", "2026-13-01T00:00:00Z", "2026-02-30 00:00:00", "0000-01-01T00:00:00Z"]
)
def test_an_invalid_time_is_refused_with_a_message(desk: Desk, time_text: str) -> None:
    for change in (
        lambda connection: insert_rows(desk, connection, "users", [("a" * 24, time_text, "Ravi", "1")]),
        lambda connection: connection.cursor().execute(f"UPDATE users SET created_at = '{time_text}'"),
    ):
        user_id = desk.add_user()
        with pytest.raises(Exception, match=r"time|date"), foreign_connection(desk) as connection:
            change(connection)
        assert user_id in ids(desk.get(USERS).json())
    assert_tallies_are_true(desk.database)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("time_text", ["2026-12-15T24:00:00Z", "2026-12-15 24:59:59.5", "2026-12-15T24:00:00+05:30"])
def test_hour_24_is_refused(desk: Desk, time_text: str) -> None:
    """SQLite's own functions accept it, and Python's do not."""
    with pytest.raises(Exception, match="must be a time"), foreign_connection(desk) as connection:
        insert_rows(desk, connection, "users", [("a" * 24, time_text, "Ravi", "1")])


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_name_that_is_not_utf_8_hides_no_other_row(desk: Desk) -> None:
    others = {desk.add_user() for _ in range(3)}
    with foreign_connection(desk) as connection:
        connection.execute(
            "INSERT INTO users (id, created_at, username, mobile) "
            f"VALUES ('{'a' * 24}', '2026-11-15T02:52:36Z', cast(x'ff61' AS text), '1')"
        )
    for answer in (desk.get(USERS), desk.get(USERS, params={"limit": "50"}), desk.get(USERS, params={"q": "\ufffd"})):
        assert answer.status_code == 200
    shown = {row["_id"]: row["username"] for row in desk.get(USERS, params={"limit": "50"}).json()}
    assert set(shown) == others | {"a" * 24}
    assert shown["a" * 24] == "\ufffda"
    assert ids(walk(desk, USERS, {"limit": "1"})) == ids(desk.get(USERS).json())


def test_a_null_time_is_refused(desk: Desk) -> None:
    with pytest.raises(Exception, match=r"(?i)null"), foreign_connection(desk) as connection:
        insert_rows(desk, connection, "users", [("a" * 24, None, "Ravi", "1")])


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("time_text", ["infinity", "-infinity", "10000-01-01 00:00:00Z", "0001-12-31 00:00:00Z BC"])
def test_a_time_outside_the_years_1_to_9999_is_refused(desk: Desk, time_text: str) -> None:
    claim_id = desk.add_claim()
    for table in NOUNS.values():
        with pytest.raises(Exception, match="between the years 1 and 9999"), foreign_connection(desk) as connection:
            connection.execute(f"UPDATE {table} SET created_at = '{time_text}'")
    # The time of the last move is only compared and never shown, so such a time is accepted.
    with foreign_connection(desk) as connection:
        connection.execute(f"UPDATE claims SET moved_at = '{time_text}'")
    assert desk.get(CLAIMS, params={"movedFrom": BASE.isoformat(), "limit": "1"}).status_code == 200
    assert ids(desk.get(CLAIMS).json()) == [claim_id]


def test_the_first_and_last_possible_times_are_paged_like_any_other(desk: Desk) -> None:
    ends = ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000001Z", "9999-12-31T23:59:59.999999Z", "9999-12-31 23:59:59")
    with foreign_connection(desk) as connection:
        insert_rows(
            desk, connection, "users", [(f"{n:024x}", time_text, "Ravi", "1") for n, time_text in enumerate(ends * 2)]
        )
    whole = desk.get(USERS).json()
    assert len(whole) == 8
    assert walk(desk, USERS, {"limit": "1"}) == whole
    assert walk(desk, USERS, {"limit": "1", "sort": "createdAt"}) == whole[::-1]
    assert_tallies_are_true(desk.database)


@pytest.mark.parametrize("amount", [-1, 10**15, 10**18])
def test_an_amount_out_of_range_is_refused_by_the_database(desk: Desk, amount: int) -> None:
    desk.add_claim()
    for column in ("claims SET amount_paise", "purchases SET invest_paise", "purchases SET daily_income_paise"):
        with pytest.raises(Exception, match="is_exact"), foreign_connection(desk) as connection:
            connection.cursor().execute(f"UPDATE {column} = {amount}")
    assert len(walk(desk, CLAIMS, {"sort": "amount", "limit": "1"})) == 1


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_refuses_fractions_of_a_paisa_and_text_too_long_for_postgresql(desk: Desk) -> None:
    """SQLite itself accepts any value in any column, and a page could not continue from such a row."""
    desk.add_claim()
    for change, why in (
        ("claims SET amount_paise = 1.5", "whole paise"),
        ("purchases SET invest_paise = 0.5", "whole paise"),
        ("claims SET address = hex(zeroblob(151))", "too long"),
        ("users SET username = hex(zeroblob(51))", "too long"),
        ("users SET username = x'00ff'", "must be text"),
        ("purchases SET upi_id = 'a' || char(0) || 'b'", "must be text"),
    ):
        with pytest.raises(Exception, match=why), foreign_connection(desk) as connection:
            connection.execute(f"UPDATE {change}")
    for path in LISTS:
        assert len(walk(desk, path, {"limit": "1"})) == 1


@pytest.mark.parametrize("row_id", ["b", "CLAIM-0001", "6917E2F4A1B2C3D4E5000001", "क" * 24, "' OR 1=1 --"])
def test_a_page_can_end_at_any_id_that_another_program_has_written(desk: Desk, row_id: str) -> None:
    with foreign_connection(desk) as connection:
        rows = [(other, "2026-11-15T02:52:36.120345Z", "Ravi", "1") for other in (row_id, "0" * 24, "f" * 24)]
        insert_rows(desk, connection, "users", rows)
    whole = desk.get(USERS).json()
    assert len(whole) == 3
    for sort in every_sort(USERS):
        assert sorted(ids(walk(desk, USERS, {"limit": "1", "sort": sort}))) == sorted(ids(whole))
