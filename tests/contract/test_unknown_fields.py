"""No call ignores a name that it does not know: a misspelt field would be lost, and with it what it says."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from fastapi.routing import APIRoute
from pydantic import BaseModel
from sqlalchemy import func, select

from countinghouse.admins.dependencies import SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.admins.tables import sessions
from countinghouse.audit.tables import audit_log
from countinghouse.core.http.json_route import body_models
from countinghouse.main import create_app
from countinghouse.qr.tables import qr_codes
from countinghouse.settings import Settings
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_user, add_key
from tests.pictures import code_for

# What a browser's passkey adds to its answer differs from browser to browser, and grows.
LEFT_OPEN = {"PasskeyAnswer", "PasskeyAssertion", "NewPasskeyAnswer", "PasskeyAttestation"}
UNKNOWN = "unheardOf"


def every_route() -> list[APIRoute]:
    app = create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None))
    return [route for route in app.routes if isinstance(route, APIRoute)]


ROUTES = every_route()
CHANGES = [route for route in ROUTES if not (route.methods or set()) <= {"GET", "HEAD"}]


def models_of(route: APIRoute) -> list[type[BaseModel]]:
    return [] if route.body_field is None else list(body_models(route.body_field.field_info.annotation))


def steps_of(route: APIRoute) -> Iterator[Any]:
    """An example of each body that the route accepts."""
    for model in models_of(route):
        if model.__name__ not in LEFT_OPEN:
            yield cast(Any, model.model_config["json_schema_extra"])["examples"][0]


def call(desk: Desk, route: APIRoute, key: str, query: str = "", **more: Any) -> Any:
    path = re.sub(r"\{[\w:]+\}", "0" * 24, route.path)
    by = key if path.startswith("/api/intake") else "asha"
    return desk.call(min(route.methods or ()), path + query, by=by, headers={"Idempotency-Key": "unknown"}, **more)


def counts(desk: Desk) -> list[Any]:
    return [desk.rows(select(func.count()).select_from(table)) for table in (audit_log, sessions, qr_codes)]


def test_only_the_answers_of_passkeys_may_have_more_fields() -> None:
    models = {model for route in CHANGES for model in models_of(route)}
    assert len(models) > 35
    assert {model.__name__ for model in models if model.model_config["extra"] != "forbid"} == LEFT_OPEN


@on_one_engine
def test_every_body_with_an_unknown_field_is_refused(desk: Desk) -> None:
    key, tried = add_key(desk), 0
    before = counts(desk)
    for route in CHANGES:
        for example in steps_of(route):
            answer = call(desk, route, key, json=example | {UNKNOWN: 1})
            if answer.status_code == 422 and UNKNOWN in answer.json()["fields"]:
                tried += 1
                continue
            # An object within a body: it is refused as a part of the example of the whole.
            assert f"{UNKNOWN} is not known here." in answer.json()["message"] or answer.status_code == 422, route.path
    assert tried > 30
    assert counts(desk) == before


@on_one_engine
def test_a_misspelt_replaces_does_not_put_a_second_code_on_display(desk: Desk) -> None:
    addresses = ("desk1@okbank", "desk2@okbank")
    shown = [desk.upload(code_for(address), upi_id=address).json()["_id"] for address in addresses]
    assert desk.display(shown[0]).status_code == 200
    answer = desk.call("PATCH", f"/api/qr/status/{shown[1]}", json={"status": "display", "replace": shown[0]})
    assert (answer.status_code, answer.json()["fields"]) == (422, {"replace": "replace is not known here."})
    assert [code["_id"] for code in desk.get("/api/qr", by=None).json()] == [shown[0]]


@on_one_engine
@pytest.mark.parametrize("path", ["/api/qr/upload", "/api/qr/read"])
def test_a_form_with_an_unknown_field_is_refused(desk: Desk, path: str) -> None:
    before = counts(desk)
    fields = {"name": "Desk 1", "upiId": "desk1@okbank"} if path.endswith("upload") else {"upiId": "desk1@okbank"}
    picture = {"qrImage": ("code.png", code_for("desk1@okbank"), "image/png")}
    answer = desk.call("POST", path, data={**fields, "status": "display"}, files=picture)
    assert (answer.status_code, answer.json()["fields"]) == (422, {"status": "status is not known here."})
    twice = desk.call("POST", path, data={**fields, "upiId": ["desk1@okbank", "other@okbank"]}, files=picture)
    assert (twice.status_code, twice.json()["fields"]) == (422, {"upiId": "upiId is sent twice."})
    assert counts(desk) == before


@on_one_engine
def test_a_call_that_takes_no_body_refuses_one(desk: Desk) -> None:
    key, before = add_key(desk), counts(desk)
    routes = [route for route in CHANGES if route.body_field is None and not (route.openapi_extra or {})]
    assert len(routes) > 15
    sentence = "This call takes no body. Send none, or an empty object."
    for route in routes:
        answer = call(desk, route, key, content=json.dumps({"only": ["a"]}).encode())
        assert (answer.status_code, answer.json()["fields"]) == (422, {"body": sentence}), route.path
    assert counts(desk) == [[(before[0][0][0],)], *before[1:]]


@on_one_engine
def test_a_call_that_takes_no_body_accepts_an_empty_object(desk: Desk) -> None:
    for body in (b"", b"{}", b" {} ", b"null"):
        assert desk.call("DELETE", "/api/qr/" + "0" * 24, content=body).status_code == 404


@on_one_engine
def test_every_call_with_an_unknown_query_field_is_refused(desk: Desk) -> None:
    key, before = add_key(desk), counts(desk)
    needs_login = [route for route in ROUTES if route.dependencies]
    assert len(needs_login) > 80
    for route in needs_login:
        answer = call(desk, route, key, f"?{UNKNOWN}=1")
        assert answer.status_code == 422, route.path
        assert answer.json()["fields"].get(UNKNOWN) == f"{UNKNOWN} is not known here.", route.path
    assert counts(desk) == before


@on_one_engine
def test_the_list_of_codes_without_a_token_refuses_an_unknown_query_field(desk: Desk) -> None:
    answer = desk.get(f"/api/qr?{UNKNOWN}=1", by=None)
    assert (answer.status_code, answer.json()["fields"]) == (422, {UNKNOWN: f"{UNKNOWN} is not known here."})


@on_one_engine
def test_a_filter_that_is_sent_twice_is_refused(desk: Desk) -> None:
    """Otherwise one of the two would be ignored: a list or an export of other claims than were asked for."""
    for path in ("/api/claims/all", "/api/claims/totals", "/api/users"):
        answer = desk.get(f"{path}?q=asha&q=ravi")
        assert (answer.status_code, answer.json()["fields"]) == (422, {"q": "q is sent twice."}), path


@on_one_engine
def test_a_misspelt_field_of_a_pushed_row_is_named(desk: Desk) -> None:
    answer = desk.call(
        "POST",
        "/api/intake/users",
        by=add_key(desk),
        json=[a_user(1) | {"moblie": "9805756092"}],
        headers={"Idempotency-Key": "misspelt"},
    )
    assert "moblie is not known here." in json.dumps(answer.json())


def test_a_route_whose_body_would_ignore_unknown_fields_stops_the_start() -> None:
    class Careless(BaseModel):
        status: str

    async def change(body: list[Careless | None]) -> None: ...

    router = desk_router("/api/careless", "careless", SignedIn(OWN))
    with pytest.raises(TypeError, match="Careless would ignore unknown fields"):
        router.add_api_route("", change, methods=["POST"])
