from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from countinghouse.admins.tables import sessions
from countinghouse.core.db import sqlite
from countinghouse.core.times import now
from tests.databases import PASSWORD
from tests.desk import Desk


def test_logout_revokes_the_token_and_only_that_one(desk: Desk) -> None:
    assert desk.call("POST", "/api/admin/logout", by="asha").status_code == 204
    answer = desk.get("/api/claims/all", by="asha")
    assert answer.status_code == 401
    assert answer.json() == {
        "code": "session_ended",
        "message": "Your session has ended. Please log in again.",
    }
    assert desk.get("/api/claims/all", by="ravi").status_code == 200
    assert [row.actor for row in desk.audit("session.ended")] == ["asha"]


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "a" * 5000, "é"])
def test_an_unknown_token_is_refused(desk: Desk, token: str) -> None:
    answer = desk.client.get("/api/claims/all", headers={b"Authorization": f"Bearer {token}".encode()})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "bearer", "Token x"])
def test_an_authorization_header_without_a_bearer_token_is_refused(desk: Desk, header: str) -> None:
    for path in ("/api/claims/all", "/api/users", "/api/qr"):
        assert desk.get(path, by=None, headers={"Authorization": header}).status_code == 401


def test_an_idle_session_ends(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(session_idle_minutes=30)
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(minutes=31)))
    assert desk.get("/api/admin/me").json()["code"] == "session_ended"


def test_activity_keeps_a_session_alive_until_it_expires(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(session_idle_minutes=30)
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(minutes=29)))
    assert desk.get("/api/admin/me").status_code == 200
    seen = max(row.last_seen_at for row in desk.rows(select(sessions)))
    assert now() - seen < timedelta(minutes=1)
    desk.change(update(sessions).values(expires_at=now() - timedelta(seconds=1)))
    assert desk.get("/api/admin/me").status_code == 401


def test_last_seen_is_not_written_more_than_once_a_minute(desk: Desk) -> None:
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(seconds=30)))
    before = [row.last_seen_at for row in desk.rows(select(sessions))]
    desk.get("/api/admin/me")
    assert [row.last_seen_at for row in desk.rows(select(sessions))] == before


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_read_succeeds_while_another_transaction_holds_the_write_lock(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite has one writer, which may be busy when the session's last-seen time is due for an update."""
    monkeypatch.setattr(sqlite, "LOCK_WAIT_MILLISECONDS", 100)
    desk = open_desk()
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(minutes=5)))
    with desk.database.writing():
        assert desk.get("/api/users?limit=5").status_code == 200
    assert desk.get("/api/users?limit=5").status_code == 200
    assert now() - max(row.last_seen_at for row in desk.rows(select(sessions))) < timedelta(minutes=1)


@pytest.mark.parametrize("ahead", [timedelta(minutes=31), timedelta(hours=20), timedelta(days=400)], ids=str)
def test_a_session_that_was_used_while_the_clock_was_far_ahead_ends(
    open_desk: Callable[..., Desk], ahead: timedelta
) -> None:
    """Otherwise it would last until the clock reaches that time, for whoever has found its token."""
    desk = open_desk(session_idle_minutes=30, session_hours=12)
    desk.change(update(sessions).values(last_seen_at=now() + ahead, expires_at=now() + ahead))
    assert desk.get("/api/admin/me").json()["code"] == "session_ended"
    login = {"username": "asha", "password": PASSWORD}
    token = desk.call("POST", "/api/admin/login", by=None, json=login).json()["token"]
    assert desk.get("/api/admin/me", by=token).status_code == 200
    assert [one["isCurrent"] for one in desk.get("/api/admin/account/sessions", by=token).json()] == [True]


def test_a_session_that_was_used_while_the_clock_was_a_little_ahead_goes_on_for_its_usual_length(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk(session_idle_minutes=30, session_hours=12)
    ahead = now() + timedelta(minutes=29)
    desk.change(update(sessions).values(last_seen_at=ahead, expires_at=ahead + timedelta(hours=12)))
    assert desk.get("/api/admin/me").status_code == 200
    (seen,) = [row for row in desk.rows(select(sessions)) if row.last_seen_at != ahead]
    assert abs(now() - seen.last_seen_at) < timedelta(minutes=1)
    assert seen.expires_at <= now() + timedelta(hours=12)
