"""A bulk payment pays no claim with a warning that its sheet did not show."""

from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.batches.tables import batch_rows
from tests.batches.batches import claims_of, confirm, logged_moves, plan, read, run, run_to_end, seen, statuses
from tests.claims.people import OTHER_ACCOUNT, Person, ago
from tests.desk import Desk

AMOUNT = 43_750


@pytest.fixture
def person(desk: Desk) -> Person:
    return Person(desk).buys(at=ago(days=900))


def accepted(person: Person, count: int, *, days_apart: int = 40, **values: Any) -> list[str]:
    """The client's claims, all of the same amount to the same account."""
    ids = [person.claims(AMOUNT, at=ago(days=10 + days_apart * place), **values) for place in range(count)]
    for claim_id in ids:
        assert person.desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    return sorted(ids)


def plan_payment(desk: Desk, ids: list[str]) -> dict[str, Any]:
    return plan(desk, status="Paid", claims=seen(desk, ids))


def test_a_claim_with_a_new_duplicate_is_skipped_and_the_others_are_paid(desk: Desk, person: Person) -> None:
    (claim_id,) = accepted(person, 1)
    (other,) = accepted(Person(desk, "Bala").buys(at=ago(days=900)), 1)
    sheet = plan_payment(desk, [claim_id, other])
    person.claims(AMOUNT, at=ago(days=0))
    references = {claim_id: "N319260012345678", other: "N319260012345679"}
    assert confirm(desk, sheet, references).status_code == 200
    end = run_to_end(desk, sheet)
    assert end["outcome"] == {"done": 1, "skipped": 1, "failed": 0, "left": 0}
    (problem,) = end["problems"]["items"]
    assert (problem["_id"], problem["outcome"]) == (claim_id, "skipped")
    assert problem["why"].startswith("This claim has a new warning: Another claim of ₹437.50, made on ")
    assert statuses(desk)[claim_id] == "Accepted"
    assert logged_moves(desk, sheet) == [other]
    # The next sheet shows it, and then the claim is paid.
    again = plan(desk, retryOf=sheet["_id"])
    (listed,) = claims_of(desk, again)
    assert "near_duplicate" in {warning["code"] for warning in listed["warnings"]}
    assert run_to_end(desk, again)["outcome"]["done"] == 1


def test_claims_that_duplicate_each_other_are_paid_as_the_sheet_showed_them(desk: Desk, person: Person) -> None:
    ids = accepted(person, 3) + accepted(person, 2, days_apart=1)
    sheet = plan_payment(desk, ids)
    assert all(len(claim["warnings"]) == 2 for claim in claims_of(desk, sheet))
    assert run_to_end(desk, sheet)["outcome"] == {"done": 5, "skipped": 0, "failed": 0, "left": 0}


def test_one_more_duplicate_than_the_sheet_showed_stops_those_that_are_left(
    desk: Desk, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = accepted(person, 3)
    sheet = plan_payment(desk, ids)
    # Each call pays one claim.
    monkeypatch.setattr("countinghouse.batches.running.SECONDS_A_CALL", 0.0)
    assert run(desk, sheet).json()["outcome"]["done"] == 1
    person.claims(AMOUNT, at=ago(days=0))
    assert run_to_end(desk, sheet)["outcome"] == {"done": 1, "skipped": 2, "failed": 0, "left": 0}


def test_a_claim_that_was_moved_and_has_a_new_warning_names_who_moved_it(desk: Desk, person: Person) -> None:
    (claim_id,) = accepted(person, 1)
    sheet = plan_payment(desk, [claim_id])
    person.claims(AMOUNT, at=ago(days=0))
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    (problem,) = run_to_end(desk, sheet)["problems"]["items"]
    assert problem["why"].startswith("ravi moved this claim to Paid")


def test_a_plan_without_kept_warnings_pays_only_claims_that_have_none(desk: Desk, person: Person) -> None:
    """As the release before planned it, or if the server died before they were stored."""
    person.claims(100, "Paid", at=ago(days=500))
    (quiet,) = accepted(person, 1)
    (warned,) = accepted(Person(desk, "Bala").buys(at=ago(days=900)), 1, **OTHER_ACCOUNT)
    sheet = plan_payment(desk, [quiet, warned])
    desk.change(update(batch_rows).values(seen=None))
    run_to_end(desk, sheet)
    desk_now = statuses(desk)
    assert (desk_now[quiet], desk_now[warned]) == ("Paid", "Accepted")


def test_only_payments_are_compared(desk: Desk, person: Person) -> None:
    claim_id = person.claims(AMOUNT, at=ago(days=10))
    sheet = plan(desk, status="Accepted", claims=seen(desk, [claim_id]))
    person.claims(AMOUNT, at=ago(days=0))
    assert run_to_end(desk, sheet)["outcome"]["done"] == 1
    assert read(desk, sheet)["problems"]["count"] == 0
