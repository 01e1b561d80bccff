"""Django REST framework and the Django admin's changelist, over unmanaged models of our tables."""

import json
import re
import secrets
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from bench.contenders.contender import PEERS, Surroundings, free_port, ids_in_array
from bench.installing import python_peers
from bench.processes import Running, inherited, running
from bench.tasks import PAGE, DeepPage, Move, NewestPage, Push, SearchedPage, StatusPage, Task, WholeList
from bench.wire import Call

# One process, like every contender, and as many threads as the client has connections.
GUNICORN = ("--workers=1", "--worker-class=gthread", "--threads=4", "--keep-alive=75", "--log-level=error")


@contextmanager
def _gunicorn(surroundings: Surroundings, variables: dict[str, str], ready: Call) -> Iterator[Running]:
    port = free_port()
    programs = python_peers()
    command = [f"{programs}/gunicorn", *GUNICORN, f"--bind=127.0.0.1:{port}", f"--chdir={PEERS / 'python'}"]
    command.append("django_desk.wsgi")
    with running(command, inherited(**variables), surroundings.folder, port, ready) as server:
        yield server


def _variables(surroundings: Surroundings, part: str, count: str) -> dict[str, str]:
    return {
        "DESK_PART": part,
        "DESK_COUNT": count,
        "DESK_SECRET": secrets.token_hex(32),
        "DESK_DATABASE_URL": surroundings.desk.url,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class RestFramework:
    name = "Django REST framework"

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        self._bearer = surroundings.bearer
        variables = _variables(surroundings, "rest", "none")
        with _gunicorn(surroundings, variables, self._list()) as server:
            yield server

    def call_for(self, task: Task) -> Call:
        match task:
            case NewestPage():
                return self._list()
            case StatusPage(status):
                return self._list(status=status)
            case SearchedPage(text, None):
                return self._list(search=text)
            case SearchedPage(text, status):
                return self._list(search=text, status=status)
            case DeepPage():
                # Its cursor contains the first ordering column's value of the row before the page.
                position = urlencode({"p": task.created_at.replace("T", " ").replace("Z", "+00:00")})
                return self._list(cursor=b64encode(position.encode()).decode())
            case WholeList():
                return Call("/claims/whole", headers=(self._bearer,))
            case Move(claim_id):
                body = json.dumps({"status": "Accepted"}).encode()
                headers = (self._bearer, ("Content-Type", "application/json"))
                return Call(f"/claims/{claim_id}/status", "PUT", headers, body)
            case Push(number, body):
                key = ("Idempotency-Key", f"bench-{number}")
                sent = (self._bearer, ("Content-Type", "application/json"), key)
                return Call("/claims/intake", "POST", sent, body)

    def ids_in(self, body: bytes) -> list[str]:
        answer = json.loads(body)
        return ids_in_array(body) if isinstance(answer, list) else [row["_id"] for row in answer["results"]]

    def _list(self, **query: str | None) -> Call:
        return Call("/claims" + (f"?{urlencode(query)}" if query else ""), headers=(self._bearer,))


class Changelist:
    """Has its own login, in its own tables beside ours, because that is how its pages are protected."""

    def __init__(self, name: str, count: str) -> None:
        self.name = name
        self._count = count

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        variables = _variables(surroundings, "admin", self._count)
        opened = subprocess.run(
            [f"{python_peers()}/python", "-m", "django_desk.open_session"],
            cwd=PEERS / "python",
            env=inherited(**variables),
            check=True,
            capture_output=True,
            text=True,
        )
        self._cookie = ("Cookie", f"sessionid={opened.stdout}")
        with _gunicorn(surroundings, variables, self._list()) as server:
            yield server

    def call_for(self, task: Task) -> Call | None:
        match task:
            case NewestPage():
                return self._list()
            case StatusPage(status):
                return self._list(status__exact=status)
            case SearchedPage(text, None):
                return self._list(q=text)
            case SearchedPage(text, status):
                return self._list(q=text, status__exact=status)
            case DeepPage():
                return self._list(p=str(task.skip // PAGE + 1))
            case WholeList() | Move() | Push():
                return None

    def ids_in(self, body: bytes) -> list[str]:
        return re.findall(r'name="_selected_action" value="([0-9a-f]{24})"', body.decode())

    def _list(self, **query: str | None) -> Call:
        target = "/admin/django_desk/claim/" + (f"?{urlencode(query)}" if query else "")
        return Call(target, headers=(self._cookie,))


class CountingChangelist(Changelist):
    def __init__(self) -> None:
        super().__init__("Django admin", "full")


class UncountedChangelist(Changelist):
    def __init__(self) -> None:
        super().__init__("Django admin, no full count", "none")
