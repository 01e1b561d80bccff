"""A server reserves file descriptors for its database and files, however many clients connect, and logs a shortage."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.core.sockets import connected, read_to_the_end, wait_until
from tests.servers import COMMAND, Server, started_server

HARD_LIMIT = 96
CONNECTIONS = HARD_LIMIT // 2


@contextmanager
def _limited_server(folder: Path, limits: str) -> Iterator[Server]:
    program = ("/bin/sh", "-c", f'{limits}; exec "$0" "$@"', COMMAND, "serve", "--port")
    with started_server(f"sqlite:///{folder}/desk.db", program=program) as server:
        yield server


def _soft_limit(server: Server) -> int:
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    return int(next(line for line in limits.splitlines() if line.startswith("Max open files")).split()[3])


def test_the_limit_is_raised_as_far_as_the_system_allows(tmp_path: Path) -> None:
    with _limited_server(tmp_path, "ulimit -Sn 64; ulimit -Hn 500") as server:
        assert _soft_limit(server) == 500


def _open_connections(stack: ExitStack, server: Server, count: int) -> list[socket.socket]:
    return [stack.enter_context(connected(server.port)) for _ in range(count)]


def test_connections_over_the_limit_get_503_and_are_logged_once(tmp_path: Path) -> None:
    with _limited_server(tmp_path, f"ulimit -n {HARD_LIMIT}") as server:
        with ExitStack() as stack:
            _open_connections(stack, server, CONNECTIONS)
            # Connections are accepted in the order in which they were opened: by now the others are accepted.
            answers = []
            for _ in range(5):
                with connected(server.port) as client:
                    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: desk\r\n\r\n")
                    answers.append(read_to_the_end(client))
        for answer in answers:
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n"), answer
            assert b"retry-after: " in head.lower()
            assert json.loads(body)["code"] == "busy"
        wait_until(lambda: "too_many_connections" in server.said())
        assert server.said().count("too_many_connections") == 1
        wait_until(lambda: _is_ready(server))


def _is_ready(server: Server) -> bool:
    try:
        with urlopen(f"{server.url}/readyz", timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False


def test_a_server_without_free_file_descriptors_logs_it(tmp_path: Path) -> None:
    with _limited_server(tmp_path, "ulimit -n 40") as server, ExitStack() as stack:
        deadline = time.monotonic() + 20
        while "no_file_descriptors_left" not in server.said() and time.monotonic() < deadline:
            # The server closes each of them after some seconds.
            _open_connections(stack, server, 10)
            time.sleep(0.5)
        assert "no_file_descriptors_left" in server.said()
        stack.close()
        wait_until(lambda: _is_ready(server))
