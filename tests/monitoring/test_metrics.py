"""What /metrics tells, and to whom."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import insert

from countinghouse.core.db import Cost
from countinghouse.core.metrics import workers_registry
from countinghouse.core.times import now
from countinghouse.main import create_app
from countinghouse.monitoring.exposition import own_port_app
from countinghouse.settings import Settings
from countinghouse.webhooks.tables import webhook_outbox
from tests.cli.command import countinghouse
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.desk_client import DeskClient
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.monitoring.scraping import TOKEN, metered, names, samples, scrape
from tests.servers import free_port, started_server
from tests.waiting import eventually

JSON = {"Content-Type": "application/json"}


@on_one_engine
def test_metrics_are_closed_unless_a_token_is_set_and_sent(open_desk: Callable[..., Desk]) -> None:
    closed = open_desk()
    for by in (None, "asha", TOKEN):
        assert closed.get("/metrics", by=by).status_code == 404
    desk = metered(open_desk)
    for by in (None, "asha", TOKEN[:-1], TOKEN + "x", "Ünicode"):
        headers = {} if by is None else {"Authorization": f"Bearer {desk.tokens.get(by, by)}".encode()}
        answer = desk.call("GET", "/metrics", by=None, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "metrics_token_required")
    assert desk.get("/metrics", by=TOKEN).status_code == 200
    # The token is for this one address.
    assert desk.get("/api/claims/all", by=TOKEN).status_code == 401


def test_requests_are_counted_by_the_template_of_their_route(open_desk: Callable[..., Desk]) -> None:
    desk = metered(open_desk)
    claim_id = desk.add_claim()
    before = samples(scrape(desk))
    desk.move(claim_id, "Accepted")
    desk.move(claim_id, "Rejected")
    desk.get("/api/nothing-here/9805756091")
    desk.call("BREW", "/api/claims/all")
    text = scrape(desk)
    counted = {key: value - before.get(key, 0) for key, value in samples(text).items()}
    route = "/api/claims/{claim_id}/status"
    assert counted[f'countinghouse_requests_total{{method="PUT",route="{route}",status="200"}}'] == 1
    assert counted[f'countinghouse_requests_total{{method="PUT",route="{route}",status="422"}}'] == 1
    assert counted[f'countinghouse_errors_total{{code="invalid_input",route="{route}"}}'] == 1
    assert counted[f'countinghouse_request_seconds_count{{route="{route}"}}'] == 2
    assert counted['countinghouse_requests_total{method="GET",route="/{path:path}",status="404"}'] == 1
    # No name that a client has chosen becomes a series.
    assert "9805756091" not in text
    assert "BREW" not in text
    assert 'method="other"' in text


def test_the_state_of_the_desk_is_measured(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    desk = metered(open_desk, data_dir=tmp_path)
    desk.add_claim(created_at=now() - timedelta(hours=2))
    desk.add_claim_moved_to("Accepted")
    row = {"at": now() - timedelta(minutes=9), "verb": "claim.moved", "subject_id": "x"}
    desk.change(insert(webhook_outbox).values(row))
    made = {"at": (now() - timedelta(hours=3)).isoformat(), "path": "backup.chb", "bytes": 12}
    (tmp_path / "last-backup.json").write_text(json.dumps(made))
    found = samples(scrape(desk))
    assert found["countinghouse_database_up"] == 1
    assert found["countinghouse_database_size_bytes"] > 100_000
    assert found['countinghouse_claims{status="Pending"}'] == 1
    assert found['countinghouse_claims{status="Accepted"}'] == 1
    assert 7200 <= found['countinghouse_claims_oldest_age_seconds{status="Pending"}'] < 7300
    assert 540 <= found["countinghouse_outbox_age_seconds"] < 640
    assert found["countinghouse_outbox_rows"] == 1
    assert 10_800 <= found["countinghouse_last_backup_age_seconds"] < 10_900
    # In this process no sealer runs.
    assert found["countinghouse_audit_unsealed_rows"] == len(desk.audit())
    assert 0 < found["countinghouse_disk_free_bytes"] < found["countinghouse_disk_size_bytes"]
    if desk.database.file is not None:
        assert found["countinghouse_database_wal_bytes"] > 0


@on_one_engine
def test_a_running_batch_and_its_claims_are_measured(open_desk: Callable[..., Desk]) -> None:
    desk = metered(open_desk)
    claims = [{"_id": desk.add_claim(), "version": 0} for _ in range(3)]
    planned = desk.call("POST", "/api/batches", json={"claims": claims, "status": "Accepted"}).json()
    assert samples(scrape(desk))["countinghouse_batches_running"] == 0
    ran = desk.call("POST", f"/api/batches/{planned['_id']}/run")
    assert ran.status_code in (200, 202), ran.text
    assert samples(scrape(desk))["countinghouse_batch_rows_waiting"] <= 3


@on_one_engine
def test_without_its_database_the_server_still_tells_what_it_counts(open_desk: Callable[..., Desk]) -> None:
    desk = metered(open_desk)
    scrape(desk)
    if desk.app_database.is_sqlite:
        desk.app_database.close()
        desk.app_database.url = desk.app_database.url.set(database="/nonexistent/desk.db")
        desk.app_database.close()
    text = scrape(desk)
    assert samples(text)["countinghouse_database_up"] == 0
    assert "countinghouse_claims{" not in text
    assert "countinghouse_requests_total{" in text


@on_one_engine
def test_waits_and_refusals_of_a_lane_are_counted(open_desk: Callable[..., Desk]) -> None:
    from countinghouse.core.errors import Busy
    from countinghouse.core.metrics import Sampler

    desk = metered(open_desk)
    lane = desk.app_database.lanes[Cost.LONG.name.lower()]
    lane._wait_seconds = 0.01
    sampler = Sampler(lambda: {"database_long": lane}, lambda: 2)

    async def fill() -> None:
        held = [await lane.enter() for _ in range(lane.places)]
        with pytest.raises(Busy):
            await lane.enter()
        sampler.sample()
        for caller in held:
            lane.leave(caller)

    before = samples(scrape(desk))
    run(fill())
    found = samples(scrape(desk))
    key = '{lane="database_long"}'
    assert found[f"countinghouse_lane_in_use{key}"] == found[f"countinghouse_lane_places{key}"] == lane.places
    assert found["countinghouse_live_streams"] == 2
    for counted in ("lane_refused_total", "lane_waits_total"):
        assert found[f"countinghouse_{counted}{key}"] == before.get(f"countinghouse_{counted}{key}", 0) + 1


def _scrape_port(port: int, token: str = "") -> str:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with urlopen(Request(f"http://127.0.0.1:{port}/metrics", headers=headers), timeout=10) as answer:
        return str(answer.read().decode())


def test_two_workers_are_added_up_at_a_port_of_their_own(database_url: str) -> None:
    port = str(free_port())
    settings = {"COUNTINGHOUSE_METRICS_PORT": port, "COUNTINGHOUSE_METRICS_TOKEN": TOKEN}
    with started_server(database_url, "--workers", "2", program=None, **settings) as server:
        eventually(lambda: samples(_scrape_port(int(port), TOKEN)).get('countinghouse_workers{version="0.1.1"}') == 2)
        with pytest.raises(HTTPError, match="401"):
            _scrape_port(int(port))
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{server.url}/metrics")  # noqa: S310 - our own address
        key = 'countinghouse_requests_total{method="POST",route="/api/admin/login",status="200"}'
        body = json.dumps({"username": "asha", "password": PASSWORD}).encode()
        for _ in range(6):
            request = Request(f"http://127.0.0.1:{server.port}/api/admin/login", body, JSON)
            with urlopen(request) as answer:  # noqa: S310 - our own address
                assert answer.status == 200
        # Each worker counts once a second.
        eventually(lambda: samples(_scrape_port(int(port), TOKEN)).get(key) == 6)
        found = _scrape_port(int(port), TOKEN)
        assert {"countinghouse_claims", "countinghouse_lane_places", "countinghouse_database_up"} <= names(found)


@on_one_engine
def test_a_scrape_while_a_worker_creates_its_files_is_answered(database_url: str, tmp_path: Path) -> None:
    # A worker has opened the file, and has not given it a size yet.
    (tmp_path / "counter_1.db").touch()
    settings = Settings(database_url=database_url, _env_file=None)
    desk = DeskClient(own_port_app(settings, lambda: workers_registry(str(tmp_path))), "127.0.0.1")
    answer = desk.get("/metrics")
    assert answer.status_code == 200
    assert samples(answer.text)["countinghouse_database_up"] == 1


def test_a_port_without_a_token_is_not_opened_to_the_network() -> None:
    settings = {"COUNTINGHOUSE_METRICS_PORT": str(free_port())}
    ended = countinghouse("sqlite:///never-opened.db", "serve", "--host", "0.0.0.0", **settings)  # noqa: S104
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert ended.stderr.startswith("COUNTINGHOUSE_METRICS_PORT would be open to the network")


@on_one_engine
def test_nothing_is_counted_for_nobody(desk: Desk) -> None:
    assert create_app(desk.settings).front.observe is None  # type: ignore[attr-defined]
