"""An upgrade from 0.1.0 records in the log what its rows did not tell; `audit verify` compares it from then on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from countinghouse.admins.tables import admins
from countinghouse.audit import baselines
from countinghouse.audit.actions import record_many
from countinghouse.audit.tables import audit_baselines, audit_log
from countinghouse.claims.tables import claims
from countinghouse.cli.upgrading import KINDS, upgrade
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate
from countinghouse.core.times import now
from countinghouse.demo.actions import DEMO_USERNAME
from countinghouse.settings import Settings
from countinghouse.users.tables import users
from tests.audit.sealed import seal_and_sign
from tests.audit.sealed import verified as verify
from tests.cli.command import countinghouse
from tests.databases import Place, Template
from tests.desk import Desk
from tests.event_loop import run
from tests.previous_release import PreviousRelease


@pytest.fixture(scope="session")
def previous(tmp_path_factory: pytest.TempPathFactory) -> PreviousRelease:
    return PreviousRelease.unpacked(tmp_path_factory.mktemp("previous") / "release")


@pytest.fixture
def template(place: Place, template_of: Callable[..., Template], previous: PreviousRelease) -> Template:
    """As the previous release has filled it."""

    def make() -> Template:
        url = place.blank()
        previous.run(url, "demo", "--users", "40", "--purchases", "80", "--claims", "120")
        return Template(url, {})

    return template_of("previous release", make)


@pytest.fixture
def old_desk(database_url: str) -> Iterator[Desk]:
    desk = Desk(Settings(database_url=database_url, _env_file=None), {})
    yield desk
    desk.close()


def recorded(desk: Desk) -> dict[str, list[str]]:
    """The ids of the records by kind, in the order of the log."""
    found: dict[str, list[str]] = {}
    for row in desk.audit("baseline.recorded"):
        found.setdefault(row.after["kind"], []).extend(row.after["records"])
    return found


def all_ids(desk: Desk) -> dict[str, list[str]]:
    return {
        kind: [row.id for row in desk.rows(select(table.c.id).order_by(table.c.id))]
        for kind, table in (("admin", admins), ("claim", claims))
    }


def first(status: str) -> Any:
    of_status = claims.alias()
    return select(func.min(of_status.c.id)).where(of_status.c.status == status).scalar_subquery()


CHANGED = {
    "admin": update(admins).where(admins.c.username == DEMO_USERNAME).values(password_hash="$argon2id$x"),
    "claim": update(claims).where(claims.c.id == first("Paid")).values(address="1 Thief Road, Pune"),
    "claim, its client": update(claims)
    .where(claims.c.id == first("Paid"))
    .values(user_id=select(func.max(users.c.id)).scalar_subquery()),
}


@pytest.mark.parametrize("kind", CHANGED)
def test_what_was_changed_after_the_upgrade_is_found(
    old_desk: Desk, database_url: str, tmp_path: Path, kind: str
) -> None:
    assert countinghouse(database_url, "migrate").returncode == 0
    assert recorded(old_desk) == all_ids(old_desk)
    seal_and_sign(old_desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 0, said
    assert "Of claims from before the upgrade, the client and the address is not known before 20" in said
    assert "does not tell the" not in said
    old_desk.change(CHANGED[kind])
    code, said = verify(database_url, tmp_path)
    assert code == 1, said
    assert f"the {kind.partition(',')[0]} " in said


def test_what_was_altered_before_the_upgrade_stays_a_finding(old_desk: Desk, database_url: str, tmp_path: Path) -> None:
    eve = {"id": new_id(), "created_at": now(), "username": "eve", "username_key": "eve", "role": "owner"}
    old_desk.change(insert(admins).values(eve | {"password_hash": "x", "has_factor": False}))
    old_desk.change(update(claims).where(claims.c.id == first("Accepted")).values(account_no="009999999999"))
    assert countinghouse(database_url, "migrate").returncode == 0
    seal_and_sign(old_desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 1
    assert f"No row of the log is about the admin {eve['id']}" in said
    assert "Stored is accountNo 009999999999" in said


def test_an_interrupted_upgrade_goes_on_where_it_was(
    old_desk: Desk, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(range(3))

    async def fail_later(*given: Any) -> None:
        if next(left, None) is None:
            raise InterruptedError
        await record_many(*given)

    monkeypatch.setattr(baselines, "RECORDED_TOGETHER", 20)
    monkeypatch.setattr(baselines, "record_many", fail_later)
    with pytest.raises(InterruptedError):
        upgrade(old_desk.database)
    assert len(recorded(old_desk)["claim"]) == 60
    assert "recorded in the audit log" in countinghouse(database_url, "doctor").stdout
    monkeypatch.setattr(baselines, "record_many", record_many)
    upgrade(old_desk.database)
    assert recorded(old_desk) == all_ids(old_desk)
    assert "recorded in the audit log" not in countinghouse(database_url, "doctor").stdout
    seal_and_sign(old_desk, tmp_path)
    assert verify(database_url, tmp_path)[0] == 0


def test_a_password_that_the_previous_release_changes_meanwhile_is_not_called_altered(
    old_desk: Desk, database_url: str, tmp_path: Path
) -> None:
    assert countinghouse(database_url, "migrate").returncode == 0

    async def change(transaction: Transaction) -> None:
        """As an instance of 0.1.0 does it, whose row does not tell to what."""
        admin_id = await transaction.scalar(select(admins.c.id).where(admins.c.username == DEMO_USERNAME))
        await transaction.execute(update(admins).where(admins.c.id == admin_id).values(password_hash="$argon2id$new"))
        row = {"at": now(), "actor": DEMO_USERNAME, "verb": "admin.password_changed", "subject_id": admin_id}
        await transaction.execute(insert(audit_log).values(row))

    run(old_desk.database.write(change))
    seal_and_sign(old_desk, tmp_path)
    code, said = verify(database_url, tmp_path)
    assert code == 0, said
    assert "does not tell the password of 1 admins" in said


def test_a_restored_backup_of_the_previous_release_is_recorded_too(
    database_url: str, place: Place, previous: PreviousRelease, tmp_path: Path
) -> None:
    previous.run(database_url, "backup", str(tmp_path / "old.backup"))
    elsewhere = place.blank()
    restored = countinghouse(elsewhere, "restore", str(tmp_path / "old.backup"), COUNTINGHOUSE_DATA_DIR=str(tmp_path))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    desk = Desk(Settings(database_url=elsewhere, _env_file=None), {})
    assert recorded(desk) == all_ids(desk)
    desk.close()
    place.remove(elsewhere)


def test_a_migrated_desk_records_every_kind_that_has_more_to_tell(old_desk: Desk) -> None:
    migrate(old_desk.database)
    pending = {row.kind for row in old_desk.rows(select(audit_baselines))}
    assert pending == {kind.name for kind in KINDS if kind.later}


def test_a_new_desk_has_nothing_to_record(blank_url: str) -> None:
    assert countinghouse(blank_url, "demo", "--claims", "20").returncode == 0
    desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
    assert recorded(desk) == {}
    desk.close()
