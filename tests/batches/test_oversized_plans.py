"""A body with very many invalid parts is refused at its first fault: one error for each would block the server."""

from typing import Any

import pytest

from tests.core.refusals import assert_refused
from tests.desk import Desk

PLAN = "/api/batches"
MANY = 100_000


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"status": "Accepted", "claims": [1] * MANY}, "body"),
        ({"status": "Accepted", "claims": [1] * 25_000}, "claims"),
        ({"status": "Accepted", "claims": [1] * 15_000}, "claims.0"),
        ({"status": "Accepted", "claims": [{f"f{number}": 1 for number in range(1000)}]}, "claims.0"),
        ({"status": "Accepted", "query": {}, "except": [""] * MANY}, "body"),
        ({"status": "Accepted", "query": {}, "except": [""] * 25_000}, "except"),
        ({"status": "Accepted", "query": {}, "except": [""] * 15_000}, "except.0"),
        ({"status": "Accepted", "query": {f"f{number}": "" for number in range(1000)}}, "body"),
        ({"status": "Accepted", **{f"f{number}": "" for number in range(1000)}}, "body"),
    ],
)
def test_only_the_first_fault_is_reported(desk: Desk, body: dict[str, Any], field: str) -> None:
    answer = desk.call("POST", PLAN, json=body)
    assert_refused(answer, 422, "invalid_input")
    assert list(answer.json()["fields"]) == [field]
    assert len(answer.content) < 1000
