"""Whoever sees masked numbers finds one only by typing the whole of it: parts would spell it out digit by digit."""

import csv
import io
import sys
from collections.abc import Iterator
from itertools import cycle

import pytest
from sqlalchemy import insert, literal, select, update

from countinghouse.admins.permissions import Role
from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.listing.sql import has_other_digits
from countinghouse.core.times import now
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, USERS, Row, fill, forget_statements, ids, walk
from tests.contract.test_common_words import lower_thresholds
from tests.contract.test_what_each_role_may_do import set_role
from tests.desk import Desk

TOTALS = {CLAIMS: "/api/claims/totals", PURCHASES: "/api/purchases/totals", USERS: "/api/users/totals"}


@pytest.fixture(params=["few rows", "many rows"], autouse=True)
def thresholds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Few rows are found in another way than many."""
    if request.param == "many rows":
        lower_thresholds(monkeypatch)
    yield
    forget_statements()


def found_by(rows: list[Row], q: str) -> list[str]:
    """The ids of the rows that the search must find: numbers and long references as a whole, other words by a part."""

    def is_found(row: Row) -> bool:
        person = row.get("user", row)
        words = [person["username"], *([row["ifsc"]] if "ifsc" in row else [])]
        whole = person["mobile"], row.get("accountNo"), row.get("upiId")
        return q in whole or any(q.lower() in word.lower() for word in words)

    return ids([row for row in rows if is_found(row)])


@pytest.mark.parametrize("path", LISTS)
def test_parts_of_a_number_find_nothing_and_the_whole_number_does(desk: Desk, path: str) -> None:
    fill(desk, 60)
    whole = desk.get(path).json()
    person = whole[0].get("user", whole[0])
    numbers = [person["mobile"], *(whole[0][name] for name in ("accountNo", "upiId") if name in whole[0])]
    parts = {
        number[start : start + length]
        for number in numbers
        for length in (1, 2, 3, 4, 5, 8, len(number) - 1)
        for start in (0, 1, len(number) - length)
    }
    set_role(desk, Role.VIEWER)
    for q in (*sorted(parts - set(numbers)), *numbers, "ananya", "hdfc0001234", "63000", f"0{numbers[0]}", "%"):
        expected = found_by(whole, q)
        assert ids(walk(desk, path, {"q": q, "limit": "7"})) == expected, q
        assert ids(desk.get(path, params={"q": q}).json()) == expected, q
        for exact in ({}, {"exact": "true"}):
            total = desk.get(TOTALS[path], params={"q": q} | exact).json()
            assert total["count"] == len(expected) or not total["isExact"], q
            assert bool(total["count"]) == bool(expected), q
    for number in numbers:
        assert found_by(whole, number), number


def test_an_export_finds_no_more_than_the_list(desk: Desk) -> None:
    fill(desk, 60)
    number = desk.get(CLAIMS).json()[0]["accountNo"]
    set_role(desk, Role.VIEWER)
    for q in (number[-5:], number):
        asked = desk.call("POST", "/api/exports", json={"list": "claims", "format": "csv", "query": {"q": q}}).json()
        file = desk.client.get(asked["url"]).content.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(file)))
        assert asked["rowsTotal"] in (len(rows), None)
        assert bool(rows) == (q == number), q


def test_whoever_sees_the_numbers_finds_them_by_a_part(desk: Desk) -> None:
    fill(desk, 60)
    number = desk.get(CLAIMS).json()[0]["accountNo"]
    set_role(desk, Role.VIEWER)
    assert desk.get(f"{CLAIMS}?limit=50&q={number[1:]}").json() == []
    assert desk.get(f"{CLAIMS}?limit=50&q={number[1:]}", by="ravi").json()


def test_a_part_of_a_number_in_a_name_finds_nothing_either(desk: Desk) -> None:
    fill(desk, 60)
    number = "004512345678"
    user_id = desk.get(CLAIMS).json()[0]["user"]["_id"]
    desk.change(update(users).where(users.c.id == user_id).values(username=f"call {number}"))
    its_claims = [row["_id"] for row in desk.get(CLAIMS).json() if row["user"]["_id"] == user_id]
    assert its_claims
    for path, expected in ((USERS, [user_id]), (CLAIMS, its_claims)):
        assert ids(desk.get(f"{path}?q={number[:7]}").json()) == expected
        set_role(desk, Role.VIEWER)
        for q in (number[:7], number[-6:], "call 0", f"all {number}"):
            assert desk.get(path, params={"q": q}).json() == [], q
            assert desk.get(path, params={"q": q, "limit": "7"}).json() == [], q
            assert desk.get(TOTALS[path], params={"q": q}).json()["count"] == 0, q
        # Words without digits, and the whole name.
        for q in ("call", "CALL", f"Call {number}"):
            assert ids(desk.get(path, params={"q": q}).json()) == expected, q
        set_role(desk, Role.OWNER)


# A reference may hold a number of its client, which is masked in it.
REFERENCES = {
    "at its beginning": "9325417860TX",
    "at its end": "TX9325417860",
    "in groups": "93254-17860/X",
    "in other digits": "TX" + "".join(chr(0x966 + int(digit)) for digit in "9325417860"),
    "of eight digits, the zero before them left out": "25417860",
}


@pytest.mark.parametrize("reference", REFERENCES.values(), ids=REFERENCES)
@pytest.mark.parametrize("path", [PURCHASES, CLAIMS])
def test_a_part_of_a_reference_finds_nothing_and_the_whole_does(desk: Desk, path: str, reference: str) -> None:
    fill(desk, 60)
    if path == PURCHASES:
        expected = [desk.get(path).json()[0]["_id"]]
        desk.change(update(purchases).where(purchases.c.id == expected[0]).values(upi_id=reference))
    else:
        # Its other texts have no digit that a part could find.
        expected = [desk.add_claim(ifsc="HDFC")]
        row = {"id": new_id(), "claim_id": expected[0], "number": 1, "reference": reference, "recorded_at": now()}
        desk.change(insert(payout_references).values(row))
    parts = {reference[start : start + length] for length in (1, 3, 4, 6, 7) for start in range(len(reference))}
    parts -= {reference}
    set_role(desk, Role.VIEWER)
    for q in sorted(part for part in parts if any(map(str.isdigit, part)) and part == part.strip()):
        for query in ({"q": q}, {"q": q, "limit": "7"}):
            assert expected[0] not in ids(desk.get(path, params=query).json()), q
    for q in {reference, reference.lower()}:
        assert ids(desk.get(path, params={"q": q}).json()) == expected, q
        assert ids(desk.get(path, params={"q": q, "limit": "7"}).json()) == expected, q
        assert desk.get(TOTALS[path], params={"q": q}).json()["count"] == 1, q


def test_a_short_reference_is_found_by_a_part(desk: Desk) -> None:
    fill(desk, 60)
    claim_id = desk.get(CLAIMS).json()[0]["_id"]
    desk.change(update(claims).where(claims.c.id == claim_id).values(ifsc="YESB0000777"))
    set_role(desk, Role.VIEWER)
    for q in ("0000777", "yesb", "777"):
        assert ids(desk.get(CLAIMS, params={"q": q}).json()) == [claim_id], q


# The zeros of ten digits each.
SCRIPTS = {
    "Devanagari": "\u0966",
    "Arabic": "\u0660",
    "full width": "\uff10",
    "bold": "\U0001d7ce",
    "mixed": "\u0966\U0001d7ce0",
    "lowered": "\u2080",
}


def written_in(zeros: str, number: str) -> str:
    """Each digit in the next of the scripts with these zeros."""
    return "".join(chr(ord(zero) + int(digit)) for zero, digit in zip(cycle(zeros), number, strict=False))


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_number_in_other_digits_is_not_found_digit_by_digit(desk: Desk, script: str) -> None:
    fill(desk, 60)
    number = written_in(SCRIPTS[script], "9325417860")
    user_id = desk.get(CLAIMS).json()[0]["user"]["_id"]
    desk.change(update(users).where(users.c.id == user_id).values(username=f"call {number}"))
    its_claims = [row["_id"] for row in desk.get(CLAIMS).json() if row["user"]["_id"] == user_id]
    for path, expected in ((USERS, [user_id]), (CLAIMS, its_claims)):
        assert ids(desk.get(path, params={"q": number[:5]}).json()) == expected
        set_role(desk, Role.VIEWER)
        for q in (number[:1], number[:3], number[:5], number[-6:], f"call {number[0]}", "9325"):
            assert desk.get(path, params={"q": q}).json() == [], q
            assert desk.get(TOTALS[path], params={"q": q}).json()["count"] == 0, q
        for q in ("call", f"Call {number}"):
            assert ids(desk.get(path, params={"q": q}).json()) == expected, q
        set_role(desk, Role.OWNER)


def test_every_digit_that_is_masked_is_known_to_the_search(desk: Desk) -> None:
    """Also those of a Python that knows more scripts than this one does."""
    other = [chr(code) for code in range(128, sys.maxunicode + 1) if chr(code).isdigit()]
    found = [digit for digit in other if desk.rows(select(has_other_digits(literal(digit))))[0][0]]
    assert found == other
    assert not desk.rows(select(has_other_digits(literal("Zoë 0123456789 अनन्या ½ ⑩"))))[0][0]
