"""A desk with something of every kind, and the commands that keep it."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Select, Table, func, inspect, select

from countinghouse.audit.tables import audit_log
from countinghouse.core.db import metadata
from countinghouse.main import create_app  # noqa: F401 - importing it registers every package's tables
from tests.audit.sealed import seal_and_sign
from tests.cli.command import run_command
from tests.contract.rows import fill
from tests.desk import Desk
from tests.direct_database import DirectDatabase
from tests.intake.pushing import add_key, push_one_of_each
from tests.pictures import qr_png
from tests.servers import server_environment

PASSPHRASE = "correct horse battery staple"


def work(desk: Desk) -> None:
    fill(desk, 60, statuses=("Pending",))
    paid = desk.add_claim_moved_to("Accepted")
    assert desk.move(paid, "Paid", reference="UTR000111222").status_code == 200
    desk.add_claim_moved_to("Returned")
    push_one_of_each(desk, add_key(desk))
    assert desk.display(desk.upload(qr_png()).json()["_id"]).status_code == 200


def sign(desk: Desk, folder: Path) -> Path:
    """The data folder of a desk whose server has run."""
    folder.mkdir()
    seal_and_sign(desk, folder)
    return folder


def command(
    url: str, folder: Path, *words: str | Path, given: str = "", before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    env = server_environment(url, COUNTINGHOUSE_DATA_DIR=str(folder))
    return run_command([*map(str, words)], env, given, before)


def back_up(url: str, folder: Path, file: Path, *words: str, given: str = "") -> Path:
    ended = command(url, folder, "backup", file, *words, given=given)
    assert ended.returncode == 0, ended.stderr
    return file


def contents(url: str) -> dict[str, list[Any]]:
    """Every row of every table, except those that a backup and a restore add to the audit log."""
    database = DirectDatabase(url)
    try:
        with database.reading() as connection:
            there = set(inspect(connection).get_table_names())
            return {
                name: sorted(map(str, connection.execute(_select_all(table)).all()))
                for name, table in metadata.tables.items()
                if name in there
            }
    finally:
        database.close()


def _select_all(table: Table) -> Select[Any]:
    rows = select(table)
    return rows.where(audit_log.c.verb.not_like("backup.%")) if table is audit_log else rows


def recorded(url: str) -> list[tuple[str, str, str, dict[str, Any]]]:
    """What the audit log says of backups: actor, verb, subject and details."""
    columns = audit_log.c.actor, audit_log.c.verb, audit_log.c.subject_id, audit_log.c.after
    of_backups = select(*columns).where(audit_log.c.verb.like("backup.%")).order_by(audit_log.c.seq)
    database = DirectDatabase(url)
    try:
        with database.reading() as connection:
            return [tuple(row) for row in connection.execute(of_backups)]
    finally:
        database.close()


def count(url: str, table: Table) -> int:
    database = DirectDatabase(url)
    try:
        with database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
    finally:
        database.close()


def is_blank(url: str) -> bool:
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        return not [*path.parent.glob(f"{path.name}*")]
    return contents(url) == {}
