"""An import is being planned while its server is killed: the job keeps no port, ends, and leaves no files."""

import os
import signal
import socket
import tempfile
import time
from pathlib import Path

import pytest
from httpx2 import Client

from countinghouse.importing.folders import job_folder, remove_left_folders
from countinghouse.importing.shapes import PART_BYTES
from tests.databases import Template
from tests.engines import on_one_engine
from tests.servers import Server, started_server
from tests.waiting import eventually

# Enough rows that the job is still at work when the test has found it.
CONTENT = b"id,name,phone,date\n" + b"".join(b"u%06d,Om Rao,9805756092,2026-01-05\n" % row for row in range(100_000))


def _start_a_plan(server: Server, token: str) -> None:
    with Client(base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as desk:
        files = [{"name": "users.csv", "size": len(CONTENT)}]
        import_id = desk.post("/api/imports", json={"files": files}).json()["_id"]
        for number, at in enumerate(range(0, len(CONTENT), PART_BYTES)):
            part = CONTENT[at : at + PART_BYTES]
            assert desk.put(f"/api/imports/parts?import={import_id}&number={number}", content=part).status_code == 204
        assert desk.post(f"/api/imports/{import_id}/plan", json={}).status_code == 202


def _descendants_of(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [each for child in children for each in (int(child), *_descendants_of(int(child)))]


def _is_job(process: int) -> bool:
    return b"countinghouse.importing.job" in Path(f"/proc/{process}/cmdline").read_bytes()


def _is_gone(process: int) -> bool:
    """True also for a zombie that its new parent has not reaped yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _folders_in(place: Path) -> list[Path]:
    return list(place.glob("countinghouse-import-*"))


def _find_job(server: Server, place: Path) -> int:
    """Once it has the files."""
    eventually(lambda: any((folder / "files" / "users.csv").exists() for folder in _folders_in(place)))
    (job,) = filter(_is_job, _descendants_of(server.process.pid))
    return job


def _can_listen(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen()
        except OSError:
            return False
    return True


@on_one_engine
@pytest.mark.parametrize("workers", [1, 2])
def test_a_job_keeps_no_port_and_ends_when_its_server_is_killed(
    database_url: str, template: Template, tmp_path: Path, workers: int
) -> None:
    with started_server(database_url, "--workers", str(workers), TMPDIR=str(tmp_path)) as server:
        _start_a_plan(server, template.tokens["asha"])
        job = _find_job(server, tmp_path)
        os.kill(job, signal.SIGSTOP)
        try:
            serving = [each for each in _descendants_of(server.process.pid) if each != job]
            for process in (server.process.pid, *serving):
                os.kill(process, signal.SIGKILL)
            eventually(lambda: all(_is_gone(process) for process in serving))
            server.process.wait(5)
            # The threads of a killed process hold its sockets a moment longer.
            eventually(lambda: _can_listen(server.port))
        finally:
            os.kill(job, signal.SIGCONT)
        eventually(lambda: _is_gone(job))
        assert _folders_in(tmp_path) == []


@on_one_engine
def test_a_server_that_stops_takes_its_job_and_the_files_with_it(
    database_url: str, template: Template, tmp_path: Path
) -> None:
    with started_server(database_url, TMPDIR=str(tmp_path)) as server:
        _start_a_plan(server, template.tokens["asha"])
        job = _find_job(server, tmp_path)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(15)
        assert _is_gone(job)
        assert _folders_in(tmp_path) == []


def _left_folder(place: Path, name: str, seconds_ago: float = 0) -> Path:
    folder = place / name
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "users.csv").touch()
    os.utime(folder, (time.time() - seconds_ago,) * 2)
    return folder


def test_folders_of_jobs_that_have_ended_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    day = 24 * 3600
    _left_folder(tmp_path, "countinghouse-import-job-killed")
    _left_folder(tmp_path, "countinghouse-import-of-an-earlier-version", 2 * day)
    kept = [
        _left_folder(tmp_path, "countinghouse-import-of-a-running-earlier-version", day / 2),
        _left_folder(tmp_path, "of-another-program", 2 * day),
    ]
    elsewhere = _left_folder(tmp_path / "elsewhere", "files-of-somebody")
    linked = tmp_path / "countinghouse-import-job-link"
    linked.symlink_to(elsewhere)
    with job_folder() as running:
        remove_left_folders()
        assert set(tmp_path.iterdir()) == {*kept, running, elsewhere.parent, linked}
        assert (elsewhere / "files" / "users.csv").exists()
    assert not running.exists()
