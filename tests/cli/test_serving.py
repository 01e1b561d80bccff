"""`countinghouse serve` and `countinghouse openapi`, run as separate processes."""

import json
import os
import re
import signal
import socket
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
import pytest

from countinghouse import __version__
from tests.cli.command import countinghouse
from tests.core.sockets import connected, read_answer
from tests.databases import Template
from tests.desk import Desk
from tests.servers import INSTALLED, Server, started_server
from tests.waiting import eventually

HANGING = (sys.executable, str(Path(__file__).with_name("hanging_server.py")), "serve", "--port")


def _is_gone(process: int) -> bool:
    """True also for a zombie that its new parent has not reaped yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_blank_database_is_migrated_and_served_and_the_server_stops_cleanly(blank_url: str) -> None:
    # The installed command on one engine; a fork is ready sooner.
    program = INSTALLED if blank_url.startswith("sqlite") else None
    with started_server(blank_url, program=program) as server:
        with urlopen(f"{server.url}/readyz") as answer:  # noqa: S310 - our own address
            assert json.load(answer) == {"status": "ready"}
            assert "server" not in answer.headers
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(15) in (0, -signal.SIGTERM)
        assert "Traceback" not in server.said()
        assert f"Countinghouse {__version__}: serving at {server.url}\n" in server.said()
        link = rf"Countinghouse {__version__}: nobody can log in yet\.[^:]*: {server.url}/Invite#\S{{43}}\n"
        assert re.search(link, server.said())


def test_the_version_is_printed() -> None:
    assert countinghouse("sqlite:///never-opened.db", "--version").stdout == f"countinghouse {__version__}\n"


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_openapi_prints_the_description_that_the_server_serves(desk: Desk, database_url: str) -> None:
    printed = countinghouse(database_url, "openapi")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert json.loads(printed.stdout) == desk.get("/api/openapi.json").json()


def test_two_workers_start_and_stop_together(tmp_path: Path) -> None:
    with started_server(f"sqlite:///{tmp_path}/desk.db", "--workers", "2", program=INSTALLED) as server:
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        # The first worker answers while the second one and multiprocessing's resource tracker may still be starting.
        eventually(lambda: len(children.read_text().split()) >= 2)
        workers = [int(child) for child in children.read_text().split()]
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)
        eventually(lambda: all(_is_gone(worker) for worker in workers))


def _workers_of(server: Server) -> list[int]:
    """Without the resource tracker of multiprocessing, which is a child process too."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_open_request_is_answered_when_the_terminal_is_closed(workers: int, tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with started_server(f"sqlite:///{tmp_path}/desk.db", "--workers", str(workers), program=INSTALLED) as server:
            if workers > 1:
                eventually(lambda: len(_workers_of(server)) == workers)
            processes = [server.process.pid, *_workers_of(server)]
            body = b'{"username": "asha", "password": "long enough"}'
            with connected(server.port) as slow:
                head = f"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\nContent-Length: {len(body)}\r\n"
                more = "Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n"
                slow.sendall(f"{head}{more}".encode() + body[:5])
                assert slow.recv(1000).startswith(b"HTTP/1.1 100 ")
                for process in processes:
                    os.kill(process, signal.SIGHUP)
                if workers == 1:
                    eventually(lambda: _is_refused(server.port))
                slow.sendall(body[5:])
                assert read_answer(slow).startswith(b"HTTP/1.1 401 ")
            server.process.wait(15)
            eventually(lambda: all(_is_gone(process) for process in processes))
            assert "Traceback" not in server.said()
    finally:
        signal.signal(signal.SIGHUP, before)


def _is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionRefusedError:
        return True
    return False


def test_workers_exit_and_free_the_port_when_their_parent_is_killed(tmp_path: Path) -> None:
    with started_server(f"sqlite:///{tmp_path}/desk.db", "--workers", "2") as server:
        workers = _workers_of(server)
        assert len(workers) == 2
        server.process.kill()
        server.process.wait(5)
        try:
            eventually(lambda: all(_is_gone(worker) for worker in workers))
        finally:
            _kill(workers)
        with pytest.raises(URLError, match="refused"):
            urlopen(f"{server.url}/healthz", timeout=5)  # noqa: S310 - our own address


@pytest.mark.deadlines
def test_a_server_that_hangs_during_shutdown_exits_within_15_seconds(tmp_path: Path) -> None:
    with started_server(f"sqlite:///{tmp_path}/desk.db", program=HANGING) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(15) == 1
        assert "shutdown_forced" in server.said()


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_frozen_database_does_not_prevent_shutdown(database_url: str, template: Template) -> None:
    with started_server(database_url) as server, ExitStack() as stack:
        read = f"Host: desk\r\nAuthorization: Bearer {template.tokens['asha']}\r\n\r\n"
        reader = stack.enter_context(connected(server.port))
        reader.sendall(f"GET /api/claims/all?limit=5 HTTP/1.1\r\n{read}".encode())
        read_answer(reader)
        for backend in _backends_of(database_url):
            stack.callback(os.kill, backend, signal.SIGCONT)
            os.kill(backend, signal.SIGSTOP)
        for path in ("/api/claims/all?limit=5", "/api/claims/all", "/readyz", "/api/qr") * 5:
            waiting = stack.enter_context(connected(server.port))
            waiting.sendall(f"GET {path} HTTP/1.1\r\n{read}".encode())
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(15)


def _backends_of(database_url: str) -> list[int]:
    """The processes of PostgreSQL that serve this database."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        statement = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        return [row[0] for row in connection.execute(statement)]


@pytest.mark.deadlines
def test_hanging_or_frozen_workers_are_killed_with_their_parent(tmp_path: Path) -> None:
    with started_server(f"sqlite:///{tmp_path}/desk.db", "--workers", "2", program=HANGING) as server:
        workers = _workers_of(server)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(15)
            eventually(lambda: all(_is_gone(worker) for worker in workers))
        finally:
            _kill(workers)
        assert "shutdown_forced" in server.said()


def _kill(processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def test_an_unreachable_database_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"postgresql://desk:geheim@127.0.0.1:{closed.getsockname()[1]}/desk"
        ended = countinghouse(url, "serve")
    assert ended.returncode == 1
    assert ended.stderr.startswith("The database did not answer: ")
    assert ended.stderr.count("\n") == 1
    assert "geheim" not in ended.stderr
    assert not list(tmp_path.iterdir())


def test_a_port_that_is_taken_is_reported_before_anything_is_announced(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = countinghouse(f"sqlite:///{tmp_path}/desk.db", "serve", "--port", str(taken.getsockname()[1]))
    assert ended.returncode != 0
    said = ended.stdout + ended.stderr
    assert "address already in use" in said.lower()
    assert "serving at" not in said
    assert "nobody can log in yet" not in said
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_created_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ended = countinghouse(f"sqlite:///{tmp_path}/file/desk.db", "serve")
    assert ended.returncode == 1
    assert ended.stderr.startswith("The database file ")
    assert "cannot be created: " in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("host", "is_warned"), [("0.0.0.0", True), ("127.0.0.1", False)])  # noqa: S104 - on purpose
def test_serving_other_machines_without_https_prints_a_warning(tmp_path: Path, host: str, is_warned: bool) -> None:
    with started_server(f"sqlite:///{tmp_path}/desk.db", "--host", host) as server:
        assert ("passwords travel in the clear" in server.said()) is is_warned
