"""Each part of HTTP/1.1 made endless: the server closes the connection, holds little memory, and serves others."""

import socket
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from drills.bystander import Bystander
from tests.servers import Server, peak_megabytes

MOST_GROWTH_MEGABYTES = 256
# Longer than any deadline of the server: a connection that is still open then was forgotten.
LONGEST_SECONDS = 90.0
TRICKLE_SECONDS = 0.2
SEND_BYTES = 256 * 1024
UNREAD = "requests whose answers nobody reads"

_GET = b"GET /healthz HTTP/1.1\r\nHost: desk\r\n"
_POST = b"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\nContent-Type: application/json\r\n"
_CHUNKED = _POST + b"Transfer-Encoding: chunked\r\n\r\n"
_BODY = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    opening: bytes
    # Sent again and again after the opening.
    piece: bytes
    # False for attacks that a patient client may legitimately send, a few bytes at a time.
    is_trickled: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    attack: str
    sent_bytes: int
    is_closed: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Endless:
    outcomes: tuple[Outcome, ...]
    growth_megabytes: int
    slowest_answer_seconds: float
    faults: tuple[str, ...]


def attacks(token: str) -> list[Attack]:
    live = b"GET /api/live HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer " + token.encode() + b"\r\n\r\n"
    return [
        Attack("request line", b"GET /", b"x"),
        Attack("method", b"", b"G"),
        Attack("one header", _GET + b"X-Long: ", b"x"),
        Attack("one header name", _GET, b"x"),
        Attack("headers", _GET, b"X-More: 1\r\n"),
        Attack("empty lines before a request", b"", b"\r\n"),
        Attack("empty lines after an answer", _GET + b"\r\n", b"\r\n"),
        Attack("empty lines behind an open answer", live, b"\r\n", is_trickled=False),
        Attack("chunk extension", _CHUNKED + b"1;a=", b"x"),
        Attack("chunk extensions", _CHUNKED + b"1", b";a=b"),
        Attack("chunk size", _CHUNKED, b"0"),
        Attack("tiny chunks", _CHUNKED, b"1\r\nx\r\n"),
        Attack("tiny chunks of an answered request", _GET + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        Attack("trailers", _CHUNKED + b"0\r\n", b"X-More: 1\r\n"),
        Attack("one trailer", _CHUNKED + b"0\r\nX-Long: ", b"x"),
        Attack("trailers of an answered request", _GET + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-More: 1\r\n"),
        Attack("body in chunks", _CHUNKED, _BODY),
        Attack("body with a length", _POST + b"Content-Length: 99999999999\r\n\r\n", b"x"),
        Attack("body of an answered request", _GET + b"Transfer-Encoding: chunked\r\n\r\n", _BODY),
        Attack("body of HTTP/1.0", _POST.replace(b"1.1", b"1.0") + b"Content-Length: 99999999999\r\n\r\n", b"x"),
        Attack("body behind Expect", _POST + b"Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n", _BODY),
        Attack(UNREAD, b"", _GET + b"\r\n", is_trickled=False),
        Attack("requests behind an open answer", live, _GET + b"\r\n", is_trickled=False),
        Attack("bodies behind an open answer", live + _CHUNKED, _BODY),
        Attack("bytes after an upgrade", _GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", b"x"),
        Attack("absolute form", b"GET http://desk/", b"x"),
    ]


def attack_endlessly(server: Server, token: str, *, megabytes: int, slowest_seconds: float) -> Endless:
    """Each at full speed, one after the other; then all at once, a few bytes at a time.

    Nobody else may wait longer than `slowest_seconds`.
    """
    chosen = attacks(token)
    slow = [attack for attack in chosen if attack.is_trickled]
    before = peak_megabytes(server)
    with Bystander(server.url, "/api/claims/all?limit=20", token) as bystander:
        outcomes = [_flood(server.port, attack, megabytes * 1024 * 1024) for attack in chosen]
        with ThreadPoolExecutor(len(slow)) as pool:
            outcomes += pool.map(lambda attack: _trickle(server.port, attack), slow)
    growth = peak_megabytes(server) - before
    faults = _judge(outcomes, growth, bystander, slowest_seconds)
    return Endless(tuple(outcomes), growth, bystander.slowest_seconds, faults)


def _judge(outcomes: Sequence[Outcome], growth: int, bystander: Bystander, slowest_seconds: float) -> tuple[str, ...]:
    faults = [
        f"{outcome.attack}: still connected after {outcome.seconds:.0f} s and {outcome.sent_bytes:,} bytes"
        for outcome in outcomes
        if not outcome.is_closed
    ]
    if growth > MOST_GROWTH_MEGABYTES:
        faults.append(f"The server grew by {growth} MB.")
    if bystander.slowest_seconds > slowest_seconds:
        faults.append(f"Another request waited {bystander.slowest_seconds:.1f} s.")
    return (*faults, *bystander.faults)


def _flood(port: int, attack: Attack, most_bytes: int) -> Outcome:
    pieces = attack.piece * max(1, SEND_BYTES // len(attack.piece))
    return _send_until_closed(port, attack, pieces, 0.0, most_bytes)


def _trickle(port: int, attack: Attack) -> Outcome:
    outcome = _send_until_closed(port, attack, attack.piece[:64], TRICKLE_SECONDS, most_bytes=1024 * 1024)
    return Outcome(f"{attack.name}, trickled", outcome.sent_bytes, outcome.is_closed, outcome.seconds)


def _send_until_closed(port: int, attack: Attack, pieces: bytes, pause: float, most_bytes: int) -> Outcome:
    started_at = time.monotonic()
    sent = 0
    is_closed = False
    with socket.create_connection(("127.0.0.1", port), timeout=1.0) as client:
        ended = threading.Event()
        if attack.name != UNREAD:
            threading.Thread(target=_discard, args=(client, ended), daemon=True).start()
        try:
            client.sendall(attack.opening)
            while sent < most_bytes and time.monotonic() - started_at < LONGEST_SECONDS and not ended.is_set():
                try:
                    sent += client.send(pieces)
                except TimeoutError:
                    # The server has stopped reading for now. It must not wait for ever.
                    continue
                ended.wait(pause)
            # Everything is sent and the connection is still open: now the server's deadlines count.
            while not (is_closed := ended.is_set() or _is_reset(client)):
                if time.monotonic() - started_at > LONGEST_SECONDS:
                    break
                time.sleep(0.05)
        except OSError:
            is_closed = True
    return Outcome(attack.name, sent, is_closed, time.monotonic() - started_at)


def _is_reset(client: socket.socket) -> bool:
    return client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


def _discard(client: socket.socket, ended: threading.Event) -> None:
    """Reads and discards the answers until the server closes the connection."""
    while True:
        try:
            if not client.recv(65536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    ended.set()
