"""Many hostile and genuine pictures at once: other calls are still answered, and memory does not grow."""

import asyncio
import io
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import segno
from PIL import Image

from drills.rows import add_signed_in_admins
from tests.direct_database import DirectDatabase

MOST_GROWTH_MEGABYTES = 256
SENDERS = 10


@dataclass(frozen=True, slots=True)
class Flood:
    answers: Counter[int]
    slowest_seconds: float
    growth_megabytes: float
    faults: tuple[str, ...]


def flood(database_url: str, url: str, pid: int, *, pictures: int, seconds: float, slowest_seconds: float) -> Flood:
    """The server already runs on this database, as process `pid`."""
    database = DirectDatabase(database_url)
    try:
        tokens = add_signed_in_admins(database, SENDERS + 1)
    finally:
        database.close()
    before = memory_of(pid)
    answers, waits, peak = asyncio.run(_run(url, pid, tokens, pictures, seconds))
    growth, slowest = (peak - before) / 1024, max(waits)
    faults = []
    if not answers[200]:
        faults.append("No picture was read at all.")
    if unexpected := set(answers) - {200, 422, 503}:
        faults.append(f"Pictures were answered with {sorted(unexpected)}.")
    if slowest > slowest_seconds:
        faults.append(f"Another call took {slowest:.1f} s.")
    if growth > MOST_GROWTH_MEGABYTES:
        faults.append(f"Memory grew by {growth:.0f} MB.")
    return Flood(answers, slowest, growth, tuple(faults))


async def _run(
    url: str, pid: int, tokens: list[str], pictures: int, seconds: float
) -> tuple[Counter[int], list[float], int]:
    hostile, honest = tiled_with_corners(), honest_code()
    ends_at = time.monotonic() + seconds
    answers: Counter[int] = Counter()
    waits, peak, is_over = [0.0], memory_of(pid), False

    async def send(number: int) -> None:
        picture = honest if number % 5 == 0 else hostile
        while True:
            answers[await post_picture(url, tokens[number % SENDERS], picture)] += 1
            if time.monotonic() >= ends_at:
                return
            await asyncio.sleep(0.2)

    async def watch() -> None:
        nonlocal peak
        while not is_over:
            for path in ("/api/qr", "/api/claims/all?limit=50", "/healthz"):
                began = time.monotonic()
                status = await _get(url, tokens[-1], path)
                assert status == 200, f"{path} answered {status}"
                waits.append(time.monotonic() - began)
            peak = max(peak, memory_of(pid))
            await asyncio.sleep(0.05)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(send(number) for number in range(pictures)))
    is_over = True
    await watching
    return answers, waits, peak


def memory_of(pid: int) -> int:
    """The memory of the server and its picture worker together, in kilobytes."""
    # A child process is listed under the thread that started it.
    threads = Path(f"/proc/{pid}/task").iterdir()
    children = [child for thread in threads for child in _read_if_there(thread / "children").split()]
    lines = [
        line for each in (str(pid), *children) for line in _read_if_there(Path(f"/proc/{each}/status")).splitlines()
    ]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _read_if_there(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def tiled_with_corners(side: int = 1200) -> bytes:
    """A few kilobytes that keep a reader busy for seconds: it tries every three finder patterns as a code."""
    corner = Image.new("L", (9, 9), 255)
    corner.paste(0, (1, 1, 8, 8))
    corner.paste(255, (2, 2, 7, 7))
    corner.paste(0, (3, 3, 6, 6))
    picture = Image.new("L", (side, side), 255)
    rng = Random(7)  # noqa: S311 - reproducible, and not used for security
    for y in range(0, side - 12, 12):
        for x in range(0, side - 12, 12):
            if rng.random() < 0.8:
                picture.paste(corner, (x, y))
    return _png(picture)


def honest_code() -> bytes:
    out = io.BytesIO()
    segno.make_qr("upi://pay?pa=desk1@okbank&pn=Desk").save(out, kind="png", scale=8)
    return out.getvalue()


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


async def post_picture(url: str, token: str, picture: bytes) -> int:
    edge = b"edge-of-the-form"
    body = b'--%b\r\nContent-Disposition: form-data; name="qrImage"; filename="a.png"\r\n\r\n' % edge
    body += picture + b"\r\n--%b--\r\n" % edge
    kind = f"Content-Type: multipart/form-data; boundary={edge.decode()}\r\n"
    return await _ask(url, f"POST /api/qr/read HTTP/1.1\r\n{kind}", token, body)


async def _get(url: str, token: str, path: str) -> int:
    return await _ask(url, f"GET {path} HTTP/1.1\r\n", token, b"")


async def _ask(url: str, head: str, token: str, body: bytes) -> int:
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    lines = f"Host: {place.netloc}\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n"
    writer.write(f"{head}{lines}Connection: close\r\n\r\n".encode() + body)
    try:
        answer = await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()
    # 0 if the connection was closed without an answer.
    return int(answer.split(b" ", 2)[1]) if answer else 0
