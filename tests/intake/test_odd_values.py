"""Whatever stands in a field, its result says what is wrong, and no row harms another."""

from typing import Any

import pytest

from countinghouse.core.ids import new_id
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_claim, a_purchase, a_user, add_key, outcomes, push_one_of_each, pushed

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    -(10**4000),
    1e-300,
    1e300,
    "",
    " ",
    "\0",
    "\ud800",
    "\U0010ffff",
    "\u202e",
    "x" * 50_000,
    "٣٤٥٦٧٨٩٠١٢",
    "98000000\uff101",
    "' OR 1=1 --",
    "{1,2}",
    "\\",
    [],
    [[]],
    {},
    {"externalId": None},
    {"externalId": "\0"},
    {"externalId": "\udfff"},
    {"externalId": ["u-1"]},
    {"mobile": "\0"},
    {"mobile": "x" * 50_000},
    {"_id": "0" * 24},
    {"a": {"b": [{}]}},
]


@pytest.mark.parametrize(("noun", "row"), [("users", a_user(9)), ("purchases", a_purchase(9)), ("claims", a_claim(9))])
def test_an_odd_value_in_any_field_is_answered_with_a_result(desk: Desk, noun: str, row: dict[str, Any]) -> None:
    key = add_key(desk)
    push_one_of_each(desk, key)
    names = [*row, "_id", "createdAt", "status", "version"]
    rows = [row | {"externalId": f"{name} {n}"} | {name: odd} for name in names for n, odd in enumerate(ODD)]
    results = pushed(desk, key, noun, [*rows, row])
    assert results[-1]["outcome"] == "created"
    for result, sent in zip(results, rows, strict=False):
        assert result["outcome"] in ("created", "invalid"), (sent, result)
        assert (result["outcome"] == "invalid") == ("fields" in result)
    again = pushed(desk, key, noun, [*rows, row])
    assert [each for each in outcomes(again) if each != "invalid"] == ["unchanged"] * outcomes(results).count("created")
    for path in ("/api/claims/all", "/api/purchases/all", "/api/users"):
        assert desk.get(path).status_code == 200


@pytest.mark.parametrize("body", [[], [[]], [None], "users", 7, None, {"results": []}])
def test_a_body_of_another_shape_has_no_rows_that_are_stored(desk: Desk, body: Any) -> None:
    results = pushed(desk, add_key(desk), "users", body)
    assert set(outcomes(results)) <= {"invalid"}
    assert desk.audit("user.added") == []


def test_a_row_of_very_many_unknown_fields_gets_a_short_answer(desk: Desk) -> None:
    row = a_user(1) | {f"field {n} {'x' * 400}": n for n in range(3000)}
    (result,) = pushed(desk, add_key(desk), "users", row)
    assert (result["outcome"], list(result["fields"])) == ("invalid", ["body"])
    assert max(map(len, (*result["fields"], *result["fields"].values()))) <= 300


def test_an_id_in_another_unicode_form_is_no_second_row(desk: Desk) -> None:
    """Both look the same, and a service that changes its language or database may send the other form."""
    key = add_key(desk)
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert outcomes(pushed(desk, key, "users", a_user(1, externalId=composed))) == ["created"]
    (result,) = pushed(desk, key, "users", a_user(1, externalId=decomposed))
    assert result["outcome"] == "invalid"
    assert result["fields"]["externalId"].startswith("externalId is not in Unicode normalization form C (NFC)")
    assert len(desk.get("/api/users").json()) == 1


@on_one_engine
def test_an_id_from_the_future_is_refused(desk: Desk) -> None:
    """Partitions are made by the time in the id."""
    key = add_key(desk)
    (refused,) = pushed(desk, key, "users", a_user(_id="ffffffff0000000000000001"))
    sentence = "_id begins with a time in the future. An id begins with the time of its creation."
    assert (refused["outcome"], refused["fields"]) == ("invalid", {"_id": sentence})
    assert outcomes(pushed(desk, key, "users", a_user(_id=new_id()))) == ["created"]
