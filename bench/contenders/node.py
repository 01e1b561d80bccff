"""Express and Fastify, each with node-postgres, using the same statements."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from bench.contenders.contender import Surroundings, free_port, ids_in_array
from bench.installing import node_peers
from bench.processes import Running, inherited, running
from bench.tasks import PAGE, DeepPage, Move, NewestPage, Push, SearchedPage, StatusPage, Task, WholeList
from bench.wire import Call


class NodePeer:
    def __init__(self, name: str, program: str) -> None:
        self.name = name
        self._program = program

    @contextmanager
    def serve(self, surroundings: Surroundings) -> Iterator[Running]:
        desk = surroundings.desk
        if desk.postgres is None:
            raise ValueError("node-postgres needs PostgreSQL")
        folder = node_peers("node")
        port = free_port()
        self._bearer = surroundings.bearer
        variables = desk.postgres.environment(desk.name) | {"NODE_ENV": "production", "PORT": str(port)}
        ready = self._list(limit=PAGE)
        command = ["node", str(folder / self._program)]
        with running(command, inherited(**variables), surroundings.folder, port, ready) as server:
            yield server

    def call_for(self, task: Task) -> Call | None:
        match task:
            case NewestPage():
                return self._list(limit=PAGE)
            case StatusPage(status):
                return self._list(limit=PAGE, status=status)
            case SearchedPage(_, None):
                return None
            case SearchedPage(text, status):
                return self._list(limit=PAGE, q=text, status=status)
            case DeepPage():
                return self._list(limit=PAGE, before=f"{task.created_at}~{task.claim_id}")
            case WholeList():
                return self._list()
            case Move(claim_id):
                body = json.dumps({"status": "Accepted"}).encode()
                headers = (self._bearer, ("Content-Type", "application/json"))
                return Call(f"/claims/{claim_id}/status", "PUT", headers, body)
            case Push(number, body):
                key = ("Idempotency-Key", f"bench-{number}")
                sent = (self._bearer, ("Content-Type", "application/json"), key)
                return Call("/claims/intake", "POST", sent, body)

    def ids_in(self, body: bytes) -> list[str]:
        return ids_in_array(body)

    def _list(self, **query: str | int | None) -> Call:
        return Call("/claims" + (f"?{urlencode(query)}" if query else ""), headers=(self._bearer,))


class Express(NodePeer):
    def __init__(self) -> None:
        super().__init__("Express + pg", "express.mjs")


class Fastify(NodePeer):
    def __init__(self) -> None:
        super().__init__("Fastify + pg", "fastify.mjs")
