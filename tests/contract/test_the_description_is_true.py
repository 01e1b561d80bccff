"""The answers of the desk match /api/openapi.json."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from countinghouse.claims.queries import Claim
from countinghouse.main import create_app
from countinghouse.purchases.queries import Purchase
from countinghouse.qr.queries import QrCode
from countinghouse.settings import Settings
from countinghouse.users.queries import User
from tests.desk import Desk
from tests.pictures import qr_png


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """Made once, because it takes as long as ten tests. tests/cli compares it with what a desk sends."""
    return create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None)).openapi()


def test_every_schema_except_nested_parts_has_an_example(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    parts_of_others = {"UserContact", "ClaimPurchase", "ShownTimes", "Role"}
    without = {name for name, schema in schemas.items() if "examples" not in schema} - parts_of_others
    assert without == set()


def test_every_closed_call_declares_that_it_needs_a_token(description: dict[str, Any]) -> None:
    open_calls = {
        ("post", "/api/admin/login"),
        ("post", "/api/invitations/open"),
        ("post", "/api/invitations/accept"),
        ("get", "/healthz"),
        ("get", "/readyz"),
    }
    for path, calls in description["paths"].items():
        for method, call in calls.items():
            if (method, path) not in open_calls:
                assert call["security"] == [{"HTTPBearer": []}], (method, path)
                assert call["responses"]["401"]["content"]["application/json"]["schema"]["$ref"].endswith("ErrorAnswer")


def test_every_call_describes_what_any_call_may_get(description: dict[str, Any]) -> None:
    for path, calls in description["paths"].items():
        for method, call in calls.items():
            for status in ("400", "413", "503"):
                schema = call["responses"][status]["content"]["application/json"]["schema"]
                assert schema["$ref"].endswith("ErrorAnswer"), (method, path, status)


def test_a_body_that_is_not_text_gets_the_described_422(desk: Desk, description: dict[str, Any]) -> None:
    answer = desk.call("POST", "/api/views", content=b'{"name": "\xff"}', headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert "422" in description["paths"]["/api/views"]["post"]["responses"]


def test_customers_get_exactly_the_fields_that_are_described_for_them(desk: Desk, description: dict[str, Any]) -> None:
    desk.display(desk.upload(qr_png()).json()["_id"])
    (shown,) = desk.get("/api/qr", by=None).json()
    schema = description["components"]["schemas"]["ShownQr"]
    assert set(shown) == set(schema["properties"]) == set(schema["required"])
    described = description["paths"]["/api/qr"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert [each["items"]["$ref"].rpartition("/")[2] for each in described["anyOf"]] == ["QrCode", "ShownQr"]


def test_the_framework_error_schema_is_not_described(description: dict[str, Any]) -> None:
    assert "HTTPValidationError" not in json.dumps(description)


def test_answers_and_examples_have_exactly_the_described_fields(desk: Desk, description: dict[str, Any]) -> None:
    desk.add_claim()
    desk.upload(qr_png())
    lists: dict[str, tuple[str, Any]] = {
        "Claim": ("/api/claims/all?with=more", Claim),
        "Purchase": ("/api/purchases/all", Purchase),
        "User": ("/api/users", User),
        "QrCode": ("/api/qr", QrCode),
    }
    only_if_asked_for = {"Claim": {"payout", "qrName", "clientSince", "externalId"}, "User": {"externalId"}}
    # Where a single user is read.
    never_in_lists = {"User": {"externalId"}}
    for name, (path, shape) in lists.items():
        schema = description["components"]["schemas"][name]
        (answered,) = desk.get(path).json()
        # The framework omits null fields from an example.
        nulls = {
            field: None for field, kind in schema["properties"].items() if {"type": "null"} in kind.get("anyOf", [])
        }
        for item in (answered, *(nulls | example for example in schema["examples"])):
            assert set(item) | never_in_lists.get(name, set()) == set(schema["properties"])
            assert set(item) - only_if_asked_for.get(name, set()) == set(schema["required"])
            TypeAdapter(shape).validate_json(json.dumps(item), strict=True)
