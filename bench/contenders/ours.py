"""Countinghouse itself, used only through its command and its URLs."""

import json
import re
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from bench.contenders.contender import Surroundings, free_port, ids_in_array
from bench.desks import COMMAND, PASSWORD, USERNAME, Desk, environment_of_command
from bench.processes import Running, running
from bench.tasks import PAGE, DeepPage, Move, NewestPage, Push, SearchedPage, StatusPage, Task, WholeList
from bench.wire import Call, ask_once

JSON = ("Content-Type", "application/json")


class Ours:
    def __init__(self, name: str = "Countinghouse") -> None:
        self.name = name

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        with serving(surroundings.desk, surroundings.folder) as server:
            self._port, self._bearer = server.port, surroundings.bearer
            self._desk, self._folder = surroundings.desk, surroundings.folder
            yield server

    def call_for(self, task: Task) -> Call:
        match task:
            case NewestPage():
                return self._list(limit=PAGE)
            case StatusPage(status):
                return self._list(limit=PAGE, status=status)
            case SearchedPage(text, None):
                return self._list(limit=PAGE, q=text)
            case SearchedPage(text, status):
                return self._list(limit=PAGE, q=text, status=status)
            case DeepPage():
                return self._page_after(task.skip)
            case WholeList():
                return self._list()
            case Move(claim_id):
                return call_to_accept(claim_id, self._bearer)
            case Push(number, body):
                return push("claims", self._key, f"bench-{number}", body)

    @cached_property
    def _key(self) -> str:
        return add_key(self._desk, self._folder)

    def ids_in(self, body: bytes) -> list[str]:
        return ids_in_array(body)

    def _list(self, **query: str | int | None) -> Call:
        target = "/api/claims/all" + (f"?{urlencode(query)}" if query else "")
        return Call(target, headers=(self._bearer,))

    def _page_after(self, skip: int) -> Call:
        """Uses the cursor from the row before the page, as a reader who paged that far would have it."""
        link = ask_once(self._port, self._list(limit=1, skip=skip - 1)).headers["link"]
        found = re.search(r"cursor=([^&>]+)", link)
        if found is None:
            raise RuntimeError(f"There is no cursor in {urlsplit(link).path}")
        return Call(f"/api/claims/all?limit={PAGE}&cursor={found[1]}", headers=(self._bearer,))


def add_key(desk: Desk, folder: Path) -> str:
    """An API key of the service whose rows are pushed."""
    scopes = [word for scope in ("users:write", "purchases:write", "claims:write") for word in ("--scope", scope)]
    command = [COMMAND, "key", "add", f"bench {secrets.token_hex(4)}", *scopes]
    added = subprocess.run(
        command, env=environment_of_command(desk.url, folder), cwd=folder, check=True, capture_output=True, text=True
    )
    return added.stdout.splitlines()[-1]


def call_to_accept(claim_id: str, bearer: tuple[str, str]) -> Call:
    """As the web app sends it: every move has a key of its own."""
    body = json.dumps({"status": "Accepted"}).encode()
    key = ("Idempotency-Key", f"bench-{claim_id}")
    return Call(f"/api/claims/{claim_id}/status", "PUT", (bearer, JSON, key), body)


def push(noun: str, key: str, idempotency_key: str, body: bytes) -> Call:
    headers = (("Authorization", f"Bearer {key}"), JSON, ("Idempotency-Key", idempotency_key))
    return Call(f"/api/intake/{noun}", "POST", headers, body)


@contextmanager
def serving(desk: Desk, folder: Path, workers: int = 1, **settings: str) -> Iterator[Running]:
    port = free_port()
    command = [COMMAND, "serve", "--port", str(port), "--workers", str(workers)]
    environment = environment_of_command(desk.url, folder) | settings
    with running(command, environment, folder, port, Call("/readyz")) as server:
        yield server


def log_in(desk: Desk, folder: Path) -> str:
    """A token from the normal login: the session that every contender looks up."""
    body = json.dumps({"username": USERNAME, "password": PASSWORD}).encode()
    with serving(desk, folder) as server:
        answer = ask_once(server.port, Call("/api/admin/login", "POST", (JSON,), body))
    token: str = json.loads(answer.body)["token"]
    return token
