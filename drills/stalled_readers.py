"""Many clients that stop reading a whole list are dropped; a slow but steady one and all others are served."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from drills.bystander import Bystander
from drills.rows import add_claims
from tests.direct_database import DirectDatabase
from tests.servers import Server, peak_megabytes

READERS = 30
# More than the buffers of a connection hold, so that the server has to wait for every reader.
CLAIMS = 4_000
RECEIVE_BYTES = 16 * 1024
PHONE_BYTES_PER_SECOND = 32 * 1024
MOST_GROWTH_MEGABYTES = 256
WHOLE = b"\r\n0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Stalled:
    readers: int
    # Refused with 503, because the maximum number of clients was already reading a whole list.
    refused: int
    growth_megabytes: int
    slowest_answer_seconds: float
    faults: tuple[str, ...]


def stall_readers(
    database_url: str, server: Server, token: str, *, stalled_seconds: float, slowest_seconds: float
) -> Stalled:
    """`stalled_seconds` is three times the server's timeout for readers, so that some start when others are dropped."""
    database = DirectDatabase(database_url)
    try:
        add_claims(database, CLAIMS)
    finally:
        database.close()
    before = peak_megabytes(server)
    with ExitStack() as stack:
        phone = stack.enter_context(start_reading(server.port, token))
        # Its answer has begun before the others ask: only a few lists are read at once, and it must be one of them.
        beginning = phone.recv(1)
        reading = stack.enter_context(ThreadPoolExecutor(1)).submit(_read_steadily, phone, beginning, stalled_seconds)
        readers = [stack.enter_context(start_reading(server.port, token)) for _ in range(READERS)]
        with Bystander(server.url, "/api/claims/all?limit=20", token) as bystander:
            time.sleep(stalled_seconds)
        growth = peak_megabytes(server) - before
        answers = [_read_the_rest(reader) for reader in readers]
        by_phone = reading.result()
    refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    faults = [
        f"A reader who stopped for {stalled_seconds:.0f} s still got all of its {len(answer):,} bytes."
        for answer in answers
        if answer.endswith(WHOLE)
    ]
    if not by_phone.endswith(WHOLE):
        faults.append(f"A slow but steady reader was cut off after {len(by_phone):,} bytes.")
    if len(refused) == READERS:
        faults.append("No reader got as far as a list.")
    if growth > MOST_GROWTH_MEGABYTES:
        faults.append(f"The server grew by {growth} MB.")
    if bystander.slowest_seconds > slowest_seconds:
        faults.append(f"Another request waited {bystander.slowest_seconds:.1f} s.")
    faults += bystander.faults
    return Stalled(READERS, len(refused), growth, bystander.slowest_seconds, tuple(faults))


def start_reading(port: int, token: str) -> socket.socket:
    reader = socket.socket()
    reader.settimeout(30.0)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
    reader.connect(("127.0.0.1", port))
    head = f"GET /api/claims/all HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    reader.sendall(head.encode())
    return reader


def _read_steadily(phone: socket.socket, received: bytes, seconds: float) -> bytes:
    """Reads at the speed of a phone for that time, then the rest at once."""
    started_at = time.monotonic()
    while time.monotonic() - started_at < seconds and (piece := phone.recv(4096)):
        received += piece
        time.sleep(max(0.0, len(received) / PHONE_BYTES_PER_SECOND - (time.monotonic() - started_at)))
    return received + _read_the_rest(phone)


def _read_the_rest(reader: socket.socket) -> bytes:
    received = b""
    try:
        while piece := reader.recv(65536):
            received += piece
    except OSError:
        pass
    return received
