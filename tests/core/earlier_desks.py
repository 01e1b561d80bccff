"""A desk with the database of an earlier release."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert

from countinghouse.admins.actions import open_session
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.core import migrate as machinery
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate, migrations_folder
from countinghouse.core.times import now
from countinghouse.settings import Settings
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.event_loop import run


@contextmanager
def desk_at(revision: str, blank_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk migrated only up to this revision, with one admin who is signed in."""
    earlier = folder / "earlier"

    def later(_folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or (name[:4].isdigit() and name[:4] > revision)]

    shutil.copytree(migrations_folder(), earlier, ignore=later)
    settings = Settings(database_url=blank_url, _env_file=None)
    desk = Desk(settings, {})
    with monkeypatch.context() as before:
        before.setattr(machinery, "migrations_folder", lambda: earlier)
        migrate(desk.database)
    # Only what every release has: the rest of an admin is added by later migrations.
    admin = {"id": new_id(), "created_at": now(), "username": "asha", "username_key": "asha"}
    desk.change(insert(admins).values(admin | {"password_hash": hash_password(PASSWORD)}))

    async def sign_in(transaction: Transaction) -> str:
        return (await open_session(transaction, COMMAND, str(admin["id"]), settings, new_device=False)).token

    desk.tokens["asha"] = run(desk.database.write(sign_in))
    yield desk
    desk.close()
