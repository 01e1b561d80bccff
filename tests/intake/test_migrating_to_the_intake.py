"""A database that was in use before the intake keeps its rows, and the new ids are as well protected as the old."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from countinghouse.claims.tables import claims
from countinghouse.core.migrate import migrate
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.contract.rows import LISTS, fill
from tests.core.earlier_desks import desk_at
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import Desk
from tests.intake.pushing import a_purchase, a_user, add_key, outcomes, push_one_of_each, pushed


@pytest.fixture
def earlier(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk_at("0010", blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 60)
        yield desk


def test_existing_rows_stay_as_they_are_and_new_ones_come_beside_them(earlier: Desk) -> None:
    columns = {table: [table.c.id, table.c.created_at] for table in (users, purchases, claims)}
    before = {table: earlier.rows(select(*columns[table]).order_by(table.c.id)) for table in columns}
    migrate(earlier.database)
    for table, rows in before.items():
        assert earlier.rows(select(*columns[table]).order_by(table.c.id)) == rows
        assert earlier.rows(select(func.count()).where(table.c.external_id.isnot(None))) == [(0,)]
    key = add_key(earlier)
    (known,) = earlier.rows(select(users.c.id, users.c.mobile).order_by(users.c.id).limit(1))
    assert outcomes(pushed(earlier, key, "users", a_user(1))) == ["created"]
    assert outcomes(pushed(earlier, key, "purchases", a_purchase(1) | {"user": known.id})) == ["created"]
    assert_tallies_are_true(earlier.database)
    assert_searches_are_true(earlier.database)
    for path in LISTS:
        assert earlier.get(path).status_code == 200


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("table", ["users", "purchases", "claims"])
def test_sqlite_refuses_to_replace_a_row_by_its_external_id(desk: Desk, table: str) -> None:
    push_one_of_each(desk, add_key(desk))
    external_id = f"{table[0]}-1"
    columns = [
        column.name for column in users.metadata.tables[table].c if column.name not in ("id", "external_id", "number")
    ]
    same = ", ".join(columns)
    for statement in (
        f"INSERT OR REPLACE INTO {table} (id, external_id, {same}) "
        f"SELECT '{'a' * 24}', external_id, {same} FROM {table} WHERE external_id = '{external_id}'",
        f"INSERT INTO {table} (id, external_id, {same}) SELECT '{'b' * 24}', x'00', {same} FROM {table}",
        f"INSERT INTO {table} (id, external_id, {same}) SELECT '{'b' * 24}', '{'x' * 201}', {same} FROM {table}",
    ):
        with pytest.raises(Exception, match=r"never altered|must be text|too long"):
            desk.change(text(statement))
    desk.change(text(f"INSERT INTO {table} (id, {same}) SELECT '{'c' * 24}', {same} FROM {table}"))
    with pytest.raises(Exception, match="never altered"):
        desk.change(text(f"UPDATE OR REPLACE {table} SET external_id = '{external_id}' WHERE id = '{'c' * 24}'"))
    assert desk.rows(text(f"SELECT count(*) FROM {table}")) == [(2,)]
