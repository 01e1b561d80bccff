import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Table, func, insert, select

from countinghouse.admins.actions import add_admin
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.core.db import metadata
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.demo.actions import Sizes, fill_demo
from countinghouse.qr.tables import qr_codes, qr_images
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase
from tests.event_loop import run

AT = datetime(2026, 11, 15, tzinfo=UTC)


def counts(database: DirectDatabase) -> dict[str, int]:
    with database.reading() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }


def put(database: DirectDatabase, table: Table, **values: Any) -> None:
    with database.writing() as connection:
        connection.execute(insert(table).values(**values))


def put_user(database: DirectDatabase) -> None:
    put(database, users, id="6" * 24, created_at=AT, username="Ananya Iyer", mobile="9805756092")


def put_qr(database: DirectDatabase) -> None:
    put(database, qr_images, key="k" * 43, content=b"-", sha256="0" * 64, width=1, height=1)
    put(
        database,
        qr_codes,
        id="6" * 24,
        created_at=AT,
        name="Gone",
        upi_id="gone@okdemo",
        upload_key="k" * 43,
        status="hide",
        deleted_at=AT,
        is_cleared=False,
    )


def put_admin(database: DirectDatabase) -> None:
    run(database.write(lambda transaction: add_admin(transaction, COMMAND, "asha", "a hash never looked at")))


@pytest.mark.parametrize("put_one", [put_user, put_qr, put_admin])
def test_a_database_with_data_is_refused_and_left_untouched(database: DirectDatabase, put_one: Any) -> None:
    put_one(database)
    before = counts(database)
    with pytest.raises(Conflict) as refusal:
        run(fill_demo(database, Sizes(), 1, lambda _noun, _done, _total: None))
    assert refusal.value.code == "database_has_data"
    assert counts(database) == before


def test_a_second_fill_is_refused(filled: DirectDatabase) -> None:
    before = counts(filled)
    with pytest.raises(Conflict):
        run(fill_demo(filled, Sizes(), 1, lambda _noun, _done, _total: None))
    assert counts(filled) == before


@pytest.mark.parametrize("noun", ["users", "purchases", "claims"])
def test_an_interruption_leaves_the_database_empty(database: DirectDatabase, noun: str) -> None:
    before = counts(database)

    def interrupt(at: str, done: int, _total: int) -> None:
        if at == noun and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        # In its own event loop, as in the command: a KeyboardInterrupt ends the loop it is raised in.
        asyncio.run(fill_demo(database, Sizes(), 1, interrupt))
    assert counts(database) == before
    # The migration itself stores the time zone that days are counted in.
    assert {name for name, count in before.items() if count} == {"desk_zone", "schema_compatibility"}


def test_a_filled_database_has_the_requested_sizes(database: DirectDatabase) -> None:
    seen: list[tuple[str, int, int]] = []
    run(fill_demo(database, Sizes(users=31, purchases=17, claims=23), 1, lambda *step: seen.append(step)))
    after = counts(database)
    assert (after["users"], after["purchases"], after["claims"]) == (31, 17, 23)
    assert (after["qr_codes"], after["qr_images"], after["admins"]) == (4, 8, 2)
    assert seen == [
        ("users", 0, 31),
        ("users", 31, 31),
        ("purchases", 0, 17),
        ("purchases", 17, 17),
        ("claims", 0, 23),
        ("claims", 23, 23),
    ]


@pytest.mark.parametrize("sizes", [(1, 1, 0), (1, 1, 1), (1, 1, 40), (2, 1, 2), (1, 0, 0)])
def test_the_smallest_sizes_work(database: DirectDatabase, sizes: tuple[int, int, int]) -> None:
    run(fill_demo(database, Sizes(*sizes), 1, lambda _noun, _done, _total: None))
    after = counts(database)
    assert (after["users"], after["purchases"], after["claims"]) == sizes


@pytest.mark.parametrize("sizes", [(0, 1, 0), (1, 0, 1), (-1, 0, 0)])
def test_impossible_sizes_are_refused(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(InvalidInput):
        Sizes(*sizes)


def test_the_demo_admin_can_be_found_and_is_not_disabled(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        found = connection.execute(select(admins.c.username, admins.c.disabled_at).order_by(admins.c.username))
        assert [tuple(row) for row in found] == [("admin", None), ("asha", None)]
