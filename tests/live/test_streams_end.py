"""A stream ends only with its session, with the server, or when the client stops reading."""

import signal
import time
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, select, update

from countinghouse.admins.tables import sessions
from countinghouse.audit.tables import audit_log
from countinghouse.core.http.protocol import DeadlineProtocol
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.live import listener, stream
from countinghouse.live import tail as tail_module
from tests.admins.second_factors import give_factor
from tests.core.sockets import connected, served
from tests.desk import Desk
from tests.live.screens import PATIENCE_SECONDS, screen
from tests.live.test_no_change_is_lost import write
from tests.live.test_who_has_what_open import opened
from tests.servers import started_server
from tests.waiting import eventually


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.1)


@pytest.mark.usefixtures("often")
def test_the_end_of_a_session_ends_only_its_own_stream(desk: Desk) -> None:
    with (
        served(desk.client.app) as port,
        screen(port, desk.tokens["asha"]) as asha,
        screen(port, desk.tokens["ravi"]) as ravi,
    ):
        assert desk.call("POST", "/api/admin/logout", by="ravi").status_code == 204
        ravi.wait_for("signed-out")
        ravi.wait_for_the_end()
        beats = asha.beats
        asha.wait_until(lambda screen: screen.beats > beats + 1)
        assert asha.named("signed-out") == []


def test_a_stream_ends_with_its_session_without_waiting_for_the_next_beat(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 3600.0)
    claim_id = desk.add_claim()
    with served(desk.client.app) as port, screen(port, desk.tokens["ravi"]) as ravi:
        ravi.wait_for("hello")
        assert desk.call("POST", "/api/admin/logout", by="ravi").status_code == 204
        assert desk.move(claim_id, "Accepted").status_code == 200
        ravi.wait_for("signed-out")
        ravi.wait_for_the_end()


def test_a_required_second_factor_ends_the_streams_of_admins_without_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 3600.0)
    give_factor(desk, "asha")
    with (
        served(desk.client.app) as port,
        screen(port, desk.tokens["asha"]) as asha,
        screen(port, desk.tokens["ravi"]) as ravi,
    ):
        asha.wait_for("hello")
        ravi.wait_for("hello")
        assert desk.call("PUT", "/api/policy", by="ravi", json={"secondFactorRequired": True}).status_code == 200
        ravi.wait_for("signed-out")
        ravi.wait_for_the_end()
        asha.wait_for_change_of("secondFactorRequired")
        write(desk, subject_id := new_id())
        asha.wait_for_change_of(subject_id)
        assert asha.named("signed-out") == []


@pytest.mark.usefixtures("often")
def test_an_open_screen_alone_does_not_keep_a_session_alive(desk: Desk) -> None:
    """Neither the stream, nor reconnecting to it, nor reporting an open claim counts as activity."""
    almost = now() - timedelta(minutes=desk.settings.session_idle_minutes) + timedelta(seconds=60)
    desk.change(update(sessions).values(last_seen_at=almost))
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as asha:
        opened(desk, desk.add_claim(), by="asha")
        asha.wait_until(lambda screen: screen.beats >= 2)
        assert {row.last_seen_at for row in desk.rows(select(sessions.c.last_seen_at))} == {almost}
        desk.change(update(sessions).values(last_seen_at=almost - timedelta(seconds=61)))
        asha.wait_for("signed-out")
        asha.wait_for_the_end()
    assert desk.get("/api/live").status_code == 401


def test_a_client_that_stops_reading_is_disconnected_without_delaying_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "MOST_WAITING_BYTES", 300_000)
    monkeypatch.setattr(tail_module, "POLL_SECONDS", 0.05)
    tail = desk.client.app.state.tail
    with (
        served(desk.client.app) as port,
        screen(port, desk.tokens["ravi"]) as reading,
        connected(port, receive_bytes=4096) as silent,
    ):
        token = desk.tokens["asha"]
        silent.sendall(f"GET /api/live HTTP/1.1\r\nHost: d\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        eventually(lambda: len(tail._listeners) == 2)
        written = 0

        def is_closed() -> bool:
            nonlocal written
            if len(tail._listeners) == 2:
                desk.change(insert(audit_log).values([_long_row() for _ in range(500)]))
                written += 500
                reading.wait_for("change", written)
            return len(tail._listeners) == 1

        # Socket buffers take some megabytes before they are full.
        deadline = time.monotonic() + 2 * PATIENCE_SECONDS
        while not is_closed():
            assert time.monotonic() < deadline
        assert not reading.is_over


def _long_row() -> dict[str, Any]:
    return {"at": now(), "actor": "r" * 200, "verb": "claim.moved", "subject_id": "s" * 64}


class Impatient(DeadlineProtocol):
    # Much longer than a busy machine takes to send a request, and shorter than fifteen heartbeats.
    header_seconds = 1.0
    body_seconds = 1.0
    stalled_seconds = 1.0


@pytest.mark.usefixtures("often")
def test_the_connection_deadlines_do_not_end_a_quiet_stream(desk: Desk) -> None:
    with served(desk.client.app, Impatient) as port, screen(port, desk.tokens["asha"]) as asha:
        asha.wait_until(lambda screen: screen.beats >= 15)
        assert not asha.is_over


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_temporary_database_outage_ends_no_stream(
    desk: Desk, database_url: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.2)
    name = database_url.rsplit("/", 1)[1]
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as asha:
        with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
            operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            operator.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,))
            beats = asha.beats
            asha.wait_until(lambda screen: screen.beats > beats + 2)
            operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        write(desk, subject_id := new_id())
        asha.wait_for_change_of(subject_id)
        assert not asha.is_over


@pytest.mark.parametrize(("how", "workers"), [(signal.SIGTERM, 1), (signal.SIGINT, 1), (signal.SIGTERM, 2)])
@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_the_server_shuts_down_promptly_with_open_streams(
    desk: Desk, database_url: str, how: signal.Signals, workers: int
) -> None:
    with started_server(database_url, "--workers", str(workers)) as server, ExitStack() as screens:
        opened = [screens.enter_context(screen(server.port, desk.tokens["asha"])) for _ in range(6)]
        server.process.send_signal(how)
        server.process.wait(30)
        for one in opened:
            one.wait_for_the_end()
        assert "Traceback" not in server.said()
        # uvicorn logs this when it cancels requests that are still open after ten seconds.
        assert "Cancel" not in server.said()
