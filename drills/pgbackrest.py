"""pgBackRest as docs/operating.md sets it up: back to a moment before an accident, and after the loss of the disk."""

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from countinghouse.settings import Settings
from tests.cli.command import countinghouse
from tests.databases import Place, Template, desk_template, migrated_template
from tests.desk import Desk
from tests.postgres_cluster import USER, Cluster
from tests.postgres_server import running_cluster

SETTINGS = {"wal_level": "replica", "archive_mode": "on", "archive_timeout": "60", "max_connections": "50"}
UP_SECONDS = 60.0
CLAIMS = 200


@dataclass
class _Protected:
    """A desk on a PostgreSQL whose write-ahead log is archived."""

    cluster: Cluster
    program: str
    url: str
    template: Template

    @property
    def data(self) -> Path:
        return self.cluster.directory / "data"

    def configure(self) -> None:
        for name in ("repository", "log", "lock"):
            folder = self.cluster.directory / f"pgbackrest-{name}"
            folder.mkdir()
            if self.cluster.owner:
                os.chown(folder, self.cluster.owner.pw_uid, self.cluster.owner.pw_gid)
        self._write_configuration()
        command = f"{self.program} --config={self._configuration} --stanza=desk archive-push %p"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET archive_command = '{command}'".encode())
            connection.execute("SELECT pg_reload_conf()")
        self.run("stanza-create")

    @property
    def _configuration(self) -> Path:
        return self.cluster.directory / "pgbackrest.conf"

    def _write_configuration(self) -> None:
        folder = self.cluster.directory
        lines = [
            "[global]",
            f"repo1-path={folder}/pgbackrest-repository",
            "repo1-retention-full=2",
            f"log-path={folder}/pgbackrest-log",
            f"lock-path={folder}/pgbackrest-lock",
            "start-fast=y",
            "[desk]",
            f"pg1-path={self.data}",
            f"pg1-port={urlsplit(self.url).port}",
            f"pg1-socket-path={folder}",
            f"pg1-user={USER}",
        ]
        self._configuration.write_text("\n".join(lines) + "\n")

    def run(self, *words: str) -> None:
        owner = self.cluster.owner
        subprocess.run(  # noqa: S603 - the program that was found
            [self.program, f"--config={self._configuration}", "--stanza=desk", *words],
            env=os.environ | {"PGPASSWORD": urlsplit(self.url).password or ""},
            cwd=tempfile.gettempdir(),
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
            check=True,
            capture_output=True,
        )

    def start(self) -> None:
        parts = urlsplit(self.url)
        port = self.cluster.start(SETTINGS)
        self.url = f"postgresql://{USER}:{parts.password}@127.0.0.1:{port}/postgres"
        self._write_configuration()
        give_up_at = time.monotonic() + UP_SECONDS
        with psycopg.connect(self.url, autocommit=True) as connection:
            while connection.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
                assert time.monotonic() < give_up_at, "it does not end its recovery"
                time.sleep(0.1)

    @property
    def desk_url(self) -> str:
        return self.url.rsplit("/", 1)[0] + "/" + self.template.url.rsplit("/", 1)[1]

    def move_claims(self) -> None:
        desk = Desk(Settings(database_url=self.desk_url, _env_file=None), self.template.tokens)
        try:
            for _ in range(CLAIMS):
                desk.add_claim_moved_to("Accepted")
        finally:
            desk.close()

    def moment(self) -> str:
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute("SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF')").fetchone()
            assert found
            return str(found[0])

    def count(self) -> tuple[int, int]:
        with psycopg.connect(self.desk_url, autocommit=True) as connection:
            found = connection.execute(
                "SELECT (SELECT count(*) FROM claims), (SELECT count(*) FROM audit_log WHERE verb = 'claim.moved')"
            ).fetchone()
            assert found
            return int(found[0]), int(found[1])


def protect_continuously() -> tuple[str, list[str]]:
    program = shutil.which("pgbackrest")
    if program is None:
        return "pgBackRest is not installed (apt install pgbackrest), so it was not drilled", []
    wrong: list[str] = []
    with (
        running_cluster(SETTINGS, Path(tempfile.gettempdir())) as (cluster, url),
        tempfile.TemporaryDirectory() as unused,
    ):
        place = Place(Path(unused), url)
        desk = _Protected(cluster, program, url, desk_template(place, migrated_template(place)))
        desk.configure()
        desk.move_claims()
        desk.run("--type=full", "backup")
        desk.move_claims()
        before_accident = desk.moment()
        desk.move_claims()
        # Waits until everything that was written is archived.
        desk.run("check")
        cluster.stop("immediate")
        back_began = time.monotonic()
        desk.run("--delta", "--type=time", f"--target={before_accident}", "--target-action=promote", "restore")
        desk.start()
        back_seconds = time.monotonic() - back_began
        _expect(wrong, "before the accident", desk, 2 * CLAIMS)
        desk.move_claims()
        desk.run("--type=diff", "backup")
        desk.move_claims()
        desk.run("check")
        cluster.stop("immediate")
        shutil.rmtree(desk.data)
        lost_began = time.monotonic()
        desk.run("restore")
        desk.start()
        lost_seconds = time.monotonic() - lost_began
        _expect(wrong, "after the loss of the disk", desk, 4 * CLAIMS)
    found = f"pgBackRest: back to a moment in {back_seconds:.0f} s, and from nothing in {lost_seconds:.0f} s"
    return f"{found}, {len(wrong)} things wrong", wrong


def _expect(wrong: list[str], when: str, desk: _Protected, claims: int) -> None:
    if desk.count() != (claims, claims):
        wrong.append(f"Restored to {when}: {desk.count()} claims and moves instead of {claims}.")
    checked = countinghouse(desk.desk_url, "doctor")
    if checked.returncode:
        wrong.append(f"Restored to {when}: {checked.stdout}{checked.stderr}")
