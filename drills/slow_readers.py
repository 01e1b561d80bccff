"""Claims are moved while clients read a long list slowly: SQLite's log stays small, and others are served."""

import itertools
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2

from drills.bystander import Bystander
from drills.rows import add_claims
from drills.stalled_readers import start_reading
from tests.direct_database import DirectDatabase
from tests.servers import Server

READERS = 3
PIECE_BYTES, PIECES_A_SECOND = 4096, 10
MOST_LOG_MEGABYTES = 64


@dataclass(frozen=True, slots=True)
class Slow:
    moves: int
    first_byte_seconds: float
    # 0 on PostgreSQL.
    log_megabytes: float
    slowest_answer_seconds: float
    faults: tuple[str, ...]


def read_slowly(
    database_url: str, server: Server, token: str, *, claims: int, seconds: float, slowest_seconds: float
) -> Slow:
    database = DirectDatabase(database_url)
    try:
        ids = add_claims(database, claims)
        log = Path(f"{database.file}-wal") if database.file is not None else None
    finally:
        database.close()
    moves, peak, first_byte, faults = 0, 0.0, 0.0, list[str]()
    headers = {"Authorization": f"Bearer {token}"}
    with ExitStack() as stack:
        readers = [stack.enter_context(start_reading(server.port, token)) for _ in range(READERS)]
        for reader in readers:
            began = time.monotonic()
            reader.recv(1)
            first_byte = max(first_byte, time.monotonic() - began)
        client = stack.enter_context(httpx2.Client(base_url=server.url, headers=headers, timeout=30))
        with Bystander(server.url, "/api/claims/all?limit=20", token) as bystander:
            ends_at, next_piece = time.monotonic() + seconds, 0.0
            for claim_id in itertools.islice(ids, claims):
                if time.monotonic() > ends_at:
                    break
                if time.monotonic() > next_piece:
                    next_piece = time.monotonic() + 1 / PIECES_A_SECOND
                    for reader in readers:
                        reader.recv(PIECE_BYTES)
                answer = client.put(f"/api/claims/{claim_id}/status", json={"status": "Accepted"})
                moves += answer.status_code == 200
                if answer.status_code != 200:
                    faults.append(f"A move was answered with {answer.status_code}.")
                if log is not None and log.exists():
                    peak = max(peak, log.stat().st_size / 1e6)
    if peak > MOST_LOG_MEGABYTES:
        faults.append(f"The write-ahead log grew to {peak:.0f} MB.")
    if bystander.slowest_seconds > slowest_seconds:
        faults.append(f"Another request waited {bystander.slowest_seconds:.1f} s.")
    return Slow(moves, first_byte, peak, bystander.slowest_seconds, (*faults, *bystander.faults))
