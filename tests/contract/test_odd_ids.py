"""An id in an address that no row can have finds nothing: it is never an error of the server, on either engine."""

import re
from typing import Any

from fastapi.routing import APIRoute

from tests.contract.test_unknown_fields import ROUTES, steps_of
from tests.desk import Desk
from tests.intake.pushing import add_key

# As they are in an address: NUL, half a surrogate pair, bytes that are no UTF-8, invisible and large characters, a
# number beyond 64 bits, quotes, wildcards, and texts longer than any column.
ODD: tuple[str, ...] = (
    "%00",
    "6917e2f4a1b2%00c3d4e5000003",
    "%ED%A0%80",
    "%FF%FE",
    "%E2%80%AE",
    "%F0%9F%92%B8",
    "-1",
    "9" * 30,
)
ODD += ("%27%22%3B--", "%25_%5C", "%20", "null", "NaN", "x" * 2_000)
IDS = re.compile(r"\{\w+(:path)?\}")
WITH_ID = [route for route in ROUTES if IDS.search(route.path) and not route.path.startswith("/{")]


def call(desk: Desk, route: APIRoute, key: str, odd: str, body: Any) -> Any:
    path = IDS.sub(lambda _: odd, route.path)
    query = "?from=2026-01-01&to=2026-11-15" if path.endswith("/statement") else ""
    by = key if path.startswith("/api/intake") else "asha"
    more = {} if body is None else {"json": body}
    return desk.call(min(route.methods or ()), path + query, by=by, headers={"Idempotency-Key": "odd"}, **more)


def test_an_odd_id_is_refused_or_finds_nothing(desk: Desk) -> None:
    key = add_key(desk)
    assert len(WITH_ID) > 45
    for route in WITH_ID:
        bodies = list(steps_of(route)) or [None]
        for odd in ODD:
            for body in bodies:
                answer = call(desk, route, key, odd, body)
                assert answer.status_code < 500, (route.path, odd, answer.text)
                # Any text may be asked of as a bank code, and an invitation withdrawn that is not there.
                if answer.is_success:
                    assert route.path in ("/api/banks/{ifsc}", "/api/admins/invitations/{username}"), odd
                else:
                    assert answer.json()["message"].endswith("."), (route.path, odd)


def test_an_id_with_nul_finds_nothing(desk: Desk) -> None:
    for path in ("/api/keys/%00/revoke", "/api/keys/6917e2f4a1b2%00c3d4e5000003/revoke"):
        answer = desk.call("POST", path)
        assert (answer.status_code, answer.json()["code"]) == (404, "key_not_found")
