"""The service's own ids are found by the search, and shown where one row is read."""

import pytest
from sqlalchemy import update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.core.numbers import FIRST_NUMBER
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.exports.downloads import download, read_csv
from tests.intake.pushing import a_claim, a_purchase, a_user, add_key, outcomes, pushed

LISTS = {"users": "/api/users", "purchases": "/api/purchases/all", "claims": "/api/claims/all"}


@pytest.fixture
def ids(desk: Desk) -> dict[str, list[str]]:
    key = add_key(desk)
    rows = {
        "users": [a_user(1, externalId="usr:7f3a"), a_user(2)],
        "purchases": [a_purchase(1, externalId="ord:7f3a", user={"externalId": "usr:7f3a"}), a_purchase(2, of=2)],
        "claims": [
            a_claim(1, externalId="wd:7f3a", user={"externalId": "usr:7f3a"}, purchase={"externalId": "ord:7f3a"}),
            a_claim(2, on=2, of=2),
        ],
    }
    return {noun: [result["_id"] for result in pushed(desk, key, noun, sent)] for noun, sent in rows.items()}


@pytest.mark.parametrize(
    ("noun", "external_id"), [("users", "usr:7f3a"), ("purchases", "ord:7f3a"), ("claims", "wd:7f3a")]
)
def test_the_search_finds_exactly_the_row_with_this_id(
    desk: Desk, ids: dict[str, list[str]], noun: str, external_id: str
) -> None:
    path, wanted = LISTS[noun], [ids[noun][0]]
    for role in (Role.OWNER, Role.VIEWER):
        desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))
        # A viewer cannot sort by a name, which may hold a number.
        order = "username" if role is Role.OWNER else "createdAt"
        for more in ({}, {"limit": "50"}, {"limit": "50", "sort": order}):
            found = desk.get(path, params={"q": external_id, **more}).json()
            assert [row["_id"] for row in found] == wanted, (role, more)
        totals = desk.get(f"{path.removesuffix('/all')}/totals", params={"q": external_id}).json()
        assert totals["count"] == 1
    # A part of it finds nothing, and neither does another spelling.
    for other in (external_id[:-1], external_id[1:], external_id.upper()):
        assert desk.get(path, params={"q": other}).json() == []


def test_an_id_that_looks_like_a_number_is_found_beside_the_number(desk: Desk, ids: dict[str, list[str]]) -> None:
    key = add_key(desk, "another")
    alike = f"c-{FIRST_NUMBER}"
    (numbered,) = desk.get(LISTS["claims"], params={"number": alike}).json()
    (result,) = pushed(desk, key, "claims", a_claim(3, on=2, of=2, externalId=alike))
    for more in ({}, {"limit": "50"}):
        found = desk.get(LISTS["claims"], params={"q": alike, **more}).json()
        assert {row["_id"] for row in found} == {numbered["_id"], result["_id"]}
        # The number alone means only ours.
        assert desk.get(LISTS["claims"], params={"number": alike, **more}).json() == [numbered]
    assert [row["_id"] for row in desk.get(LISTS["claims"], params={"q": "c-2"}).json()] == [ids["claims"][1]]
    assert_refused(desk.get(LISTS["claims"], params={"named": "wd:7f3a"}), 422, "invalid_input")


def test_a_single_row_and_the_files_have_it(desk: Desk, ids: dict[str, list[str]]) -> None:
    claim_id, purchase_id, user_id = (ids[noun][0] for noun in ("claims", "purchases", "users"))
    assert desk.get(f"/api/claims/{claim_id}").json()["externalId"] == "wd:7f3a"
    assert desk.get(f"/api/claims/{claim_id}/details").json()["claim"]["externalId"] == "wd:7f3a"
    assert desk.get(f"/api/purchases/{purchase_id}/details").json()["externalId"] == "ord:7f3a"
    assert desk.get(f"/api/clients/{user_id}").json()["user"]["externalId"] == "usr:7f3a"
    (listed, *_) = desk.get(LISTS["claims"], params={"with": "more", "q": "wd:7f3a"}).json()
    assert listed["externalId"] == "wd:7f3a"
    unasked = desk.get(LISTS["claims"], params={"q": "wd:7f3a"}).json()[0]
    assert "externalId" not in unasked
    assert desk.get(f"/api/claims/{desk.add_claim()}").json()["externalId"] is None
    for noun, wanted in (("users", "usr:7f3a"), ("purchases", "ord:7f3a"), ("claims", "wd:7f3a")):
        header, *rows = read_csv(download(desk, noun, q=wanted))
        assert [row[header.index("External ID")] for row in rows] == [wanted]


def test_ids_with_quotes_braces_and_backslashes_are_looked_up_as_they_are(desk: Desk) -> None:
    key = add_key(desk)
    odd = ['a"b', "a\\b", '\\"', "{x,y}", "NULL", "a,b", "'", "%", "é ü"]
    rows = [a_user(number, externalId=one) for number, one in enumerate(odd)]
    first = pushed(desk, key, "users", rows)
    assert outcomes(first) == ["created"] * len(odd)
    again = pushed(desk, key, "users", rows)
    assert outcomes(again) == ["unchanged"] * len(odd)
    bought = [a_purchase(number, user={"externalId": one}) for number, one in enumerate(odd)]
    assert outcomes(pushed(desk, key, "purchases", bought)) == ["created"] * len(odd)
    for one, result in zip(odd, first, strict=True):
        assert [row["_id"] for row in desk.get(LISTS["users"], params={"q": one}).json()].count(result["_id"]) == 1
