"""Two servers on one database, and the clock of one of them is wrong: what is stored means the same to both."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from httpx2 import Response
from sqlalchemy import delete, select, update

from countinghouse.admins import passwords
from countinghouse.admins.tables import sessions
from countinghouse.batches.tables import batches
from countinghouse.core.times import iso, now
from countinghouse.importing.tables import import_parts
from countinghouse.live.queries import read_beginning
from tests.batches.batches import add_claims, plan
from tests.batches.batches import run as run_batch
from tests.clocks import ServerClock
from tests.core.statements import watch
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.event_loop import run
from tests.exports.downloads import asked, fetch
from tests.importing.test_importing_on_the_screen import CSV, upload
from tests.intake.pushing import a_user, add_key, push
from tests.live.test_who_has_what_open import opened

RIGHT = timedelta(0)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
WRONG = [sign * by for by in (20 * MINUTE, 20 * HOUR, timedelta(days=400)) for sign in (1, -1)]

# An SQLite file has one server, or several on one machine.
pytestmark = [
    pytest.mark.parametrize("engine", ["postgresql"], indirect=True),
    pytest.mark.parametrize("wrong_by", WRONG, ids=str),
]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ServerClock:
    return ServerClock(monkeypatch)


def log_in(desk: Desk, password: str = PASSWORD) -> Response:
    return desk.call("POST", "/api/admin/login", by=None, json={"username": "asha", "password": password})


def test_a_session_that_began_at_one_lasts_at_both_and_no_longer(
    open_desk: Callable[..., Desk], clock: ServerClock, wrong_by: timedelta
) -> None:
    desk = open_desk(session_idle_minutes=30, session_hours=12)
    desk.change(delete(sessions))
    desk.tokens = {}
    for here in (wrong_by, RIGHT):
        clock.wrong_by = here
        desk.tokens["asha"] = str(log_in(desk).json()["token"])
    for here in (wrong_by, RIGHT):
        clock.wrong_by = here
        assert desk.get("/api/admin/me").status_code == 200
        assert len(desk.get("/api/admin/account/sessions").json()) == 2
    clock.wrong_by = RIGHT
    for row in desk.rows(select(sessions)):
        assert abs(now() - row.last_seen_at) < MINUTE
        assert row.expires_at < now() + 12 * HOUR + MINUTE
    for ended in ({"last_seen_at": now() - 31 * MINUTE}, {"last_seen_at": now(), "expires_at": now()}):
        desk.change(update(sessions).values(ended))
        for here in (wrong_by, RIGHT):
            clock.wrong_by = here
            assert desk.get("/api/admin/me").json()["code"] == "session_ended"


def test_the_clock_is_read_together_with_the_session(
    desk: Desk, clock: ServerClock, wrong_by: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.wrong_by = wrong_by
    statements = watch(monkeypatch)
    assert desk.get("/api/claims/all?limit=5").status_code == 200
    reads = [sql for sql, _ in statements.on_postgres if "clock_timestamp" in sql]
    assert len(reads) == 1
    assert "sessions.expires_at" in reads[0]


def test_an_export_is_downloaded_at_either(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    clock.wrong_by = wrong_by
    desk.tokens = {"asha": str(log_in(desk).json()["token"])}
    for here, there in ((wrong_by, wrong_by), (wrong_by, RIGHT), (RIGHT, wrong_by)):
        clock.wrong_by = here
        export = asked(desk)
        clock.wrong_by = there
        assert fetch(desk, export).status_code == 200


def test_an_api_key_expires_at_both_at_once(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    key = add_key(desk, expiresAt=iso(now() + HOUR))
    for number, here in enumerate((wrong_by, RIGHT)):
        clock.wrong_by = here
        assert push(desk, key, "users", a_user(number)).status_code == 200
        assert desk.get("/api/keys").json()[0]["state"] == "active"
    clock.wrong_by = wrong_by
    past = {"name": "late", "scopes": ["read"], "expiresAt": iso(now() - HOUR)}
    assert desk.call("POST", "/api/keys", json=past).status_code == 422


def test_a_repeated_request_is_recognised_by_the_other(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    key = add_key(desk)
    for number, (here, there) in enumerate(((wrong_by, RIGHT), (RIGHT, wrong_by))):
        claim_id = desk.add_claim()
        for at in (here, there):
            clock.wrong_by = at
            assert desk.move(claim_id, "Accepted", key=claim_id).status_code == 200
            assert push(desk, key, "users", a_user(number), call=claim_id).status_code == 200
        assert len(desk.audit("claim.moved")) == len(desk.audit("user.added")) == number + 1


def test_both_together_allow_five_guesses(
    desk: Desk, clock: ServerClock, wrong_by: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_verify", lambda _hash, password: password == PASSWORD)
    answers = []
    for here in (wrong_by, RIGHT) * 10:
        clock.wrong_by = here
        desk.client.cookies.clear()
        answers.append(log_in(desk, "wrong").status_code)
    assert answers == [401] * 5 + [429] * 15
    # Both count in the same hour: the first and the tenth refusal have a row.
    assert [row.after["refused"] for row in desk.audit("login.refused")] == [1, 10]


def test_an_open_claim_is_shown_at_both(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    for here, there in ((wrong_by, RIGHT), (RIGHT, wrong_by)):
        clock.wrong_by = here
        opened(desk, claim_id := desk.add_claim())
        clock.wrong_by = there
        _, _, beginning = run(desk.app_database.read(read_beginning))
        assert [one.claim_id for one in beginning.open] == [claim_id]


def test_a_preview_is_confirmed_within_its_minutes_only(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    add_claims(desk, 1)
    clock.wrong_by = wrong_by
    sheet = plan(desk, status="Accepted", query={})
    clock.wrong_by = RIGHT
    assert run_batch(desk, sheet).status_code == 200
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    desk.change(update(batches).values(created_at=now() - 16 * MINUTE))
    clock.wrong_by = wrong_by
    assert run_batch(desk, sheet).json()["code"] == "batch_expired"


def test_files_of_one_are_kept_for_a_day_by_the_other(desk: Desk, clock: ServerClock, wrong_by: timedelta) -> None:
    for here in (wrong_by, RIGHT, wrong_by):
        clock.wrong_by = here
        upload(desk, "users.csv", CSV.encode())
    assert len(desk.rows(select(import_parts.c.import_id).distinct())) == 3
