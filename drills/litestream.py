"""Litestream as docs/operating.md sets it up: after the loss of the disk, and back to a moment before an accident."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.settings import Settings
from tests.cli.command import countinghouse
from tests.databases import Place, Template, desk_template, migrated_template
from tests.desk import Desk
from tests.direct_database import DirectDatabase

CLAIMS = 200
# Longer than Litestream takes to notice a change, which is a second.
REPLICATED_SECONDS = 30.0
SETTLED_SECONDS = 3.0


def replicate_continuously() -> tuple[str, list[str]]:
    program = shutil.which("litestream")
    if program is None:
        return "Litestream is not installed, so it was not drilled", []
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="countinghouse-litestream-") as made:
        folder = Path(made)
        place = Place(folder, None)
        template = desk_template(place, migrated_template(place))
        desk_file, replica = folder / "desk.db", folder / "replica"
        shutil.copyfile(template.url.removeprefix("sqlite:///"), desk_file)
        configuration = folder / "litestream.yml"
        configuration.write_text(f"dbs:\n  - path: {desk_file}\n    replica:\n      path: {replica}\n")

        def restore(target: str, *words: str) -> str:
            file = folder / target
            subprocess.run(  # noqa: S603 - the program that was found
                [program, "restore", "-config", str(configuration), "-o", str(file), *words, str(desk_file)],
                check=True,
                capture_output=True,
                timeout=120,
            )
            return f"sqlite:///{file}"

        with _replicating(program, configuration):
            _move_claims(desk_file, template)
            _wait_for(restore, CLAIMS)
            time.sleep(SETTLED_SECONDS)
            before_accident = datetime.now(UTC)
            time.sleep(SETTLED_SECONDS)
            _move_claims(desk_file, template)
            _wait_for(restore, 2 * CLAIMS)
        # The disk is lost; only the replica is left.
        for lost in folder.glob("desk.db*"):
            lost.unlink() if lost.is_file() else shutil.rmtree(lost)
        _expect(wrong, "the loss of the disk", restore("all.db"), 2 * CLAIMS)
        moment = f"{before_accident:%Y-%m-%dT%H:%M:%SZ}"
        _expect(wrong, "the moment before", restore("before.db", "-timestamp", moment), CLAIMS)
    return f"Litestream: after the loss of the disk, and back to a moment, {len(wrong)} things wrong", wrong


@contextmanager
def _replicating(program: str, configuration: Path) -> Iterator[None]:
    with configuration.with_suffix(".log").open("wb") as log:
        command = [program, "replicate", "-config", str(configuration)]
        process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - the program that was found
    try:
        yield
    finally:
        # Killed as by a power cut: it has no chance to replicate the rest.
        process.kill()
        process.wait()


def _move_claims(file: Path, template: Template) -> None:
    desk = Desk(Settings(database_url=f"sqlite:///{file}", _env_file=None), template.tokens)
    try:
        for _ in range(CLAIMS):
            desk.add_claim_moved_to("Accepted")
    finally:
        desk.close()


def _wait_for(restore: Callable[..., str], expected: int) -> None:
    """Until the replica has everything."""
    give_up_at = time.monotonic() + REPLICATED_SECONDS
    attempt = 0
    while True:
        attempt += 1
        # It fails as long as nothing is replicated.
        with suppress(subprocess.CalledProcessError):
            if _count(restore(f"attempt-{expected}-{attempt}.db")) == (expected, expected):
                return
        assert time.monotonic() < give_up_at, "it does not replicate"
        time.sleep(0.5)


def _count(url: str) -> tuple[int, int]:
    database = DirectDatabase(url)
    try:
        with database.reading() as connection:
            moves = select(func.count()).select_from(audit_log).where(audit_log.c.verb == "claim.moved")
            found = connection.execute(select(func.count()).select_from(claims)).scalar_one()
            return int(found), int(connection.execute(moves).scalar_one())
    finally:
        database.close()


def _expect(wrong: list[str], when: str, url: str, claims_there: int) -> None:
    if _count(url) != (claims_there, claims_there):
        wrong.append(f"Restored after {when}: {_count(url)} claims and moves instead of {claims_there}.")
    checked = countinghouse(url, "doctor")
    if checked.returncode:
        wrong.append(f"Restored after {when}: {checked.stdout}{checked.stderr}")
