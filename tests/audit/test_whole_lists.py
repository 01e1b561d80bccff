"""Whoever reads a whole list leaves an audit row; a page leaves none."""

import pytest

from tests.desk import Desk
from tests.intake.pushing import add_key


@pytest.mark.parametrize("noun", ["claims", "purchases", "users"])
def test_a_whole_list_is_audited_once(desk: Desk, noun: str) -> None:
    path = "/api/users" if noun == "users" else f"/api/{noun}/all"
    assert desk.get(f"{path}?limit=5").status_code == 200
    assert desk.call("HEAD", path).status_code == 200
    assert desk.audit("list.read") == []
    assert desk.get(path).status_code == 200
    key = add_key(desk, scopes=["read"])
    assert desk.get(f"{path}?q=ananya", by=key).status_code == 200
    rows = desk.audit("list.read")
    assert [(row.actor, row.subject_id, row.after) for row in rows] == [
        ("asha", noun, None),
        ("key app", noun, {"query": "q=ananya"}),
    ]
