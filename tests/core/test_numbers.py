"""Claims, purchases and QR codes have short numbers, which the database gives in the order of creation."""

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from countinghouse.claims.tables import claims
from countinghouse.core.numbers import FIRST_NUMBER
from countinghouse.qr.tables import qr_codes
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.pictures import qr_png

FIRST = f"C-{FIRST_NUMBER}"


@pytest.mark.parametrize(("path", "letter"), [("/api/claims/all", "C"), ("/api/purchases/all", "P")])
def test_rows_are_numbered_in_the_order_of_their_creation(desk: Desk, path: str, letter: str) -> None:
    for _ in range(3):
        desk.add_claim()
    shown = [row["number"] for row in desk.get(path).json()]
    assert shown == [f"{letter}-{FIRST_NUMBER + place}" for place in (2, 1, 0)]


def test_qr_codes_have_numbers_that_customers_do_not_see(desk: Desk) -> None:
    assert desk.upload(qr_png()).status_code == 200
    (code,) = desk.get("/api/qr").json()
    assert code["number"] == f"Q-{FIRST_NUMBER}"
    assert desk.display(code["_id"]).status_code == 200
    (shown,) = desk.get("/api/qr", by=None).json()
    assert "number" not in shown
    assert [number for (number,) in desk.rows(select(qr_codes.c.number))] == [FIRST_NUMBER]


@pytest.mark.parametrize("query", [f"number={FIRST}", f"number={FIRST_NUMBER}", f"q={FIRST}", f"q={FIRST.lower()}"])
def test_a_row_is_found_by_its_number(desk: Desk, query: str) -> None:
    wanted = desk.add_claim()
    # Its account contains the digits, and is not meant.
    desk.add_claim(account_no=f"0045{FIRST_NUMBER}")
    for more in ("", "&limit=50", "&limit=50&sort=amount"):
        assert [claim["_id"] for claim in desk.get(f"/api/claims/all?{query}{more}").json()] == [wanted]
    assert desk.get(f"/api/claims/totals?{query}").json()["count"] == 1


def test_digits_alone_are_searched_everywhere(desk: Desk) -> None:
    desk.add_claim()
    other = desk.add_claim(account_no=f"0045{FIRST_NUMBER}")
    assert [claim["_id"] for claim in desk.get(f"/api/claims/all?q={FIRST_NUMBER}").json()] == [other]


@pytest.mark.parametrize("number", ["P-10001", "C-", "C-1x", "-1", "C-1234567890123456", "١٢"])
def test_a_number_of_another_form_is_refused(desk: Desk, number: str) -> None:
    answer = desk.get("/api/claims/all", params={"number": number})
    assert_refused(answer, 422, "invalid_input")
    assert "C-10482" in answer.json()["fields"]["number"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE claims SET number = number + 1",
        "UPDATE claims SET number = 0",
        "INSERT INTO claims (id, created_at, user_id, purchase_id, amount_paise, account_no, ifsc, address, status, "
        "number) SELECT 'ffffffffffffffffffffffff', created_at, user_id, purchase_id, amount_paise, account_no, ifsc, "
        "address, status, 77 FROM claims",
    ],
    ids=["changed", "cleared", "chosen"],
)
def test_nobody_else_gives_or_changes_a_number(desk: Desk, statement: str) -> None:
    desk.add_claim()
    with pytest.raises(DBAPIError):
        desk.change(text(statement))
    assert [number for (number,) in desk.rows(select(claims.c.number))] == [FIRST_NUMBER]


@pytest.mark.parametrize("letter", ["C", "c", "P", "Q"])
def test_the_audit_log_is_searched_by_number(desk: Desk, letter: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.upload(qr_png()).status_code == 200
    (code,) = desk.get("/api/qr").json()
    found = {row["subjectId"] for row in desk.get(f"/api/audit?limit=50&subject={letter}-{FIRST_NUMBER}").json()}
    # Nothing was done to the purchase by the desk.
    assert found == {"C": {claim_id}, "P": set(), "Q": {code["_id"]}}[letter.upper()]
    for other in (
        f"{letter}-{FIRST_NUMBER + 7}",
        f"{letter}-",
        f"{letter}-1x",
        f"{letter}-{10**16}",
        str(FIRST_NUMBER),
    ):
        assert desk.get("/api/audit", params={"limit": 50, "subject": other}).json() == []
