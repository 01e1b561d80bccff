import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

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


def test_the_right_password_opens_a_session_that_works(desk: Desk) -> None:
    answer = log_in(desk)
    assert answer.status_code == 200
    assert answer.json()["username"] == "asha"
    assert desk.get("/api/admin/me", by=answer.json()["token"]).json() == {"username": "asha"}
    row = desk.audit("session.opened")[-1]
    assert (row.actor, row.address) == ("asha", "203.0.113.9")


def test_only_a_hash_of_the_token_is_stored(desk: Desk) -> None:
    token = log_in(desk).json()["token"]
    stored = {row.token_hash for row in desk.rows(select(sessions))}
    assert hashlib.sha256(token.encode()).digest() in stored
    assert len(token) == 43


def test_a_name_is_known_in_any_case(desk: Desk) -> None:
    assert log_in(desk, "AshA").json()["username"] == "asha"


@pytest.mark.parametrize(("username", "password"), [("asha", "wrong password"), ("nobody", PASSWORD), ("asha", " ")])
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(desk: Desk, username: str, password: str) -> None:
    answer = log_in(desk, username, password)
    assert answer.status_code == 401
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}


def test_a_disabled_admin_gets_the_same_answer_too(desk: Desk) -> None:
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
        # Letters that become three, and one that becomes eighteen, when names are compared.
        {"username": "\u0390" * 100, "password": "x"},
        {"username": "\ufdfa" * 100, "password": "x"},
        [],
        None,
    ],
)
def test_a_body_without_a_usable_name_and_password_is_refused(desk: Desk, body: object) -> None:
    answer = desk.call("POST", "/api/admin/login", by=None, json=body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_input"


def test_a_lone_surrogate_is_refused_and_not_a_crash(desk: Desk) -> None:
    answer = desk.call(
        "POST",
        "/api/admin/login",
        by=None,
        content=b'{"username": "\\ud800", "password": "\\udfff"}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in (401, 422)


def test_the_device_mark_is_for_the_login_alone(desk: Desk) -> None:
    cookie = log_in(desk).headers["set-cookie"]
    assert cookie.startswith("countinghouse_device=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/api/admin/login"):
        assert part in cookie


@pytest.mark.parametrize("meanwhile", [change_password, disable_admin])
def test_what_happens_while_the_password_is_checked_counts(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[..., None]
) -> None:
    async def slow_check(_password_hash: str | None, _password: str) -> bool:
        with desk.database.writing() as connection:
            meanwhile(connection, COMMAND, "asha", *(["another hash"] if meanwhile is change_password else []))
        return True

    monkeypatch.setattr(login, "is_password", slow_check)
    opened = len(desk.audit("session.opened"))
    answer = log_in(desk)
    assert answer.status_code == 401
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}
    assert len(desk.audit("session.opened")) == opened


@pytest.mark.parametrize("meanwhile", [change_password, disable_admin])
def test_no_session_slips_past_a_change_that_is_about_to_be_stored(desk: Desk, meanwhile: Callable[..., None]) -> None:
    another = [hash_password("another password")] if meanwhile is change_password else []
    with ThreadPoolExecutor(1) as thread:
        with desk.database.writing() as connection:
            meanwhile(connection, COMMAND, "asha", *another)
            answer = thread.submit(log_in, desk)
            # Long enough for the login to come to its end, unless it waits for this very transaction.
            wait([answer], timeout=1)
        assert answer.result().status_code == 401
    asha = select(admins.c.id).where(admins.c.username == "asha").scalar_subquery()
    assert desk.rows(select(sessions).where(sessions.c.admin_id == asha, sessions.c.ended_at.is_(None))) == []


def test_neither_a_password_nor_a_token_reaches_the_log(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Even when the desk breaks in the middle of its work, with the secrets at hand."""
    desk.change(text("ALTER TABLE known_devices RENAME TO elsewhere"))
    desk.change(text("ALTER TABLE claims RENAME TO nowhere"))
    assert log_in(desk).status_code in (500, 503)
    assert desk.get("/api/claims/all").status_code in (500, 503)
    log_in(desk, password="a wrong but telling one")
    said = "".join(capsys.readouterr())
    assert "failed" in said
    for secret in (PASSWORD, desk.tokens["asha"], "a wrong but telling one"):
        assert secret not in said
