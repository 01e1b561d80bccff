"""A move sends the version that the admin saw; it is refused if the claim has changed since."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claim_transitions
from tests.core.statements import Statements, watch
from tests.desk import Desk


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


def test_each_move_increments_the_version(desk: Desk) -> None:
    claim_id = desk.add_claim()
    for version, (target, more) in enumerate(
        [("On hold", {"reason": "Wait."}), ("Pending", {"reason": "Go on."}), ("Accepted", {}), ("Paid", {})]
    ):
        answer = desk.move(claim_id, target, version=version, **more)
        assert answer.json()["version"] == version + 1
    numbers = [row.number for row in desk.rows(select(claim_transitions).order_by(claim_transitions.c.number))]
    assert numbers == [1, 2, 3, 4]


@pytest.mark.parametrize("version", [0, 2, 9])
@pytest.mark.parametrize("key", [None, "k"])
def test_a_wrong_version_is_refused_and_names_who_moved_the_claim(desk: Desk, version: int, key: str | None) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    before = len(desk.audit())
    refusal = desk.move(claim_id, "Paid", by="ravi", version=version, key=key)
    assert refusal.status_code == 409
    said = refusal.json()
    assert said["code"] == "claim_cannot_move"
    assert (said["fields"]["by"], said["fields"]["version"], said["fields"]["status"]) == ("asha", "1", "Accepted")
    assert "at" in said["fields"]
    assert said["message"].startswith("asha moved this claim to Accepted at ")
    assert len(desk.audit()) == before


def test_a_stale_version_is_refused_even_if_the_status_is_the_same_again(desk: Desk) -> None:
    claim_id = desk.add_claim()
    desk.move(claim_id, "Accepted", by="asha")
    desk.move(claim_id, "Pending", by="asha")
    assert desk.move(claim_id, "Accepted", by="ravi", version=0).status_code == 409
    assert desk.move(claim_id, "Accepted", by="ravi", version=2).status_code == 200


def test_a_wrong_version_of_a_claim_never_moved_names_no_admin(desk: Desk) -> None:
    claim_id = desk.add_claim()
    refusal = desk.move(claim_id, "Accepted", version=3).json()
    assert refusal["fields"] == {"status": "Pending", "version": "0"}


@pytest.mark.parametrize("key", [None, "of-this-move"])
@pytest.mark.parametrize(("target", "most"), [("Accepted", 4), ("Paid", 5)])
def test_a_move_takes_one_read_of_the_claim_one_of_its_log_and_one_guarded_statement(
    seen: Statements, open_desk: Callable[..., Desk], engine: str, target: str, most: int, key: str | None
) -> None:
    """Beside these: the session, and for Paid the policy. An idempotency key costs no statement of its own."""
    desk = open_desk()
    claims = [desk.add_claim_moved_to("Pending" if target == "Accepted" else "Accepted") for _ in range(2)]
    desk.move(claims[0], target)
    seen.clear()
    assert desk.move(claims[1], target, key=key).status_code == 200
    if engine == "postgresql":
        # One request in 64 also deletes expired keys.
        asked = [sql for sql, _ in seen.on_postgres if not sql.startswith("DELETE FROM move_keys")]
        assert len(asked) == most, asked
    else:
        selects = [sql for sql in seen.on_sqlite if sql.startswith("SELECT")]
        # The guarded statement is a transaction there, which ends with reading the claim for the response.
        assert len(selects) == most, selects
