import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select, text, update

from countinghouse.admins import login
from countinghouse.admins.actions import change_password, disable_admin
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.actions import COMMAND
from countinghouse.core.times import now
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.engines import on_one_engine


def log_in(desk: Desk, username: str = "asha", password: str = PASSWORD) -> Response:
    return desk.call("POST", "/api/admin/login", by=None, json={"username": username, "password": password})


def test_the_right_password_opens_a_working_session(desk: Desk) -> None:
    answer = log_in(desk)
    assert answer.status_code == 200
    assert answer.json()["username"] == "asha"
    assert desk.get("/api/admin/me", by=answer.json()["token"]).json()["username"] == "asha"
    row = desk.audit("session.opened")[-1]
    assert (row.actor, row.address) == ("asha", "203.0.113.9")


def test_only_a_hash_of_the_token_is_stored(desk: Desk) -> None:
    token = log_in(desk).json()["token"]
    stored = {row.token_hash for row in desk.rows(select(sessions))}
    assert hashlib.sha256(token.encode()).digest() in stored
    assert len(token) == 43


def test_the_username_is_case_insensitive(desk: Desk) -> None:
    assert log_in(desk, "AshA").json()["username"] == "asha"


@pytest.mark.parametrize(("username", "password"), [("asha", "wrong password"), ("nobody", PASSWORD), ("asha", " ")])
def test_a_wrong_username_and_a_wrong_password_get_the_same_response(desk: Desk, username: str, password: str) -> None:
    answer = log_in(desk, username, password)
    assert answer.status_code == 401
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}


def test_a_disabled_admin_gets_the_same_response_as_a_wrong_password(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))
    answer = log_in(desk)
    assert answer.status_code == 401
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}


@on_one_engine
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"username": "asha"},
        {"password": "x"},
        {"username": "", "password": "x"},
        {"username": "asha", "password": ""},
        {"username": "as\x00ha", "password": "x"},
        {"username": "a" * 101, "password": "x"},
        {"username": "asha", "password": "x" * 1025},
        {"username": ["asha"], "password": "x"},
        # Characters that expand to three and to eighteen characters when usernames are normalised for comparison.
        {"username": "\u0390" * 100, "password": "x"},
        {"username": "\ufdfa" * 100, "password": "x"},
        [],
        None,
    ],
)
def test_a_body_without_a_valid_username_and_password_is_refused(desk: Desk, body: object) -> None:
    answer = desk.call("POST", "/api/admin/login", by=None, json=body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_input"


def test_a_lone_surrogate_is_refused_without_a_server_error(desk: Desk) -> None:
    answer = desk.call(
        "POST",
        "/api/admin/login",
        by=None,
        content=b'{"username": "\\ud800", "password": "\\udfff"}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in (401, 422)


def test_the_device_cookie_is_sent_only_to_the_login_endpoint(desk: Desk) -> None:
    cookie = log_in(desk).headers["set-cookie"]
    assert cookie.startswith("countinghouse_device=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/api/admin/login"):
        assert part in cookie


@pytest.mark.parametrize("meanwhile", [change_password, disable_admin])
def test_a_login_fails_if_the_admin_changes_while_the_password_is_being_checked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[..., Any]
) -> None:
    async def slow_check(_password_hash: str | None, _password: str) -> bool:
        another = ["another hash"] if meanwhile is change_password else []
        await desk.database.write(lambda transaction: meanwhile(transaction, COMMAND, "asha", *another))
        return True

    monkeypatch.setattr(login, "is_password", slow_check)
    opened = len(desk.audit("session.opened"))
    answer = log_in(desk)
    assert answer.status_code == 401
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}
    assert len(desk.audit("session.opened")) == opened


@pytest.mark.parametrize("meanwhile", [change_password, disable_admin])
def test_a_login_waits_for_an_uncommitted_change_of_the_admin_and_then_fails(
    desk: Desk, meanwhile: Callable[..., Any]
) -> None:
    another = [hash_password("another password")] if meanwhile is change_password else []
    with ThreadPoolExecutor(1) as thread:
        with desk.database.uncommitted(lambda transaction: meanwhile(transaction, COMMAND, "asha", *another)):
            answer = thread.submit(log_in, desk)
            # Long enough for the login to finish, unless it waits for this transaction.
            wait([answer], timeout=1)
        assert answer.result().status_code == 401
    asha = select(admins.c.id).where(admins.c.username == "asha").scalar_subquery()
    assert desk.rows(select(sessions).where(sessions.c.admin_id == asha, sessions.c.ended_at.is_(None))) == []


def test_passwords_and_tokens_are_never_logged(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even when a request fails while it holds the secrets."""
    desk.change(text("ALTER TABLE known_devices RENAME TO elsewhere"))
    desk.change(text("ALTER TABLE claims RENAME TO nowhere"))
    assert log_in(desk).status_code in (500, 503)
    assert desk.get("/api/claims/all").status_code in (500, 503)
    log_in(desk, password="a wrong but telling one")
    said = "".join(capsys.readouterr())
    assert "failed" in said
    for secret in (PASSWORD, desk.tokens["asha"], "a wrong but telling one"):
        assert secret not in said
