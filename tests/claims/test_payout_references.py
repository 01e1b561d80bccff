"""The bank's reference of a payout: stored normalised, unique to one claim, and searchable."""

import re
from typing import Any

import pytest
from sqlalchemy import insert, select

from countinghouse.claims.tables import payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from tests.contract.rows import fill, ids
from tests.desk import Desk
from tests.engines import on_one_engine

REFERENCE = "N319260012345678"


def recorded(desk: Desk) -> list[tuple[str, int, str]]:
    rows = desk.rows(select(payout_references).order_by(payout_references.c.recorded_at, payout_references.c.id))
    return [(row.claim_id, row.number, row.reference) for row in rows]


def store_as_before(desk: Desk, claim_id: str, reference: str) -> None:
    assert desk.move(claim_id, "Paid").status_code == 200
    row = {"id": new_id(), "claim_id": claim_id, "number": 2, "reference": reference, "recorded_at": now()}
    desk.change(insert(payout_references).values(row))


@pytest.mark.parametrize(
    "typed",
    [
        REFERENCE,
        "n319260012345678",
        "N319 2600 1234 5678",
        "n319-2600\u20131234\u20145678",
        "\uff2e319260012345678",
        "n३१९ २६०० १२३४ ५६७८",
    ],
)
def test_a_reference_is_stored_normalised(desk: Desk, typed: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.move(claim_id, "Paid", reference=typed).status_code == 200
    assert recorded(desk) == [(claim_id, 2, REFERENCE)]
    assert desk.audit()[-1].after["reference"] == REFERENCE


@on_one_engine
@pytest.mark.parametrize("typed", ["12345", "1234-5", "A" * 41, "N3192600_345678", "ÄÖÜÄÖÜ", "", " 123456", "№№№№№№ä"])
def test_an_invalid_reference_is_refused(desk: Desk, typed: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    answer = desk.move(claim_id, "Paid", reference=typed)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["reference"]
    assert recorded(desk) == []
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"


@pytest.mark.parametrize(
    "typed", ["412345678901", "IMPS/P2A/412345678901/RAHUL NAIR", "UPI-412345678901", "0000412345678901"]
)
def test_the_reference_of_a_line_of_a_statement_belongs_to_one_claim_in_any_spelling(desk: Desk, typed: str) -> None:
    first, second = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Accepted")
    assert desk.move(first, "Paid", reference="IMPS/412345678901").status_code == 200
    assert recorded(desk) == [(first, 2, "412345678901")]
    answer = desk.move(second, "Paid", reference=typed)
    assert (answer.status_code, answer.json()["code"]) == (409, "reference_taken")
    assert recorded(desk) == [(first, 2, "412345678901")]


def test_what_an_earlier_release_stored_with_its_label_stays_taken(desk: Desk) -> None:
    first, second = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Accepted")
    store_as_before(desk, first, "IMPS412345678901")
    answer = desk.move(second, "Paid", reference="IMPS 412345678901")
    assert (answer.status_code, answer.json()["code"]) == (409, "reference_taken")
    assert desk.get(f"/api/claims/{second}").json()["status"] == "Accepted"


@pytest.mark.parametrize("spelling", ["C-{}", "c {}", "C{}", "C/{}"])
def test_the_number_of_the_claim_is_not_its_reference(desk: Desk, spelling: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    number = desk.get(f"/api/claims/{claim_id}").json()["number"]
    typed = spelling.format(number.removeprefix("C-"))
    answer = desk.move(claim_id, "Paid", reference=typed)
    assert answer.status_code == 422
    sentence = f"{number} is the number of this claim. Copy the bank's reference from its statement or message."
    assert answer.json()["fields"] == {"reference": sentence}
    assert recorded(desk) == []
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"


@pytest.mark.parametrize("target", ["Accepted", "On hold", "Rejected"])
def test_only_a_move_to_paid_can_have_a_reference(desk: Desk, target: str) -> None:
    claim_id = desk.add_claim()
    answer = desk.move(claim_id, target, reference=REFERENCE, reason="Why not.")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["reference"]


@pytest.mark.parametrize("key", [None, "k-1"])
@pytest.mark.parametrize("version", [{}, {"version": 1}])
def test_a_reference_used_by_another_claim_is_refused_and_names_its_client(
    desk: Desk, key: str | None, version: dict[str, Any]
) -> None:
    first, second = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Accepted")
    assert desk.move(first, "Paid", reference=REFERENCE).status_code == 200
    before = len(desk.audit())
    answer = desk.move(second, "Paid", reference=REFERENCE.lower(), key=key, **version)
    assert answer.status_code == 409
    assert answer.json()["code"] == "reference_taken"
    said = answer.json()["message"]
    assert "Ananya Iyer" in said
    assert "₹1,937.50" in said
    assert re.search(r"paid on \d{1,2} [A-Z][a-z]{2} 20\d\d", said)
    assert desk.get(f"/api/claims/{second}").json()["status"] == "Accepted"
    assert len(desk.audit()) == before


def test_a_second_payout_of_a_claim_needs_a_new_reference(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    desk.move(claim_id, "Paid", reference=REFERENCE)
    desk.move(claim_id, "Returned", reason="Account closed.")
    desk.move(claim_id, "Accepted", by="ravi")
    assert desk.move(claim_id, "Paid", reference=REFERENCE).json()["code"] == "reference_taken"
    assert desk.move(claim_id, "Paid", reference="N320260012345678").status_code == 200
    assert recorded(desk) == [(claim_id, 2, REFERENCE), (claim_id, 5, "N320260012345678")]


def test_repeating_a_payout_with_another_reference_is_refused(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.move(claim_id, "Paid", reference=REFERENCE).status_code == 200
    assert desk.move(claim_id, "Paid", reference=REFERENCE).status_code == 200
    assert desk.move(claim_id, "Paid", reference="N320260012345678").status_code == 409
    assert recorded(desk) == [(claim_id, 2, REFERENCE)]


@pytest.mark.parametrize("others", [0, 1_300])
def test_a_search_finds_a_claim_by_its_references(desk: Desk, others: int) -> None:
    """With few other claims the search index finds it; with many matches the list is scanned instead."""
    if others:
        fill(desk, others)
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    desk.move(claim_id, "Paid", reference="HDFCN319260012345")
    desk.move(claim_id, "Returned", reason="Account closed.")
    desk.move(claim_id, "Accepted", by="ravi")
    desk.move(claim_id, "Paid", reference="SBINR520261115")
    for q in ("HDFCN319", "hdfcn3192600", "260012", "R52026"):
        assert ids(desk.get("/api/claims/all", params={"q": q, "limit": "50"}).json()) == [claim_id]
        assert ids(desk.get("/api/claims/all", params={"q": q}).json()) == [claim_id]
        totals = desk.get("/api/claims/totals", params={"q": q}).json()
        assert (totals["count"], totals["amount"]) == (1, 1937.5)
    # One search is too short for the index, the other matches too many rows.
    for q in ("R5", "HDFC"):
        found = ids(desk.get("/api/claims/all", params={"q": q, "limit": "1000", "sort": "-createdAt"}).json())
        assert found.count(claim_id) == 1
    assert desk.get("/api/claims/all", params={"q": "N319260012345X"}).json() == []
