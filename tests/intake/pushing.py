"""A service that pushes rows to the desk, as its own program would."""

import json
from typing import Any
from uuid import uuid4

from httpx2 import Response

from tests.desk import Desk

EVERY_SCOPE = ["users:write", "purchases:write", "claims:write", "read"]


def add_key(desk: Desk, name: str = "app", scopes: list[str] | None = None, **more: Any) -> str:
    answer = desk.call("POST", "/api/keys", json={"name": name, "scopes": scopes or EVERY_SCOPE} | more)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["key"])


def push(desk: Desk, key: str, noun: str, rows: Any, *, call: str | None = None, **more: Any) -> Response:
    headers = {"Idempotency-Key": call or uuid4().hex, "Content-Type": "application/json"}
    # Escaped, because httpx cannot send a lone surrogate otherwise.
    body = json.dumps(rows).encode()
    return desk.call("POST", f"/api/intake/{noun}", by=key, content=body, headers=headers, **more)


def pushed(desk: Desk, key: str, noun: str, rows: Any, **more: Any) -> list[dict[str, Any]]:
    answer = push(desk, key, noun, rows, **more)
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json()["results"]
    assert [result["index"] for result in results] == list(range(len(results)))
    return results


def outcomes(results: list[dict[str, Any]]) -> list[str]:
    return [result["outcome"] for result in results]


def a_user(number: int = 1, **more: Any) -> dict[str, Any]:
    return {"externalId": f"u-{number}", "username": f"Client {number}", "mobile": f"98{number:08}"} | more


def a_purchase(number: int = 1, *, of: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "externalId": f"p-{number}",
        "user": {"externalId": f"u-{of}"},
        "invest": 5000,
        "dailyIncome": 62.5,
        "upiId": f"6319{number * 7919:08}",
        "claimType": "Daily",
        "qrName": "Desk 1",
    } | more


def a_claim(number: int = 1, *, on: int = 1, of: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "externalId": f"c-{number}",
        "user": {"externalId": f"u-{of}"},
        "purchase": {"externalId": f"p-{on}"},
        "amount": 1937.5,
        "accountNo": f"0045{number:08}",
        "ifsc": "HDFC0001234",
        "address": "14 MG Road, Kochi 682016",
    } | more


def push_one_of_each(desk: Desk, key: str) -> str:
    """The id of the claim."""
    pushed(desk, key, "users", a_user())
    pushed(desk, key, "purchases", a_purchase())
    (result,) = pushed(desk, key, "claims", a_claim())
    assert result["outcome"] == "created"
    return str(result["_id"])
