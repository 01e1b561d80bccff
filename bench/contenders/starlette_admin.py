"""starlette-admin's list page, with our own sessions as its login."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from bench.contenders.contender import PEERS, Surroundings, free_port
from bench.installing import python_peers
from bench.processes import Running, inherited, running
from bench.tasks import PAGE, DeepPage, Move, NewestPage, Push, SearchedPage, StatusPage, Task, WholeList
from bench.wire import Call


class StarletteAdmin:
    name = "starlette-admin"

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        port = free_port()
        self._bearer = surroundings.bearer
        command = [f"{python_peers()}/uvicorn", "--port", str(port), "--loop=uvloop", "--http=httptools"]
        command += ["--no-access-log", "--log-level=error", f"--app-dir={PEERS / 'python'}", "starlette_admin_desk:app"]
        variables = {
            "DESK_DATABASE_URL": surroundings.desk.url,
            "DESK_SECRET": secrets.token_hex(32),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with running(command, inherited(**variables), surroundings.folder, port, self._list()) as server:
            yield server

    def call_for(self, task: Task) -> Call | None:
        match task:
            case NewestPage():
                return self._list()
            case StatusPage(status):
                return self._list(filter=f"status__eq={status}")
            case SearchedPage(text, None):
                return self._list(q=text)
            case SearchedPage(text, status):
                return self._list(q=text, filter=f"status__eq={status}")
            case DeepPage():
                return self._list(page=str(task.skip // PAGE + 1))
            case WholeList() | Move() | Push():
                return None

    def ids_in(self, body: bytes) -> list[str]:
        found = re.findall(r'<tr[^>]*\bdata-sa-pk="([0-9a-f]{24})"', body.decode())
        return list(dict.fromkeys(found))

    def _list(self, **query: str) -> Call:
        target = "/admin/claim/list" + (f"?{urlencode(query)}" if query else "")
        return Call(target, headers=(self._bearer,))
