"""Pictures are decoded in a separate process: one that is slow, large or crashes it does not harm the server."""

import asyncio
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from countinghouse.core.errors import Busy, InvalidInput
from countinghouse.qr.picture_client import MOST_WAITING_PER_CALLER, Pictures, PictureWorker
from tests.pictures import qr_png

SECONDS = 20.0
TEXT = "upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR"

# A server with a running worker; the test kills the server.
PARENT = """
import sys, time
from countinghouse.qr.picture_client import PictureWorker
worker = PictureWorker()
worker.draw("hello")
print(worker._process.pid, flush=True)
time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def process_of(worker: PictureWorker) -> int:
    assert worker._process is not None
    return worker._process.pid


def test_a_picture_that_exceeds_the_deadline_is_refused_and_the_next_one_is_read() -> None:
    with PictureWorker(seconds=0.01) as worker:
        with pytest.raises(InvalidInput, match="takes too long"):
            worker.take(qr_png())
        worker._seconds = SECONDS
        assert worker.take(qr_png())[1].texts == {TEXT}


def test_a_killed_worker_is_restarted_for_the_next_picture() -> None:
    with PictureWorker() as worker:
        worker.draw("hello")
        os.kill(process_of(worker), 9)
        deadline = time.monotonic() + SECONDS
        while is_alive(process_of(worker)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert worker.read(qr_png()).texts == {TEXT}


def test_the_largest_picture_stays_within_the_workers_memory_limit() -> None:
    photo = Image.new("RGB", (4096, 3072), "white")
    photo.paste(Image.open(io.BytesIO(qr_png(scale=30))).convert("RGB"), (500, 500))
    out = io.BytesIO()
    photo.save(out, "JPEG", progressive=True)
    with PictureWorker(seconds=60) as worker:
        assert worker.take(out.getvalue())[1].texts == {TEXT}
        peak = next(
            int(line.split()[1])
            for line in Path(f"/proc/{process_of(worker)}/status").read_text().splitlines()
            if line.startswith("VmHWM")
        )
    assert peak < 256 * 1024


def test_a_worker_exits_when_its_server_is_killed() -> None:
    server = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    pid = int(server.stdout.readline())
    assert is_alive(pid)
    server.kill()
    server.wait()
    server.stdout.close()
    deadline = time.monotonic() + SECONDS
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(pid)


def test_the_number_of_waiting_pictures_per_caller_is_limited() -> None:
    async def flood(pictures: Pictures) -> list[object]:
        async def one() -> object:
            return await pictures.run("asha", lambda worker: worker.read(qr_png()))

        return list(await asyncio.gather(*(one() for _ in range(10)), return_exceptions=True))

    pictures = Pictures()
    answers = asyncio.run(flood(pictures))
    pictures.close()
    refused = [answer for answer in answers if isinstance(answer, Busy)]
    assert len(answers) - len(refused) == 1 + MOST_WAITING_PER_CALLER
    assert not [answer for answer in answers if isinstance(answer, BaseException) and not isinstance(answer, Busy)]
