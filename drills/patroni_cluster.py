"""Three PostgreSQL servers under Patroni with etcd, and HAProxy in front of them and of the desks, all on loopback."""

import csv
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from tests.postgres_cluster import ROOT, USER, find_programs, owner_of_clusters
from tests.servers import free_port

NODES = 3
# Patroni does not allow less. A killed leader is replaced when its lease has ended.
LEASE_SECONDS = 20
UP_SECONDS = 120.0
# Commits survive the loss of a node, which is what happens here. The machine itself does not crash.
PARAMETERS = {"fsync": "off", "full_page_writes": "on", "wal_log_hints": "on", "max_connections": 150}

# What HAProxy says when it has no desk to ask, or loses one in the middle: an answer that clients know to repeat.
_REFUSAL = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
    '{"code": "no_instance", "message": "No instance answered. Try again."}'
)


@dataclass
class Node:
    name: str
    folder: Path
    port: int
    rest_port: int
    process: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        """As if the machine were gone: Patroni first, so that it does not restart PostgreSQL."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(UP_SECONDS)
        with suppress(FileNotFoundError, ProcessLookupError):
            postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
            children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
            for process in (postmaster, *map(int, children)):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


@dataclass
class PatroniCluster:
    folder: Path
    programs: Path
    owner: pwd.struct_passwd | None
    password: str = field(default_factory=lambda: secrets.token_hex(16))
    etcd_port: int = field(default_factory=free_port)
    primary_port: int = field(default_factory=free_port)
    replica_port: int = field(default_factory=free_port)
    desk_port: int = field(default_factory=free_port)
    nodes: list[Node] = field(default_factory=list)
    others: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def url(self, port: int, database: str = "postgres") -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{port}/{database}"

    def start(self, desk_ports: Sequence[int]) -> None:
        self._give_away()
        self.others.append(
            self._run(
                "etcd",
                f"--data-dir={self.folder}/etcd",
                f"--listen-client-urls=http://127.0.0.1:{self.etcd_port}",
                f"--advertise-client-urls=http://127.0.0.1:{self.etcd_port}",
                f"--listen-peer-urls=http://127.0.0.1:{free_port()}",
                "--unsafe-no-fsync",
                log="etcd",
            )
        )
        for number in range(NODES):
            node = Node(f"node{number}", self.folder / f"node{number}", free_port(), free_port())
            node.folder.mkdir()
            (node.folder / "patroni.json").write_text(json.dumps(self._configuration(node)))
            self.nodes.append(node)
        self._give_away()
        self.start_node(self.nodes[0])
        wait_for(lambda: self.find_leader() is not None, "a first leader")
        for node in self.nodes[1:]:
            self.start_node(node)
        (self.folder / "refusal.http").write_text(_REFUSAL)
        (self.folder / "haproxy.cfg").write_text(self._balancing(desk_ports))
        self._give_away()
        self.others.append(self._run("haproxy", "-db", "-f", f"{self.folder}/haproxy.cfg", log="haproxy"))
        self.wait_until_whole()

    def start_node(self, node: Node) -> None:
        node.process = self._run("patroni", f"{node.folder}/patroni.json", log=node.name)

    def find_leader(self) -> Node | None:
        return next((node for node in self.nodes if self._answers(node, "/primary")), None)

    def wait_until_served(self) -> None:
        """Until HAProxy leads to a primary."""

        def leads_to_primary() -> bool:
            try:
                with psycopg.connect(self.url(self.primary_port), connect_timeout=2) as connection:
                    return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
            except psycopg.OperationalError:
                return False

        wait_for(leads_to_primary, "a primary")

    def wait_until_whole(self) -> None:
        """Until another kill of any node would lose nothing: one leader and one synchronous replica of three."""
        self.wait_until_served()
        wait_for(lambda: self._roles() == ["leader", "replica", "sync_standby"], "a whole cluster")

    def is_balanced_to(self, desk_port: int) -> bool:
        """Whether HAProxy sends requests to this instance."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(f"{self.folder}/haproxy.sock")
            asked.sendall(b"show stat\n")
            found = asked.makefile().read()
        rows = csv.DictReader(found.removeprefix("# ").splitlines())
        return any(row["svname"] == f"desk{desk_port}" and row["status"] == "UP" for row in rows)

    def _roles(self) -> list[str]:
        leader = self.find_leader()
        if leader is None:
            return []
        with suppress(URLError, OSError, ValueError):
            with urlopen(f"http://127.0.0.1:{leader.rest_port}/cluster", timeout=2) as answer:
                members: list[dict[str, Any]] = json.load(answer)["members"]
            return sorted(one["role"] for one in members if one["state"] in ("running", "streaming"))
        return []

    @staticmethod
    def _answers(node: Node, path: str) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{node.rest_port}{path}", timeout=2) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    def _run(self, program: str, *words: str, log: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{log}.log").open("ab") as output:
            return subprocess.Popen(  # noqa: S603 - our own programs
                [f"{self.programs}/{program}", *words],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                user=self.owner.pw_uid if self.owner else None,
                group=self.owner.pw_gid if self.owner else None,
                extra_groups=[] if self.owner else None,
            )

    def _give_away(self) -> None:
        if self.owner:
            for path in (self.folder, *self.folder.glob("*"), *self.folder.glob("node*/*")):
                os.chown(path, self.owner.pw_uid, self.owner.pw_gid, follow_symlinks=False)

    def _configuration(self, node: Node) -> dict[str, Any]:
        dcs = {
            "ttl": LEASE_SECONDS,
            "loop_wait": 1,
            "retry_timeout": 3,
            # An acknowledged change is on two nodes.
            "synchronous_mode": True,
            "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": PARAMETERS},
        }
        every = "127.0.0.1/32 scram-sha-256"
        owner = {"username": USER, "password": self.password}
        return {
            "scope": "desk",
            "name": node.name,
            "restapi": {"listen": f"127.0.0.1:{node.rest_port}", "connect_address": f"127.0.0.1:{node.rest_port}"},
            "etcd3": {"host": f"127.0.0.1:{self.etcd_port}"},
            "bootstrap": {"dcs": dcs, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "no-sync"]},
            "postgresql": {
                "listen": f"127.0.0.1:{node.port}",
                "connect_address": f"127.0.0.1:{node.port}",
                "data_dir": f"{node.folder}/data",
                "bin_dir": str(find_programs()),
                "pgpass": f"{node.folder}/pgpass",
                "pg_hba": [f"host all all {every}", f"host replication all {every}"],
                "authentication": {
                    "superuser": owner,
                    "rewind": owner,
                    "replication": {"username": "replicator", "password": self.password},
                },
                "parameters": {"unix_socket_directories": str(node.folder), "hot_standby_feedback": "on"},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }

    def _balancing(self, desk_ports: Sequence[int]) -> str:
        """Also the example of docs/scale.md."""
        check = "check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions"
        nodes = {"primary": self.primary_port, "replica": self.replica_port}
        lines = ["global", f"  stats socket {self.folder}/haproxy.sock"]
        lines += ["defaults", "  timeout connect 2s", "  timeout client 1h", "  timeout server 1h"]
        for role, port in nodes.items():
            lines += [f"listen {role}", f"  bind 127.0.0.1:{port}", "  mode tcp", f"  option httpchk OPTIONS /{role}"]
            lines += [
                f"  server {node.name} 127.0.0.1:{node.port} {check} port {node.rest_port}" for node in self.nodes
            ]
        lines += ["listen desk", f"  bind 127.0.0.1:{self.desk_port}", "  mode http", "  option httpchk GET /readyz"]
        # A read that was lost with its instance is asked again of the other one; a change is not.
        lines += ["  option redispatch", "  retries 3", "  retry-on conn-failure empty-response"]
        lines += ["  http-request disable-l7-retry if !METH_GET"]
        lines += [f"  errorfile {code} {self.folder}/refusal.http" for code in (502, 503, 504)]
        lines += [f"  server desk{port} 127.0.0.1:{port} check inter 500ms fall 2 rise 1" for port in desk_ports]
        return "\n".join(lines) + "\n"

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
        for process in self.others:
            process.kill()
            process.wait(UP_SECONDS)


