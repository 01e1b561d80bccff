"""Whoever has a second factor confirms with it before they take a whole list with full numbers away."""

import pytest

from countinghouse.admins.permissions import Role
from tests.admins.asking import is_asked
from tests.admins.second_factors import Phone, confirm, set_up_phone
from tests.contract.test_what_each_role_may_do import set_role
from tests.desk import Desk
from tests.intake.pushing import add_key

LISTS = ("/api/claims/all", "/api/purchases/all", "/api/users", "/api/audit")


@pytest.fixture
def phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Phone:
    phone = Phone(monkeypatch)
    set_up_phone(desk, phone)
    return phone


@pytest.mark.parametrize("path", LISTS)
def test_a_whole_list_is_read_after_a_step_up_and_a_page_without(desk: Desk, phone: Phone, path: str) -> None:
    desk.add_claim()
    refused = desk.get(path)
    assert is_asked(refused)
    assert desk.audit("list.read") == []
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    # The confirmation is for this request only, and works once.
    assert is_asked(desk.get(f"{path}?to=2027-01-01T00:00:00Z"))
    assert desk.get(path).json()
    assert is_asked(desk.get(path))
    assert [row.actor for row in desk.audit("list.read")] == ["asha"]
    assert desk.get(f"{path}?limit=1000").status_code == 200
    assert desk.call("HEAD", path).status_code == 200


@pytest.mark.usefixtures("phone")
def test_a_word_that_looks_like_a_limit_is_none(desk: Desk) -> None:
    assert is_asked(desk.get("/api/users?q=limit=5"))
    assert is_asked(desk.get("/api/users?q=x%26limit=5"))


@pytest.mark.parametrize("name", ["claims", "purchases", "users", "audit"])
def test_an_export_is_confirmed_like_the_whole_list(desk: Desk, phone: Phone, name: str) -> None:
    body = {"list": name, "format": "csv"}
    refused = desk.call("POST", "/api/exports", json=body)
    assert is_asked(refused)
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    assert desk.call("POST", "/api/exports", json=body).status_code == 201


@pytest.mark.usefixtures("phone")
def test_masked_lists_are_free_and_so_are_lists_without_numbers(desk: Desk) -> None:
    assert desk.get("/api/webhooks/deliveries").status_code == 200
    set_role(desk, Role.VIEWER)
    for path in LISTS[:3]:
        assert desk.get(path).status_code == 200


def test_logins_without_a_factor_and_keys_read_them_as_specified(desk: Desk) -> None:
    key = add_key(desk, scopes=["read"])
    for path in LISTS[:3]:
        assert desk.get(path, by="ravi").status_code == 200
        assert desk.get(path, by=key).status_code == 200
    assert desk.get("/api/audit", by="ravi").status_code == 200
