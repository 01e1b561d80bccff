"""The statement of a client for a period: rows and sums by the days of the desk, with masked numbers."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import insert, select, update

from countinghouse.admins.permissions import Role
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.clients.statement import MOST_ROWS
from countinghouse.core.desk_zone import today, use_zone
from countinghouse.core.ids import new_id
from countinghouse.core.times import iso
from countinghouse.purchases.tables import purchases
from tests.claims.people import Person
from tests.contract.test_what_each_role_may_do import set_role
from tests.desk import Desk
from tests.engines import on_one_engine

# In India, 10 November begins and ends at 18:30 in UTC.
BEGINS, ENDS = datetime(2026, 11, 9, 18, 30, tzinfo=UTC), datetime(2026, 11, 10, 18, 30, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)
EARLIER = datetime(2026, 9, 1, 6, tzinfo=UTC)


def ask(desk: Desk, user_id: str, first: str = "2026-11-10", last: str = "2026-11-10") -> Response:
    return desk.get(f"/api/clients/{user_id}/statement", params={"from": first, "to": last})


def statement(desk: Desk, user_id: str, first: str = "2026-11-10", last: str = "2026-11-10") -> dict[str, Any]:
    answer = ask(desk, user_id, first, last)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_client_without_rows_has_an_empty_statement(desk: Desk) -> None:
    user_id = desk.add_user(username="Ananya Iyer", mobile="9805756092")
    made = statement(desk, user_id, "2026-11-01", "2026-11-30")
    assert made.pop("at").endswith("Z")
    assert made == {
        "user": {"_id": user_id, "username": "Ananya Iyer", "mobile": "••••6092"},
        "firstDay": "2026-11-01",
        "lastDay": "2026-11-30",
        "timeZone": "Asia/Kolkata",
        "purchases": {"amount": 0, "items": []},
        "paid": {"amount": 0, "items": []},
        "open": {"amount": 0, "items": []},
    }


def test_days_are_those_of_the_desk_and_every_row_is_in_one_period(desk: Desk) -> None:
    ananya = Person(desk)
    for place, at in enumerate((BEGINS - INSTANT, BEGINS, ENDS - INSTANT, ENDS)):
        paise = 10**place
        ananya.buys(at=at, invest_paise=100 * paise)
        ananya.claims(100 * paise, "Pending", at=at)
        ananya.claims(100 * paise, "Paid", at=EARLIER, moved_at=at)
    for first, last, rupees in (
        ("2026-11-01", "2026-11-09", 1),
        ("2026-11-10", "2026-11-10", 110),
        ("2026-11-11", "2026-11-30", 1000),
        ("2026-11-01", "2026-11-30", 1111),
    ):
        made = statement(desk, ananya.id, first, last)
        assert [made[part]["amount"] for part in ("purchases", "paid", "open")] == [rupees] * 3
        for part, name in (("purchases", "invest"), ("paid", "amount"), ("open", "amount")):
            assert sum(row[name] for row in made[part]["items"]) == rupees


def test_the_days_follow_the_time_zone_of_the_desk(desk: Desk) -> None:
    ananya = Person(desk).buys(at=BEGINS)
    assert len(statement(desk, ananya.id)["purchases"]["items"]) == 1
    use_zone("America/New_York")
    made = statement(desk, ananya.id, "2026-11-09", "2026-11-09")
    assert (len(made["purchases"]["items"]), made["timeZone"]) == (1, "America/New_York")
    assert statement(desk, ananya.id)["purchases"]["items"] == []


def test_a_paid_claim_has_number_reference_and_masked_account(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    assert desk.move(claim_id, "Paid", reference="N319260012345678").status_code == 200
    claim = desk.get(f"/api/claims/{claim_id}").json()
    day = today().isoformat()

    made = statement(desk, claim["user"]["_id"], day, day)

    assert made["paid"] == {
        "amount": 1937.5,
        "items": [
            {
                "number": claim["number"],
                "createdAt": claim["createdAt"],
                "amount": 1937.5,
                "status": "Paid",
                "accountNo": "••••5678",
                "bank": claim["bank"],
                "payout": claim["payout"],
            }
        ],
    }
    assert claim["payout"]["reference"] == "N319260012345678"
    assert made["open"] == {"amount": 0, "items": []}


def test_open_claims_have_no_payout_and_rejected_ones_are_left_out(desk: Desk) -> None:
    ananya = Person(desk).buys(at=EARLIER)
    for paise, status in ((101, "Pending"), (202, "Accepted"), (404, "On hold"), (808, "Returned")):
        ananya.claims(paise, status, at=BEGINS, moved_at=ENDS)
    ananya.claims(99_999, "Rejected", at=BEGINS, moved_at=BEGINS)
    made = statement(desk, ananya.id)
    assert (made["open"]["amount"], made["paid"]["amount"]) == (15.15, 0)
    assert {(row["status"], row["payout"]) for row in made["open"]["items"]} == {
        (status, None) for status in ("Pending", "Accepted", "On hold", "Returned")
    }


def test_rows_are_listed_oldest_first_with_their_numbers(desk: Desk) -> None:
    ananya = Person(desk)
    moments = [BEGINS + timedelta(hours=hours) for hours in (5, 1, 3)]
    for at in moments:
        ananya.buys(at=at, upi_id=f"63190000{at.hour:04}")
    made = statement(desk, ananya.id)
    assert [row["createdAt"] for row in made["purchases"]["items"]] == [iso(at) for at in sorted(moments)]
    listed = {row["number"]: row["upiId"] for row in desk.get("/api/purchases/all").json()}
    assert {row["number"]: row["upiId"] for row in made["purchases"]["items"]} == listed


def test_rows_of_other_clients_are_never_included(desk: Desk) -> None:
    ananya = Person(desk).buys(at=BEGINS)
    other = Person(desk, "Somebody Else").buys(at=BEGINS)
    other.claims(5_000, "Paid", at=BEGINS, moved_at=BEGINS)
    other.claims(7_000, at=BEGINS)
    made = statement(desk, ananya.id)
    assert [len(made[part]["items"]) for part in ("purchases", "paid", "open")] == [1, 0, 0]
    assert [made[part]["amount"] for part in ("purchases", "paid", "open")] == [5000, 0, 0]


@pytest.mark.parametrize("role", [Role.OWNER, Role.VIEWER])
def test_numbers_are_masked_for_every_role_and_reading_leaves_no_trace(desk: Desk, role: Role) -> None:
    ananya = Person(desk).buys(at=EARLIER)
    ananya.claims(at=BEGINS)
    mobile = desk.get("/api/users").json()[0]["mobile"]
    set_role(desk, role)
    before = desk.rows(select(audit_log.c.seq))
    text = ask(desk, ananya.id).text
    assert "004512345678" not in text
    assert mobile not in text
    assert f"••••{mobile[-4:]}" in text
    assert "••••5678" in text
    assert desk.rows(select(audit_log.c.seq)) == before


def test_a_statement_of_too_many_entries_asks_for_a_shorter_period(desk: Desk) -> None:
    ananya = Person(desk).buys(at=EARLIER)
    bought = desk.rows(select(purchases))[0]._asdict()
    del bought["number"]
    bought |= {"created_at": BEGINS, "invest_paise": 10**15 - 1}
    rows = [bought | {"id": new_id(), "upi_id": f"R{place}"} for place in range(MOST_ROWS)]
    desk.change(insert(purchases).values(rows))
    full = statement(desk, ananya.id)
    assert len(full["purchases"]["items"]) == MOST_ROWS
    assert full["purchases"]["amount"] == MOST_ROWS * (10**15 - 1) / 100
    ananya.claims(at=BEGINS)
    answer = ask(desk, ananya.id)
    assert answer.status_code == 422
    assert answer.json() == {
        "code": "statement_too_long",
        "message": "A statement has at most 1,000 entries. Choose a shorter period.",
        "fields": {"from": "A statement has at most 1,000 entries. Choose a shorter period."},
    }
    assert statement(desk, ananya.id, "2026-11-11", "2026-11-30")["open"]["items"] == []


def test_a_paid_claim_that_was_stored_without_its_history_counts_when_it_was_requested(desk: Desk) -> None:
    ananya = Person(desk).buys(at=EARLIER)
    claim_id = ananya.claims(10_000, "Paid", at=BEGINS)
    assert [row["payout"] for row in statement(desk, ananya.id)["paid"]["items"]] == [None]
    desk.change(update(claims).where(claims.c.id == claim_id).values(moved_at=ENDS))
    assert statement(desk, ananya.id)["paid"]["items"] == []


@on_one_engine
@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({"from": "2026-11-11", "to": "2026-11-10"}, {"to"}),
        ({"from": "2026-11-10"}, {"to"}),
        ({}, {"from", "to"}),
        ({"from": "2026-02-30", "to": "2026-11-10"}, {"from"}),
        ({"from": "20261110", "to": "2026-W46-1"}, {"from", "to"}),
        ({"from": "2026-11-10T00:00:00Z", "to": "2026-11-10"}, {"from"}),
        ({"from": "1899-12-31", "to": "9000-01-01"}, {"from", "to"}),
        ({"from": "२०२६-११-१०", "to": ""}, {"from", "to"}),
        ({"from": "2026-11-10", "to": "2026-11-10", "status": "Paid"}, {"status"}),
    ],
)
def test_a_wrong_period_is_refused_with_a_sentence(desk: Desk, asked: dict[str, str], fields: set[str]) -> None:
    answer = desk.get(f"/api/clients/{desk.add_user()}/statement", params=asked)
    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == fields
    assert all(sentence.endswith(".") for sentence in answer.json()["fields"].values())


def test_the_first_and_the_last_possible_day_are_accepted(desk: Desk) -> None:
    ananya = Person(desk).buys(at=BEGINS)
    last = date(8999, 12, 31).isoformat()
    assert len(statement(desk, ananya.id, "1900-01-01", last)["purchases"]["items"]) == 1


@pytest.mark.parametrize("user_id", ["0" * 24, "nonsense"])
def test_an_unknown_client_is_not_found(desk: Desk, user_id: str) -> None:
    answer = ask(desk, user_id)
    assert (answer.status_code, answer.json()["code"]) == (404, "client_not_found")