def wait_for(is_so: Callable[[], bool], what: str) -> None:
    give_up_at = time.monotonic() + UP_SECONDS
    while not is_so():
        if time.monotonic() > give_up_at:
            raise RuntimeError(f"there was no {what.removeprefix('a ')} within {UP_SECONDS:g} seconds")
        time.sleep(0.1)


@contextmanager
def patroni_cluster(desk_ports: Sequence[int]) -> Iterator[PatroniCluster]:
    ensure = [f"{ROOT}/scripts/ensure_patroni"]
    found = subprocess.run(ensure, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our own script
    with tempfile.TemporaryDirectory(prefix="countinghouse-patroni-", ignore_cleanup_errors=True) as made_in:
        folder = Path(made_in)
        # Copied, because PostgreSQL's user may not be allowed to read the checkout.
        shutil.copytree(Path(found.strip()).parent, folder / "programs", symlinks=True)
        cluster = PatroniCluster(folder, folder / "programs" / "programs", owner_of_clusters())
        folder.chmod(0o755)
        try:
            cluster.start(desk_ports)
            yield cluster
        except Exception:
            for log in folder.glob("*.log"):
                print(log.name, *log.read_text(errors="replace").splitlines()[-15:], sep="\n  ", flush=True)
            raise
        finally:
            cluster.stop()
