from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.migrate import migrate
from countinghouse.demo import actions
from countinghouse.demo.actions import Sizes, fill_demo
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase
from tests.event_loop import run

UNTIL = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
SIZES = Sizes(users=60, purchases=90, claims=130)
TABLES = (users, purchases, claims, claim_transitions, payout_references, qr_codes, qr_images, qr_displays, audit_log)
# Secrets are new each time; so are the audit rows of the command itself, which _select_repeatable leaves out.
NEW_EACH_TIME = ("upload_key", "image_key", "key")

Contents = dict[str, list[tuple[Any, ...]]]


def contents(database: DirectDatabase) -> Contents:
    with database.reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(_select_repeatable(table))), key=repr) for table in TABLES
        }


def _select_repeatable(table: Table) -> Any:
    rows = select(*(column for column in table.c if column.name not in NEW_EACH_TIME))
    return rows.where(table.c.actor != "command") if table is audit_log else rows


def fill(database: DirectDatabase, seed: int) -> Contents:
    run(fill_demo(database, SIZES, seed, lambda _noun, _done, _total: None, UNTIL))
    return contents(database)


@pytest.fixture
def fill_another(tmp_path: Path) -> Callable[[int], Contents]:
    def fill_one(seed: int) -> Contents:
        another = DirectDatabase(f"sqlite:///{tmp_path}/another.db")
        migrate(another)
        try:
            return fill(another, seed)
        finally:
            another.close()

    return fill_one


def test_the_same_seed_makes_the_same_data_on_either_engine(
    database: DirectDatabase, fill_another: Callable[[int], Contents]
) -> None:
    assert fill(database, 3) == fill_another(3)


def test_another_seed_makes_other_data(database: DirectDatabase, fill_another: Callable[[int], Contents]) -> None:
    first, second = fill(database, 3), fill_another(4)
    assert not set(first["users"]) & set(second["users"])
    assert not set(first["claims"]) & set(second["claims"])


def test_the_size_of_a_batch_changes_nothing(
    database: DirectDatabase, fill_another: Callable[[int], Contents], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fill(database, 3)
    monkeypatch.setattr(actions, "_BATCH", 7)
    assert fill_another(3) == whole
