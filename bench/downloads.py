"""Reads a long answer as it arrives, at full speed or at the pace of a slow reader."""

import time
from dataclasses import dataclass

from bench.wire import Call, Connection, RefusedCall

SLOW_BYTES_A_SECOND = 4_000_000
SLOW_RECEIVE_BUFFER = 1 << 16


@dataclass(frozen=True)
class Download:
    megabytes: float
    first_byte_ms: float
    seconds: float


def download(port: int, call: Call, is_slow: bool = False) -> Download:
    with Connection(port, SLOW_RECEIVE_BUFFER if is_slow else None) as connection:
        began = time.perf_counter()
        connection.send(call)
        status, headers = connection.read_head()
        size, first_at, pieces = 0, 0.0, connection.read_body(headers)
        for piece in pieces:
            first_at = first_at or time.perf_counter()
            size += len(piece)
            if is_slow:
                ahead = size / SLOW_BYTES_A_SECOND - (time.perf_counter() - first_at)
                time.sleep(max(0.0, ahead))
        if status != 200:
            raise RefusedCall(f"{call.target}: {status}")
        ended = time.perf_counter()
    return Download(size / 1e6, (first_at - began) * 1e3, ended - began)
