"""An address answers a method that it does not have with 405, and names all that it has."""

import re
from collections import defaultdict

import pytest

from tests.contract.test_every_route_needs_a_session import ROUTES
from tests.desk import Desk
from tests.engines import on_one_engine

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
METHODS_OF: dict[str, set[str]] = defaultdict(set)
for _method, _path in ROUTES:
    if _path != "/{path:path}":
        METHODS_OF[_path.replace(":path", "")] |= {"GET", "HEAD"} if _method == "GET" else {_method}


def regex_of(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


@on_one_engine
@pytest.mark.parametrize("path", METHODS_OF)
def test_other_methods_are_answered_with_405_and_a_complete_allow_header(desk: Desk, path: str) -> None:
    concrete = re.sub(r"\{\w+\}", "0" * 24, path)
    # `DELETE /api/qr/history` is the deletion of a QR code whose id is unknown.
    served_elsewhere = {
        method for other, methods in METHODS_OF.items() if regex_of(other).fullmatch(concrete) for method in methods
    }
    for method in sorted(METHODS - served_elsewhere):
        answer = desk.call(method, concrete)
        assert answer.status_code == 405, (method, path)
        assert {each.strip() for each in answer.headers["allow"].split(",")} == METHODS_OF[path]
        if method != "HEAD":
            assert answer.json()["code"] == "method_not_allowed"


@on_one_engine
def test_a_path_that_nothing_has_is_still_a_404(desk: Desk) -> None:
    for path in ("/api", "/api/none", "/api/claims/0/status/none", "/api/claims/all/"):
        assert desk.get(path).status_code == 404, path


@on_one_engine
def test_the_file_of_an_export_has_no_head_because_its_address_works_once(desk: Desk) -> None:
    answer = desk.call("HEAD", f"/api/exports/{'0' * 24}/file?key=x")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
