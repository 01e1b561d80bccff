"""A claim that changes between the read and the guarded UPDATE is not moved from the state that was read."""

from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.claims import actions
from countinghouse.claims.rules import get_current_claim as read
from countinghouse.claims.tables import claims
from tests.desk import Desk


def _change_after_the_read(monkeypatch: pytest.MonkeyPatch, desk: Desk, **values: Any) -> None:
    """Another writer changes the claim right after it was read for the first time."""
    changed: list[str] = []

    async def get_current_claim(change: Any, claim_id: str) -> Any:
        current = await read(change, claim_id)
        if not changed:
            changed.append(claim_id)
            desk.change(update(claims).where(claims.c.id == claim_id).values(**values))
        return current

    monkeypatch.setattr(actions, "get_current_claim", get_current_claim)


@pytest.mark.parametrize("key", [None, "of-this-move"])
def test_another_version_with_the_same_status_is_read_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    claim_id = desk.add_claim()
    _change_after_the_read(monkeypatch, desk, version=2)
    moved = desk.move(claim_id, "Accepted", key=key)
    assert (moved.status_code, moved.json()["version"]) == (200, 3)


@pytest.mark.parametrize("key", [None, "of-this-move"])
def test_another_version_is_refused_if_the_admin_named_the_one_they_saw(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    claim_id = desk.add_claim()
    _change_after_the_read(monkeypatch, desk, version=2)
    assert desk.move(claim_id, "Accepted", key=key, version=0).status_code == 409
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Pending"


@pytest.mark.parametrize("key", [None, "of-this-move"])
def test_another_status_with_the_same_version_is_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    claim_id = desk.add_claim()
    _change_after_the_read(monkeypatch, desk, status="Rejected")
    assert desk.move(claim_id, "Accepted", key=key).status_code == 409
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Rejected"


def test_a_claim_that_keeps_changing_is_given_up_in_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try may wait seconds for the row lock, so tries are limited by time as well as by number."""
    claim_id = desk.add_claim()
    tries: list[int] = []

    async def get_current_claim(change: Any, claim_id: str) -> Any:
        current = await read(change, claim_id)
        tries.append(current.version)
        desk.change(update(claims).where(claims.c.id == claim_id).values(version=current.version + 1))
        return current

    monkeypatch.setattr(actions, "get_current_claim", get_current_claim)
    monkeypatch.setattr(actions, "_RETRY_SECONDS", 0.0)
    assert desk.move(claim_id, "Accepted").status_code == 409
    assert tries == [0]
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Pending"
