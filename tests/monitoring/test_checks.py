"""What `countinghouse doctor` and the Health screen say about the surroundings of a desk, and what to do."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, text, update

from countinghouse import __version__
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.core.migrate import newest_revision
from countinghouse.core.times import now
from countinghouse.monitoring import checks
from countinghouse.monitoring.checks import check_backup, check_certificate, check_disk, check_settings
from countinghouse.settings import Settings
from tests.cli.command import countinghouse
from tests.core.test_migrating import make_newer
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.servers import started_server

CERTIFICATE = Path(__file__).parents[1] / "webhooks/tls_receiver.pem"


def health(desk: Desk, **more: object) -> dict[str, tuple[str, str]]:
    answer = desk.get("/api/health", **more)
    assert answer.status_code == 200, answer.text
    assert answer.json()["version"] == __version__
    return {check["title"]: (check["state"], check["message"]) for check in answer.json()["checks"]}


def test_the_screen_and_the_command_say_the_same(
    desk: Desk, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = health(desk)
    assert list(shown) == [
        "Configuration",
        "Proxy",
        "Disk",
        "Migrations",
        "Clock",
        "Certificate",
        "Last backup",
    ]
    ended = countinghouse(database_url, "doctor")
    assert (ended.returncode, ended.stderr) == (0, "")
    for title in ("Configuration", "Proxy", "Certificate", "Last backup"):
        state, message = shown[title]
        assert f"{state:<5}  {title}: {message}\n" in ended.stdout
    assert shown["Last backup"][0] == "note"


def test_the_stored_data_is_checked_by_a_process_of_its_own(desk: Desk) -> None:
    assert {check["state"] for check in desk.get("/api/health/data").json()} == {"fine"}
    desk.add_claim()
    desk.change(update(claims).values(version=1))
    # Who asks again soon gets the same result.
    assert {check["state"] for check in desk.get("/api/health/data").json()} == {"fine"}
    desk.client.app.state.examiner._ended_at = -1e9
    found = desk.get("/api/health/data").json()
    (wrong,) = [check for check in found if check["state"] == "wrong"]
    assert wrong["title"] == "Claims have the status of their last move"
    assert "no recorded move explains that" in wrong["message"]


@on_one_engine
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER])
def test_only_owners_see_it(desk: Desk, role: Role) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))
    for path in ("/api/health", "/api/health/data"):
        assert desk.get(path).status_code == 403
    assert desk.get("/api/version").json() == {"version": __version__}


@on_one_engine
def test_an_unnamed_proxy_is_noticed(open_desk: Callable[..., Desk]) -> None:
    through = {"X-Forwarded-For": "198.51.100.7"}
    desk = open_desk("10.0.0.5")
    assert health(desk)["Proxy"][0] == "fine"
    assert health(desk, headers=through)["Proxy"] == (
        "wrong",
        "Requests come through the proxy 10.0.0.5, which is not trusted: name it in COUNTINGHOUSE_TRUSTED_PROXIES. "
        "Until then, all visitors share one login rate limit.",
    )
    named = open_desk("10.0.0.5", trusted_proxies="10.0.0.5/32")
    assert health(named, headers=through)["Proxy"] == ("fine", "Forwarded addresses are trusted from 10.0.0.5/32.")


def test_a_change_from_the_future_tells_of_a_wrong_clock(desk: Desk) -> None:
    assert health(desk)["Clock"][0] == "fine"
    row = {"at": now() + timedelta(hours=1), "actor": "asha", "verb": "claim.moved", "subject_id": "x"}
    desk.change(insert(audit_log).values(row))
    state, message = health(desk)["Clock"]
    assert state == "wrong"
    assert "in the future" in message


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_clocks_that_differ_are_noticed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Late:
        @staticmethod
        def now(zone: object) -> object:
            return now().astimezone(zone) + timedelta(seconds=40)  # type: ignore[arg-type]

    monkeypatch.setattr(checks, "datetime", Late)
    state, message = health(desk)["Clock"]
    assert state == "wrong"
    assert "differ by 40 seconds" in message


def test_pending_migrations_are_reported(desk: Desk) -> None:
    desk.change(text("UPDATE alembic_version SET version_num = '0018'"))
    state, message = health(desk)["Migrations"]
    assert (state, message) == ("wrong", "Migrations are pending: start the server once to migrate the database.")
    make_newer(desk.database, works_with="9998")
    state, message = health(desk)["Migrations"]
    assert (state, message) == (
        "wrong",
        "The database is newer than this version: install that version or a newer one.",
    )


def test_a_newer_database_that_works_with_this_version_is_a_note(desk: Desk, database_url: str) -> None:
    make_newer(desk.database, works_with=newest_revision())
    message = "The database is newer than this version and works with it: upgrade here next."
    assert health(desk)["Migrations"] == ("note", message)
    assert health(desk)["Clock"][0] == "fine"
    doctor = countinghouse(database_url, "doctor")
    assert (doctor.returncode, doctor.stderr) == (0, "")
    assert f"note   Migrations: {message}\n" in doctor.stdout
    assert "fine   No claim was paid twice\n" in doctor.stdout
    assert countinghouse(database_url, "policy", "show").returncode == 0
    assert countinghouse(database_url, "migrate").stdout == f"{message} There is nothing to migrate.\n"
    verified = countinghouse(database_url, "audit", "verify")
    assert verified.returncode == 2
    assert "use the version that migrated it" in verified.stderr
    with started_server(database_url) as server:
        assert message in server.said()


@pytest.mark.parametrize(("free", "state"), [(0.5, "fine"), (0.09, "note"), (0.01, "wrong")])
def test_a_disk_that_is_nearly_full_is_reported(
    free: float, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SimpleNamespace(total=1e12, free=free * 1e12)
    monkeypatch.setattr(checks, "shutil", SimpleNamespace(disk_usage=lambda _: disk))
    assert check_disk(tmp_path)["state"] == state


def test_a_write_ahead_log_that_has_grown_is_reported(tmp_path: Path) -> None:
    database = tmp_path / "countinghouse.db"
    assert "log" not in check_disk(tmp_path, database)["message"]
    with Path(f"{database}-wal").open("wb") as log:
        log.truncate(472_000_000)
    found = check_disk(tmp_path, database)
    assert found["state"] == "note"
    assert "The write-ahead log of the database has 472 MB" in found["message"]


def test_files_that_others_can_read_are_reported(tmp_path: Path) -> None:
    key = tmp_path / "audit-key.pem"
    key.touch(0o600)
    settings = Settings(data_dir=tmp_path, public_url="https://desk.example.in", _env_file=None)
    assert check_settings(settings, None)["state"] == "fine"
    key.chmod(0o644)
    found = check_settings(settings, None)
    assert found["state"] == "note"
    assert f"run chmod 600 {key}" in found["message"]


@pytest.mark.parametrize(
    ("noted", "state", "word"),
    [
        (None, "note", "No backup has been made yet"),
        ({"at": "HOURS 3", "path": "THERE", "bytes": 1_500_000}, "fine", "desk.backup (1.5 MB)"),
        ({"at": "HOURS 25", "path": "THERE", "bytes": 1_500_000}, "wrong", "older than a day"),
        ({"at": "HOURS 3", "path": "/backups/gone.backup", "bytes": 1}, "note", "/backups/gone.backup is gone"),
        ({"at": "HOURS 25", "path": "/backups/gone.backup", "bytes": 1}, "wrong", "/backups/gone.backup is gone"),
        ({"at": "HOURS 3", "path": "THERE", "bytes": 1_500_001}, "note", "desk.backup has changed"),
        ({"at": "2026-11-15T02:52:36", "path": "x", "bytes": 1}, "wrong", "no time zone"),
        ({"path": "x"}, "wrong", "cannot be read"),
        ([], "wrong", "cannot be read"),
    ],
)
def test_the_last_backup_is_shown(noted: object, state: str, word: str, tmp_path: Path) -> None:
    if isinstance(noted, dict) and str(noted.get("at")).startswith("HOURS"):
        noted["at"] = (now() - timedelta(hours=int(noted["at"].split()[1]))).isoformat()
    if isinstance(noted, dict) and noted.get("path") == "THERE":
        noted["path"] = str(tmp_path / "desk.backup")
        (tmp_path / "desk.backup").write_bytes(bytes(1_500_000))
    if noted is not None:
        (tmp_path / "last-backup.json").write_text(json.dumps(noted))
    found = check_backup(tmp_path)
    assert found["state"] == state
    assert word in found["message"]


@contextmanager
def serving_tls() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_a_certificate_is_read_from_the_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_certificate("")["state"] == "note"
    assert "no https address" in check_certificate("http://localhost:8000")["message"]
    connect = socket.create_connection
    with serving_tls() as port:
        here = SimpleNamespace(create_connection=lambda _address, seconds: connect(("127.0.0.1", port), seconds))
        monkeypatch.setattr(checks, "socket", here)
        refused = check_certificate("https://shop.example.in")
        assert refused["state"] == "wrong"
        assert "shop.example.in has no valid certificate (self-signed certificate)" in refused["message"]
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        found = check_certificate("https://shop.example.in")
        assert found["state"] == "fine", found
        assert "The certificate of shop.example.in is valid for" in found["message"]
        assert check_certificate("https://desk.example.in")["state"] == "wrong"
        monkeypatch.setattr(checks, "RENEW_DAYS", 10**6)
        assert "renew it" in check_certificate("https://shop.example.in")["message"]
    assert check_certificate("https://shop.example.in")["state"] == "note"
