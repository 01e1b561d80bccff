"""What `q` finds: parts of words, in any case, with every character taken literally."""

import pytest
from sqlalchemy import delete, update

from countinghouse.users.tables import users
from tests.contract.rows import (
    CLAIMS,
    LISTS,
    NAMES,
    PURCHASES,
    SORTS,
    USERS,
    every_sort,
    fill,
    ids,
    matching,
    walk,
    walk_in_order,
)
from tests.desk import Desk

# Parts of stored texts and of others; some would be operators, wildcards or quotes to a database.
WORDS = (
    "ananya",
    "ANANYA IYER",
    "nya iy",
    "a",
    "A",
    "ra",
    "98",
    "980000",
    "00000001",
    "hdfc0001234",
    "C000",
    "6300000",
    '"',
    '""',
    '"Bo"',
    'b "bo" o',
    "O'Brien",
    "'",
    "' OR 1=1 --",
    "AND",
    "and near*",
    "near(x)",
    "NEAR(x",
    "*",
    "ar*",
    "-",
    "-jo",
    "a-Jo NOT (r",
    "(ravi)",
    "NOT",
    "{id}",
    "{id}:",
    "id:",
    "^words",
    ": ^w",
    "%",
    "%%%",
    "_",
    "___",
    "% _o",
    "50%",
    "_off\\",
    "\\",
    "\\\\",
    "f\\",
    "an_nya",
    "an%a",
    "अनन्या",
    "अ",
    "न्या अय्",
    "अय्यर",
    "ravi kumarx",
    "x" * 100,
    "ananya iyer" + " ananya iyer" * 7,
    "💸",
    "é",
    "? AND ?",
    ":q",
    "%s %(q)s",
)


@pytest.mark.parametrize("path", LISTS)
def test_a_search_finds_exactly_the_rows_that_contain_the_word(desk: Desk, path: str) -> None:
    fill(desk, 160)
    whole = desk.get(path).json()
    found_some = 0
    for q in WORDS:
        expected = matching(whole, {"q": q})
        found_some += bool(expected)
        page = desk.get(path, params={"q": q, "limit": "1000"})
        assert page.status_code == 200, (q, page.text)
        assert page.json() == expected, q
        assert page.headers["x-total-count"] == str(len(expected)), q
        assert desk.get(path, params={"q": q}).json() == expected, q
    assert found_some > len(WORDS) // 2


def test_only_the_searchable_columns_are_searched(desk: Desk) -> None:
    user_id = desk.add_user(username="Quentin Xu", mobile="5550001112")
    purchase_id = desk.add_purchase(user_id=user_id, upi_id="TXN998877", claim_type="Sevenfold", qr_name="Quay")[1]
    desk.add_claim(
        user_id=user_id, purchase_id=purchase_id, account_no="ACC-4242", ifsc="ZZZZ0QQQQQQ", address="Hidden Lane"
    )
    desk.add_claim()
    found = {
        CLAIMS: ("entin x", "50001", "acc-42", "zz0qq"),
        PURCHASES: ("entin x", "50001", "xn9988"),
        USERS: ("entin x", "50001"),
    }
    for path, words in found.items():
        for q in words:
            shown = desk.get(path, params={"q": q, "limit": "50"}).json()
            assert len(shown) == 1, (path, q)
            assert shown[0].get("user", shown[0])["username"] == "Quentin Xu"
    for path in LISTS:
        for q in ("Hidden", "Sevenfold", "Quay", purchase_id, "2026"):
            assert desk.get(path, params={"q": q, "limit": "50"}).json() == [], (path, q)
    for path, q in ((USERS, "acc-42"), (USERS, "xn9988"), (PURCHASES, "acc-42"), (CLAIMS, "xn9988")):
        assert desk.get(path, params={"q": q, "limit": "50"}).json() == []


@pytest.mark.parametrize("path", LISTS)
def test_a_word_never_matches_across_two_columns(desk: Desk, path: str) -> None:
    user_id = desk.add_user(username="Quentin", mobile="5550001112")
    purchase_id = desk.add_purchase(user_id=user_id, upi_id="TXN998877")[1]
    desk.add_claim(user_id=user_id, purchase_id=purchase_id, account_no="77774242", ifsc="ZZZZ0QQQQQQ")
    for q in ("quentin5550", "quentin 5550", "entin%555", "4242zzzz", "4242 zzzz", "1112txn", "5550001112quentin"):
        assert desk.get(path, params={"q": q, "limit": "50"}).json() == [], q


def test_rows_with_only_the_pieces_of_a_word_are_not_found(desk: Desk) -> None:
    """The index finds a few pieces of a long word, and also returns rows with these in another order or apart."""
    desk.add_user(username="whole", mobile="6006268921")
    for mobile in ("8926266001", "60062689215"[::-1], "600x626x892x921", "6006268920", "0062689216", "600626-8921"):
        desk.add_user(username=f"not {mobile}", mobile=mobile)
    for q in ("6006268921", "006268921", "06268921", "600626892"):
        names = [row["username"] for row in desk.get(USERS, params={"q": q, "limit": "50"}).json()]
        assert "whole" in names, q
        assert names == [row["username"] for row in matching(desk.get(USERS).json(), {"q": q})], q


@pytest.mark.parametrize("path", LISTS)
def test_a_search_in_every_sort_order_pages_through_each_match_once(desk: Desk, path: str) -> None:
    fill(desk, 130)
    whole = desk.get(path).json()
    for q in ("ananya", "98", "अय्यर"):
        expected = matching(whole, {"q": q})
        assert expected
        for sort in every_sort(path):
            walked = walk_in_order(desk, path, {"q": q, "sort": sort, "limit": "9"}, expected)
            assert len(set(ids(walked))) == len(walked)
            assert walked == desk.get(path, params={"q": q, "sort": sort}).json(), sort


def test_a_word_in_thousands_of_rows_is_searched_exactly(desk: Desk) -> None:
    """With more than a thousand matches the list is read in its order, instead of finding the matches first."""
    fill(desk, 1_500)
    whole = desk.get(CLAIMS).json()
    for q in ("0000", "0", "980"):
        expected = matching(whole, {"q": q})
        assert len(expected) > 1_000
        assert walk(desk, CLAIMS, {"q": q, "limit": "700"}) == expected
        for sort in SORTS[CLAIMS]:
            by_sort = walk(desk, CLAIMS, {"q": q, "limit": "1000", "sort": f"-{sort}"})
            assert sorted(ids(by_sort)) == sorted(ids(expected)), (q, sort)
        for others in ({"status": "Paid"}, {"minAmount": "1100"}, {"from": "2026-11-12T10:00:00Z"}):
            narrowed = matching(expected, others)
            assert walk(desk, CLAIMS, {"q": q, "limit": "300", **others}) == narrowed, others


def test_a_search_reflects_updates_and_deletions(desk: Desk) -> None:
    user_id = desk.add_user(username=NAMES[0])
    assert len(desk.get(USERS, params={"q": "ananya", "limit": "5"}).json()) == 1
    desk.change(update(users).where(users.c.id == user_id).values(username="Somebody Else"))
    assert desk.get(USERS, params={"q": "ananya", "limit": "5"}).json() == []
    assert ids(desk.get(USERS, params={"q": "body els", "limit": "5"}).json()) == [user_id]
    desk.change(delete(users).where(users.c.id == user_id))
    assert desk.get(USERS, params={"q": "body els", "limit": "5"}).json() == []
