"""Which text is accepted as input, and the message for text that is not."""

from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import PlainText, invalid_from
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine

Name = TypeAdapter(Annotated[PlainText, Field(min_length=1, max_length=20)])

INVISIBLE = {
    "NUL": "\x00",
    "a bell": "\x07",
    "a new line": "\n",
    "delete": "\x7f",
    "a C1 control": "\x85",
    "a zero-width space": "\u200b",
    "a zero-width joiner": "\u200d",
    "a right-to-left override": "\u202e",
    "a soft hyphen": "\xad",
    "a byte-order mark": "\ufeff",
    "a line separator": "\u2028",
    "a paragraph separator": "\u2029",
    "a Hangul filler": "\u3164",
    "an empty Braille cell": "\u2800",
    "a private character": "\ue000",
    "a character of no meaning yet": "\U000e0fff",
    "a tag letter": "\U000e0041",
}


def _refusal_of(value: object) -> InvalidInput:
    with pytest.raises(ValidationError) as caught:
        Name.validate_python(value)
    return invalid_from(caught.value)


@pytest.mark.parametrize(
    "name", ["asha", "Asha Rao", "आशा", "ആഷ", "O'Neil-Smith", "名前", "é", "e\u0301", "a\xa0b", "👍"]
)
def test_names_in_any_script_are_accepted(name: str) -> None:
    assert Name.validate_python(name) == name


@pytest.mark.parametrize("kind", INVISIBLE)
def test_invisible_characters_are_refused(kind: str) -> None:
    for text in (f"as{INVISIBLE[kind]}ha", f"asha{INVISIBLE[kind]}"):
        assert "invisible character" in _refusal_of(text).message


def test_a_lone_surrogate_is_refused() -> None:
    assert _refusal_of("as\ud800ha").message


@pytest.mark.parametrize("edge", [" ", "\xa0", "\u3000", "\u2003"])
def test_leading_or_trailing_white_space_is_refused(edge: str) -> None:
    for text in (f"{edge}asha", f"asha{edge}", edge):
        assert "begins or ends with a space" in _refusal_of(text).message


@on_one_engine
@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("minAmount=much", "minAmount must be a number, like 1250 or 1250.50."),
        ("minAmount=Infinity", "minAmount must be a number, like 1250 or 1250.50."),
        (f"minAmount={'9' * 40}", "minAmount must be a number, like 1250 or 1250.50."),
        ("minAmount=0.005", "minAmount must have at most 2 decimal places."),
        ("minAmount=-1", "minAmount must be at least 0."),
        ("exact=perhaps", "exact must be true or false."),
        ("to=9999-12-31T00:00:00Z", "to must be less than 9000-01-01T00:00:00Z."),
    ],
)
def test_an_invalid_filter_is_refused_with_a_clear_message(desk: Desk, asked: str, sentence: str) -> None:
    assert assert_refused(desk.get(f"/api/claims/totals?{asked}"), 422, "invalid_input") == sentence


@on_one_engine
def test_a_value_of_the_wrong_type_is_refused_with_a_clear_message(desk: Desk) -> None:
    for sent, sentence in (
        ({"status": "Accepted", "claims": "all"}, "claims must be a list."),
        ({"status": "Accepted", "claims": [{"_id": "a" * 24, "version": 2**31}]}, "version must be less than"),
        ({"status": "Accepted", "claims": [{"_id": "a" * 24, "version": "9" * 5000}]}, "version must be a whole"),
        ([], "The request's body must be a JSON object."),
        ({"status": "Accepted", "query": "all"}, "query must be an object."),
        ({"status": "Accepted", "claims": ["all"]}, "claims.0 must be an object."),
    ):
        assert assert_refused(desk.call("POST", "/api/batches", json=sent), 422, "invalid_input").startswith(sentence)


def test_each_kind_of_invalid_field_has_its_own_message(desk: Desk) -> None:
    long = "x" * 101
    for sent, field, sentence in (
        ({"password": "p"}, "username", "username is required."),
        ({"username": "", "password": "p"}, "username", "username is required."),
        ({"username": long, "password": "p"}, "username", "username is too long: at most 100 characters."),
        ({"username": 7, "password": "p"}, "username", "username must be text."),
        ({"username": "a\x00b", "password": "p"}, "username", "username contains an invisible character"),
        ({"username": " a", "password": "p"}, "username", "username begins or ends with a space; remove it."),
    ):
        answer = desk.call("POST", "/api/admin/login", by=None, json=sent)
        assert_refused(answer, 422, "invalid_input")
        assert answer.json()["fields"][field].startswith(sentence)


@on_one_engine
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 3_000, b"null", b"[]", b'"text"', b'{"username": "\\ud800", "password": "p"}'],
)
def test_a_malformed_body_is_refused_in_the_common_error_shape(desk: Desk, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = desk.call("POST", "/api/admin/login", by=None, content=body, headers=headers)
    assert answer.status_code in (400, 422), answer.text
    assert_refused(answer, answer.status_code, answer.json()["code"])


def test_an_unknown_choice_is_refused_with_the_allowed_values(desk: Desk) -> None:
    answer = desk.move(desk.add_claim(), "Refused")
    assert assert_refused(answer, 422, "invalid_input") == (
        "status must be 'Pending', 'Accepted', 'Paid', 'On hold', 'Rejected' or 'Returned'."
    )
