"""Directus over our tables: its own login and tables beside them, relations found by the foreign keys."""

import json
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.contenders.contender import Surroundings, free_port
from bench.installing import FOLDER, NotInstalled, node_peers
from bench.processes import Running, inherited, running
from bench.tasks import PAGE, DeepPage, Move, NewestPage, Push, SearchedPage, StatusPage, Task, WholeList
from bench.wire import Call, ask_once

EMAIL = "bench@example.com"
JSON = ("Content-Type", "application/json")
FIELDS = (
    "id,created_at,user_id.username,user_id.mobile,purchase_id.invest_paise,amount_paise,account_no,ifsc,address,status"
)
SEARCHED = (("user_id", "username"), ("user_id", "mobile"), ("account_no",), ("ifsc",))
BOOTSTRAP_SECONDS = 300


class Directus:
    name = "Directus"

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        program = ["node", str(node_peers("directus", "isolated-vm") / "node_modules" / "directus" / "cli.js")]
        port = free_port()
        password = _stored_password(surroundings.folder)
        variables = inherited(**_settings(surroundings, port, password))
        bootstrapped = subprocess.run(
            [*program, "bootstrap"],
            cwd=surroundings.folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=BOOTSTRAP_SECONDS,
            check=False,
        )
        if bootstrapped.returncode != 0:
            # Results are published, without the folders of the machine.
            said = (bootstrapped.stderr or bootstrapped.stdout).replace(f"{FOLDER}/", "")
            raise NotInstalled(f"its bootstrap failed: {said[-300:]}")
        with running([*program, "start"], variables, surroundings.folder, port, Call("/server/ping")) as server:
            self._bearer = _open_session(port, password)
            yield server

    def call_for(self, task: Task) -> Call | None:
        match task:
            case NewestPage():
                return self._list()
            case StatusPage(status):
                return self._list(filter={"status": {"_eq": status}})
            case SearchedPage(text, None):
                return self._list(filter=_contains(text))
            case SearchedPage(text, status):
                return self._list(filter={"_and": [{"status": {"_eq": status}}, _contains(text)]})
            case DeepPage():
                return self._list(offset=task.skip)
            case WholeList() | Move() | Push():
                return None

    def ids_in(self, body: bytes) -> list[str]:
        return [row["id"] for row in json.loads(body)["data"]]

    def _list(self, **query: Any) -> Call:
        written = {name: value if isinstance(value, int) else json.dumps(value) for name, value in query.items()}
        asked = {"limit": PAGE, "sort": "-created_at,-id", "fields": FIELDS, **written}
        return Call(f"/items/claims?{urlencode(asked)}", headers=(self._bearer,))


def _contains(text: str) -> dict[str, Any]:
    choices: list[dict[str, Any]] = []
    for path in SEARCHED:
        condition: dict[str, Any] = {"_icontains": text}
        for name in reversed(path):
            condition = {name: condition}
        choices.append(condition)
    return {"_or": choices}


def _stored_password(folder: Path) -> str:
    """It is written into the database once, and the next run needs it again."""
    password_file = folder / "directus-password"
    if not password_file.exists():
        password_file.touch(mode=0o600)
        password_file.write_text(secrets.token_urlsafe(24))
    return password_file.read_text()


def _open_session(port: int, password: str) -> tuple[str, str]:
    """A static token, which Directus looks up in its database as our server does with its own."""
    body = json.dumps({"email": EMAIL, "password": password}).encode()
    access: str = json.loads(ask_once(port, Call("/auth/login", "POST", (JSON,), body)).body)["data"]["access_token"]
    token = secrets.token_urlsafe(32)
    change = json.dumps({"token": token}).encode()
    ask_once(port, Call("/users/me", "PATCH", (JSON, ("Authorization", f"Bearer {access}")), change))
    return ("Authorization", f"Bearer {token}")


def _settings(surroundings: Surroundings, port: int, password: str) -> dict[str, str]:
    desk = surroundings.desk
    if desk.postgres is None:
        raise ValueError("Directus is measured on PostgreSQL")
    database = desk.postgres.environment(desk.name)
    return {
        "NODE_ENV": "production",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "SECRET": secrets.token_hex(32),
        "ADMIN_EMAIL": EMAIL,
        "ADMIN_PASSWORD": password,
        "DB_CLIENT": "pg",
        "DB_HOST": database["PGHOST"],
        "DB_PORT": database["PGPORT"],
        "DB_USER": database["PGUSER"],
        "DB_PASSWORD": database["PGPASSWORD"],
        "DB_DATABASE": database["PGDATABASE"],
        "LOG_LEVEL": "error",
        "TELEMETRY": "false",
        "STORAGE_LOCAL_ROOT": str(surroundings.folder / "directus-uploads"),
        "EXTENSIONS_PATH": str(surroundings.folder / "directus-extensions"),
        # Its schema cache is on by default; the response cache is off, as for every contender.
        "CACHE_ENABLED": "false",
    }
