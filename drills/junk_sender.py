"""Sends one request again and again over many connections, in a process of its own: it must not delay the others.

python -m drills.junk_sender PORT CONNECTIONS SECONDS     reads the request, and writes how often it got which status
"""

import asyncio
import json
import sys
import time
from collections import Counter
from contextlib import suppress

OPEN = b"open\n"


async def flood(port: int, request: bytes, connections: int, ends_at: float) -> Counter[int]:
    answers: Counter[int] = Counter()

    async def send() -> None:
        while time.monotonic() < ends_at:
            # A refused body may close the connection, also while it is being sent.
            with suppress(OSError, EOFError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    while time.monotonic() < ends_at:
                        writer.write(request)
                        answers[await _read_status(reader)] += 1
                finally:
                    writer.close()

    await asyncio.gather(*(send() for _ in range(connections)))
    return answers


async def _read_status(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.partition(b":")[2]))
    return int(head.split()[1])


def main(port: int, connections: int, seconds: float) -> None:
    request = sys.stdin.buffer.read()
    sys.stdout.buffer.write(OPEN)
    sys.stdout.buffer.flush()
    counted = asyncio.run(flood(port, request, connections, time.monotonic() + seconds))
    sys.stdout.write(json.dumps(counted))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
