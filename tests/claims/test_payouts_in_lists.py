"""`with=more`: each claim of a list with its payout, its QR name and since when its client is one."""

from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.claims.tables import claims
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine

REFERENCE = "N319260012345678"
MORE = {"qrName", "clientSince", "payout"}


def payout(claim: dict[str, Any]) -> tuple[str | None, str | None]:
    made = claim["payout"]
    assert (made is not None) == (claim["status"] == "Paid")
    return (made["by"], made["reference"]) if made else (None, None)


def listed(desk: Desk, query: str = "limit=50") -> list[dict[str, Any]]:
    answer = desk.get(f"/api/claims/all?with=more&{query}")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


@pytest.mark.parametrize("query", ["limit=50", "limit=50&sort=username", "", "limit=50&q=ananya", "limit=50&skip=0"])
def test_a_paid_claim_says_who_paid_it_when_and_under_which_reference(desk: Desk, query: str) -> None:
    paid, plain = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Accepted")
    waiting = desk.add_claim()
    assert desk.move(paid, "Paid", by="ravi", reference=REFERENCE).status_code == 200
    assert desk.move(plain, "Paid").status_code == 200
    rows = {row["_id"]: row for row in listed(desk, query)}
    assert payout(rows[paid]) == ("ravi", REFERENCE)
    assert payout(rows[plain]) == ("asha", None)
    assert payout(rows[waiting]) == (None, None)
    (timeline,) = [step for step in desk.get(f"/api/claims/{paid}/details").json()["timeline"] if step["to"] == "Paid"]
    assert rows[paid]["payout"]["at"] == timeline["at"]
    assert rows[waiting]["qrName"] == "Desk 1"
    assert rows[waiting]["clientSince"].endswith("Z")


def test_one_claim_and_the_answer_to_its_move_have_the_same(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    for key in (None, "a-key", "a-key"):
        moved = desk.move(claim_id, "Paid", by="ravi", reference=REFERENCE, key=key).json()
        assert payout(moved) == ("ravi", REFERENCE)
    assert desk.get(f"/api/claims/{claim_id}").json() == moved == listed(desk)[0]
    returned = desk.move(claim_id, "Returned", reason="Wrong account.", key="back").json()
    assert payout(returned) == (None, None)
    assert desk.get(f"/api/claims/{claim_id}").json() == returned


def test_the_first_payout_with_a_key_is_answered_with_it(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    moved = [desk.move(claim_id, "Paid", by="ravi", reference=REFERENCE, key="k").json() for _ in range(2)]
    assert [payout(one) for one in moved] == [("ravi", REFERENCE)] * 2


def test_a_second_payout_is_not_shown_with_the_reference_of_the_first(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.move(claim_id, "Paid", reference=REFERENCE).status_code == 200
    assert desk.move(claim_id, "Returned", reason="Wrong account.").status_code == 200
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    assert desk.move(claim_id, "Paid").status_code == 200
    assert payout(listed(desk)[0]) == ("asha", None)


def test_a_claim_that_was_paid_directly_in_the_database_has_no_payer(desk: Desk) -> None:
    claim_id = desk.add_claim()
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="Paid"))
    (row,) = listed(desk)
    assert row["payout"] is None


@on_one_engine
def test_a_list_that_does_not_ask_has_none_of_it(desk: Desk) -> None:
    desk.add_claim_moved_to("Paid")
    for query in ("", "?limit=50"):
        assert MORE.isdisjoint(desk.get(f"/api/claims/all{query}").json()[0])
    assert set(desk.get("/api/claims/all?with=payout").json()[0]) & MORE == {"payout"}
    assert_refused(desk.get("/api/claims/all?with=all"), 422, "invalid_input")
