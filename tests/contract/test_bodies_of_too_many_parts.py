"""A body with more parts than its call can use is refused before it is decoded, which would keep everybody waiting."""

import json
import re
from typing import Any

import pytest

from countinghouse.batches.choosing import MOST_CLAIMS
from tests.contract.test_bodies_that_can_be_read_in_two_ways import JSON, ROUTES
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_user, add_key, push

TOO_MANY = "The request's body has too many parts for this call, or they are nested too deeply."
# As many as fit into a body of 64 KB.
LISTS = b"[" + b",".join([b"[]"] * 20_000) + b"]"


@on_one_engine
def test_every_route_refuses_a_body_of_very_many_lists(desk: Desk) -> None:
    key = add_key(desk)
    for method, path in ROUTES:
        is_intake = "/api/intake" in path and method == "POST"
        body = LISTS
        if is_intake or path.startswith("/api/batches"):
            body = LISTS * 17
        elif path.startswith("/api/invitations"):
            body = LISTS[: 4 * 1024]
        # A login of this length has to be the answer of a passkey.
        content = b'{"passkey": ' + body + b"}" if path.endswith("/login") else body
        by = None if path.startswith(("/api/admin/login", "/api/inv")) else key if "/intake" in path else "asha"
        concrete = re.sub(r"\{[\w:]+\}", "0" * 24, path)
        answer = desk.call(method, concrete, by=by, content=content, headers={**JSON, "Idempotency-Key": "odd"})
        if is_intake:
            assert_refused(answer, 413, "too_many_rows")
        else:
            assert (answer.status_code, answer.json()["fields"]) == (422, {"body": TOO_MANY}), path


@on_one_engine
@pytest.mark.parametrize("body", ["[" * 400 + "]" * 400, '{"status": ' * 9 + "1" + "}" * 9], ids=["lists", "objects"])
def test_a_body_that_is_nested_too_deeply_is_refused(desk: Desk, body: str) -> None:
    answer = desk.call("PUT", f"/api/claims/{'0' * 24}/status", content=body.encode(), headers=JSON)
    assert (answer.status_code, answer.json()["fields"]) == (422, {"body": TOO_MANY})


@on_one_engine
def test_the_largest_lawful_bodies_are_read(desk: Desk) -> None:
    ids = [f"{number:024x}" for number in range(MOST_CLAIMS)]
    claims = [{"_id": claim_id, "version": 1} for claim_id in ids]
    references: dict[str, Any] = {"batch": ids[0], "references": dict.fromkeys(ids, 'N31, [1] "x" {'), "without": []}
    for path, body in (("", {"status": "Accepted", "claims": claims}), ("/confirm", references)):
        answer = desk.call("POST", f"/api/batches{path}", json=body)
        # None of them exists, which only whoever has read the whole body knows.
        assert "cannot be found" in answer.text or "no such batch" in answer.text
    reason = 'Wrong, wrong "[{}]", ' * 23 + "."
    answer = desk.call("PUT", f"/api/claims/{desk.add_claim()}/status", json={"status": "Rejected", "reason": reason})
    assert answer.status_code == 200
    names = [a_user(number) | {"username": "A, B [C]", "unknown": 1} for number in range(1000)]
    results = push(desk, add_key(desk), "users", names).json()["results"]
    assert {json.dumps(result["fields"]) for result in results} == {'{"unknown": "unknown is not known here."}'}


@on_one_engine
def test_wrong_references_by_the_thousand_are_refused_together(desk: Desk) -> None:
    for references in ({f"f{n}": 1 for n in range(10_000)}, {f"{n:024x}": "" for n in range(10_000)}):
        answer = desk.call("POST", "/api/batches/confirm", json={"batch": "0" * 24, "references": references})
        assert_refused(answer, 422, "invalid_input")
        assert list(answer.json()["fields"]) == ["references"]


@on_one_engine
def test_an_object_of_very_many_unknown_fields_gets_one_sentence(desk: Desk) -> None:
    many = {f"f{number}": 1 for number in range(90)}
    claim = desk.call("PUT", f"/api/claims/{'0' * 24}/status", json=many)
    assert claim.json()["fields"] == {"body": "body has 90 fields; send at most 50."}
    (row,) = push(desk, add_key(desk), "users", [a_user(1) | many]).json()["results"]
    assert len(row["fields"]) == 1


@on_one_engine
def test_an_answer_names_only_the_first_of_many_unknown_query_fields(desk: Desk) -> None:
    answer = desk.get("/api/policy?" + "&".join(f"f{number}=1" for number in range(150)))
    assert answer.status_code == 422
    assert 0 < len(answer.json()["fields"]) <= 20
