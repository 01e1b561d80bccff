"""Body limits: a body that is too large is refused while it streams, so that no client can fill the server's memory."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import func, select

from countinghouse.admins.factors.passkeys import PASSKEY_EXAMPLE
from countinghouse.core.http.bodies import DEFAULT_BODY_BYTES, SHORT_BODY_BYTES
from countinghouse.qr.tables import qr_codes, qr_images
from tests.core.refusals import assert_refused
from tests.core.sockets import connected, read_to_the_end, served
from tests.desk import Desk
from tests.servers import Server, peak_megabytes, started_server

MEGABYTE = 1024 * 1024
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with started_server(f"sqlite:///{tmp_path_factory.mktemp('bodies')}/desk.db") as running:
        yield running


def _pieces(size: int) -> Iterator[bytes]:
    """A body of unknown length: the client sends it in chunks, without a Content-Length."""
    for _ in range(size // 10_000):
        yield b"x" * 10_000


def _send_chunked(server: Server, request_line: str, megabytes: int) -> bytes:
    with connected(server.port) as client:
        head = f"{request_line} HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\n"
        client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n")
        with suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(megabytes * 16):
                client.sendall(CHUNK)
            client.sendall(b"0\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
        return read_to_the_end(client)


def test_a_content_length_over_the_limit_is_refused(desk: Desk) -> None:
    for path, size, most in (
        ("/api/admin/login", DEFAULT_BODY_BYTES, "64 KB"),
        ("/api/qr/upload", 6 * MEGABYTE, "5 MB"),
        ("/api/invitations/open", SHORT_BODY_BYTES, "4 KB"),
        ("/api/invitations/accept", SHORT_BODY_BYTES, "4 KB"),
    ):
        answer = desk.call("POST", path, by=None, content=b"x" * (size + 1))
        assert_refused(answer, 413, "body_too_large")
        assert answer.json()["message"].endswith(f"The limit is {most}.")
        assert answer.headers["connection"] == "close"


def _log_in(desk: Desk, body: object, size: int = 0) -> Response:
    content = json.dumps(body).encode().ljust(size)
    return desk.call("POST", "/api/admin/login", by=None, content=content, headers={"Content-Type": "application/json"})


def test_a_body_of_exactly_the_limit_is_read(desk: Desk) -> None:
    answer = _log_in(desk, {"username": "nobody", "password": "x" * 20}, SHORT_BODY_BYTES)
    assert (answer.status_code, answer.json()["code"]) == (401, "login_failed")


def test_only_a_passkey_may_be_longer_than_a_password(desk: Desk) -> None:
    bodies: list[Any] = [{"username": "nobody", "password": "x" * 20}, {"challenge": "a" * 43, "code": "492039"}, [[]]]
    for short in bodies:
        message = assert_refused(_log_in(desk, short, SHORT_BODY_BYTES + 1), 413, "body_too_large")
        assert message.endswith("The limit is 4 KB.")
    signed = PASSKEY_EXAMPLE["response"] | {"clientDataJSON": "a" * 20_000}
    answer = {"challenge": "a" * 43, "passkey": PASSKEY_EXAMPLE | {"response": signed}}
    assert_refused(_log_in(desk, answer), 401, "login_expired")


@pytest.mark.parametrize(
    ("request_line", "headers", "status", "code"),
    [
        (b"GET /healthz?" + b"a&" * 200, b"", b"414", "address_too_long"),
        (b"GET /healthz", b"Cookie: " + b"a;" * 200 + b"\r\n", b"431", "headers_too_large"),
        (b"GET /healthz", (b"Cookie: " + b"a;" * 150 + b"\r\n") * 2, b"431", "headers_too_large"),
        (b"GET /healthz?" + b"a&" * 199, b"Cookie: " + b"a;" * 199 + b"\r\n", b"200", None),
    ],
)
def test_very_many_query_fields_or_cookies_are_refused_before_they_are_parsed(
    server: Server, request_line: bytes, headers: bytes, status: bytes, code: str | None
) -> None:
    with connected(server.port) as client:
        client.sendall(request_line + b" HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n" + headers + b"\r\n")
        head, _, body = read_to_the_end(client).partition(b"\r\n\r\n")
    assert (head.split()[1], json.loads(body).get("code")) == (status, code)


@pytest.mark.parametrize("address", [b"/healthz?%s", b"/api/claims/all?q=1&%s", b"/%s", b"/%%41%s?q=1"])
def test_a_path_or_query_string_over_8_kilobytes_is_refused(server: Server, address: bytes) -> None:
    def ask(size: int) -> tuple[bytes, bytes]:
        with connected(server.port) as client:
            line = b"GET " + address % (b"x" * size) + b" HTTP/1.1\r\n"
            client.sendall(line + b"Host: desk\r\nConnection: close\r\n\r\n")
            head, _, body = read_to_the_end(client).partition(b"\r\n\r\n")
        return head.split()[1], body

    assert ask(8 * 1024 - 5)[0] != b"414"
    status, body = ask(8 * 1024 + 1)
    assert (status, json.loads(body)["code"]) == (b"414", "address_too_long")
    assert "8 KB" in json.loads(body)["message"]


def test_a_chunked_body_is_refused_as_soon_as_it_exceeds_the_limit(desk: Desk) -> None:
    answer = desk.call("POST", "/api/admin/login", by=None, content=_pieces(200_000))
    assert_refused(answer, 413, "body_too_large")
    assert answer.headers["connection"] == "close"


def test_a_chunked_upload_over_the_limit_stores_nothing(desk: Desk) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=edge"}

    def form() -> Iterator[bytes]:
        for name, value in (("name", "Desk 1"), ("upiId", "desk1@okbank")):
            yield f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        yield b'--edge\r\nContent-Disposition: form-data; name="qrImage"; filename="a.png"\r\n\r\n'
        yield from _pieces(6 * MEGABYTE)
        yield b"\r\n--edge--\r\n"

    assert_refused(desk.call("POST", "/api/qr/upload", content=form(), headers=headers), 413, "body_too_large")
    for table in (qr_codes, qr_images):
        assert desk.rows(select(func.count()).select_from(table))[0][0] == 0
    assert not desk.audit("qr.uploaded")


@pytest.mark.parametrize("request_line", ["POST /api/admin/login", "POST /api/qr/upload", "GET /healthz"])
def test_an_anonymous_body_of_150_megabytes_does_not_use_up_memory(server: Server, request_line: str) -> None:
    before = peak_megabytes(server)
    _send_chunked(server, request_line, megabytes=150)
    assert peak_megabytes(server) - before < 30
    assert server.process.poll() is None


def test_the_refusal_reaches_a_client_over_a_real_socket(server: Server) -> None:
    with connected(server.port) as client:
        client.sendall(b"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\nContent-Length: 157286400\r\n\r\n")
        head, _, body = read_to_the_end(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert json.loads(body)["code"] == "body_too_large"


@pytest.mark.parametrize("announcement", [b"Content-Length: 8388608\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_the_refusal_reaches_a_client_that_sends_its_whole_body_before_reading(
    server: Server, announcement: bytes
) -> None:
    """Proxies do this, and report a connection that is closed while they send as an error of the server."""
    is_chunked = announcement.startswith(b"Transfer")
    with connected(server.port) as client:
        head = b"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\nContent-Type: application/json\r\n"
        client.sendall(head + announcement + b"\r\n")
        for _ in range(8 * 16):
            client.sendall(CHUNK if is_chunked else b"x" * 0x10000)
        if is_chunked:
            client.sendall(b"0\r\n\r\n")
        answer, _, body = read_to_the_end(client).partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert json.loads(body)["code"] == "body_too_large"


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 40\r\n",
        b"Content-Length: +4\r\n",
        b"Transfer-Encoding: xchunked\r\n",
    ],
)
def test_a_request_that_two_servers_could_read_differently_is_refused(server: Server, lengths: bytes) -> None:
    smuggled = b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: desk\r\n\r\n"
    with connected(server.port) as client:
        client.sendall(b"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\n" + lengths + b"\r\n" + smuggled)
        answers = read_to_the_end(client)
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1") == 1


def test_endless_headers_are_cut_off_and_do_not_use_up_memory(server: Server) -> None:
    before = peak_megabytes(server)
    sent = 0
    with connected(server.port) as client, suppress(OSError):
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: desk\r\n")
        for number in range(100_000):
            sent += client.send(f"X-Filler-{number}: {'x' * 3000}\r\n".encode())
    assert sent < 150 * MEGABYTE
    assert peak_megabytes(server) - before < 30
    with connected(server.port) as client:
        long = b"X-Long: " + b"x" * 30_000 + b"\r\nConnection: close\r\n\r\n"
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: desk\r\n" + long)
        assert read_to_the_end(client).startswith(b"HTTP/1.1 200 ")


def test_a_list_is_never_truncated_when_the_request_body_is_too_large(desk: Desk) -> None:
    for _ in range(3):
        desk.add_user()
    head = f"GET /api/users HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer {desk.tokens['asha']}\r\n"
    with served(desk.client.app) as port, connected(port) as client:
        client.sendall(head.encode() + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(OSError):
            client.sendall(CHUNK * 4 + b"0\r\n\r\n")
        answer = read_to_the_end(client)
    # Either refused before it began, or sent to the end; never truncated.
    assert answer.startswith(b"HTTP/1.1 413 ") or answer.endswith(b"]\r\n0\r\n\r\n")
