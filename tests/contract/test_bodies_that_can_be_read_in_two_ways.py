"""A JSON body that two readers could understand differently is refused by every route, before anything is done."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import func, select

from countinghouse.admins.tables import sessions
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.main import create_app
from countinghouse.settings import Settings
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_user, add_key

JSON = {"Content-Type": "application/json"}
NOT_UTF8 = "The request's body is not in UTF-8. Send JSON in UTF-8 without a byte order mark."
PLAIN = json.dumps({"status": "Rejected", "reason": "é"}, ensure_ascii=False)
OTHER_ENCODINGS = {
    "UTF-8 with a byte order mark": PLAIN.encode("utf-8-sig"),
    "UTF-16": PLAIN.encode("utf-16"),
    "UTF-16 without a byte order mark": PLAIN.encode("utf-16-le"),
    "UTF-32": PLAIN.encode("utf-32"),
    "Latin-1": PLAIN.encode("latin-1"),
}


def twice(name: str) -> str:
    return f"The request's body names '{name}' twice in one object."


def routes_with_a_json_body() -> Iterator[tuple[str, str]]:
    app = create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None))
    for route in app.routes:
        if isinstance(route, APIRoute) and route.body_field is not None:
            yield from ((method, route.path) for method in sorted(route.methods or ()))


ROUTES = [*routes_with_a_json_body(), *(("POST", f"/api/intake/{noun}") for noun in ("users", "purchases", "claims"))]


def counts(desk: Desk) -> list[Any]:
    return [desk.rows(select(func.count()).select_from(table)) for table in (audit_log, sessions)]


def test_the_open_routes_and_those_of_the_keys_are_among_them() -> None:
    assert len(ROUTES) > 30
    assert {
        ("POST", "/api/admin/login"),
        ("POST", "/api/invitations/accept"),
        ("PUT", "/api/claims/{claim_id}/status"),
        ("POST", "/api/batches/confirm"),
        ("PUT", "/api/intake/claims/{external_id:path}"),
    } <= set(ROUTES)


@on_one_engine
def test_every_route_refuses_a_key_that_is_named_twice_and_another_encoding(desk: Desk) -> None:
    key = add_key(desk)
    before = counts(desk)
    for method, path in ROUTES:
        concrete = re.sub(r"\{[\w:]+\}", "0" * 24, path)
        by, headers = (key if path.startswith("/api/intake") else "asha"), {**JSON, "Idempotency-Key": "odd"}
        for body, sentence in ((b'{"a": 1, "b": {}, "a": 1}', twice("a")), (PLAIN.encode("utf-16"), NOT_UTF8)):
            answer = desk.call(method, concrete, by=by, content=body, headers=headers)
            assert (answer.status_code, answer.json()) == (
                422,
                {"code": "invalid_input", "message": sentence, "fields": {"body": sentence}},
            ), (method, path)
    assert counts(desk) == before


@on_one_engine
def test_the_last_of_two_statuses_does_not_win(desk: Desk) -> None:
    claim_id = desk.add_claim()
    body = b'{"status":"Accepted","status":"Rejected","reason":"x"}'
    for kind in ("application/json", "application/problem+json", "application/json; charset=utf-16"):
        answer = desk.call("PUT", f"/api/claims/{claim_id}/status", content=body, headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["message"]) == (422, twice("status"))
    assert desk.rows(select(claims.c.status)) == [("Pending",)]


@on_one_engine
@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"claims": [{"_id": "ID", "version": 0, "version": 1}], "status": "Accepted"}', "version"),
        ('{"claims": [], "claims": [{"_id": "ID", "version": 0}], "status": "Accepted"}', "claims"),
        ('{"claims": [{"_id": "ID", "version": 0}], "st\\u0061tus": "Paid", "status": "Accepted"}', "status"),
    ],
)
def test_a_key_within_a_list_and_an_escaped_one_are_compared_too(desk: Desk, body: str, name: str) -> None:
    sent = body.replace("ID", desk.add_claim())
    answer = desk.call("POST", "/api/batches", content=sent.encode(), headers=JSON)
    assert (answer.status_code, answer.json()["message"]) == (422, twice(name))


@on_one_engine
@pytest.mark.parametrize("body", OTHER_ENCODINGS.values(), ids=OTHER_ENCODINGS)
def test_another_encoding_is_refused_by_the_desk_and_by_the_intake(desk: Desk, body: bytes) -> None:
    claim_path = f"/api/claims/{desk.add_claim()}/status"
    key = add_key(desk)
    for method, path, by in (("PUT", claim_path, "asha"), ("POST", "/api/intake/users", key)):
        answer = desk.call(method, path, by=by, content=body, headers={**JSON, "Idempotency-Key": "odd"})
        assert (answer.status_code, answer.json()["message"]) == (422, NOT_UTF8), (method, path)
    assert desk.rows(select(claims.c.status)) == [("Pending",)]


@on_one_engine
@pytest.mark.parametrize("body", ["{", "NaN", '{"reason": NaN}', "[", '{"reason": ' + "9" * 5000 + "}"])
def test_what_is_not_json_is_refused_in_the_same_shape(desk: Desk, body: str) -> None:
    sentence = "The request's body is not JSON."
    answer = desk.call("PUT", f"/api/claims/{'0' * 24}/status", content=body.encode(), headers=JSON)
    assert (answer.status_code, answer.json()["fields"]) == (422, {"body": sentence})


@on_one_engine
def test_the_key_that_is_named_twice_is_found_among_very_many(desk: Desk) -> None:
    """A search for the key that compares each with all others would take minutes."""
    names = ",".join(f'"{number}":0' for number in range(25_000))
    key = add_key(desk)
    answer = desk.call(
        "POST",
        "/api/intake/users",
        by=key,
        content=f'{{{names},"24999":1}}'.encode(),
        headers={**JSON, "Idempotency-Key": "many"},
    )
    assert (answer.status_code, answer.json()["message"]) == (422, twice("24999"))


@on_one_engine
def test_names_that_differ_and_the_same_name_in_two_objects_are_fine(desk: Desk) -> None:
    key = add_key(desk)
    body = json.dumps([a_user(1), a_user(2)]).encode()
    answer = desk.call("POST", "/api/intake/users", by=key, content=body, headers={**JSON, "Idempotency-Key": "two"})
    assert [each["outcome"] for each in answer.json()["results"]] == ["created", "created"]
    path = f"/api/claims/{desk.add_claim()}/status"
    assert desk.call("PUT", path, content=PLAIN.encode(), headers=JSON).status_code == 200
