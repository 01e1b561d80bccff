"""What the database knows about the desk, read for each scrape. The costs do not grow with the number of rows."""

import math
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select, text

from countinghouse.audit.sealing import read_tail
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.lifecycle import IN_FLIGHT, STATUSES
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.db import Reader, Statement, wal_bytes
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import now, to_moment
from countinghouse.importing.tables import imports
from countinghouse.importing.uploads import SILENCE
from countinghouse.monitoring.last_backup import read_last_backup
from countinghouse.settings import Settings
from countinghouse.webhooks.tables import webhook_deliveries, webhook_outbox


class Sample(NamedTuple):
    name: str
    value: float
    labels: dict[str, str] = {}  # noqa: RUF012 - never changed


HELP = {
    "database_up": "Whether the database answered.",
    "database_size_bytes": "The size of the database.",
    "database_wal_bytes": "The size of SQLite's write-ahead log.",
    "disk_free_bytes": "Free space where the data folder is.",
    "disk_size_bytes": "The size of the file system of the data folder.",
    "last_backup_age_seconds": "How long ago the last backup was made; infinite if never.",
    "claims": "Claims, by status.",
    "claims_oldest_age_seconds": "The age of the oldest claim that waits in this status.",
    "outbox_rows": "Changes that wait to become webhook events; at most 10,000 are counted.",
    "outbox_age_seconds": "The age of the oldest of them; 0 if none waits.",
    "deliveries_waiting": "Webhook events that wait to be delivered, also after a failure; at most 10,000 are counted.",
    "audit_unsealed_rows": "Rows of the audit log without a seal; at most 10,000 are counted.",
    "audit_unsealed_age_seconds": "The age of the oldest of them; 0 if all are sealed.",
    "imports_running": "Imports that are planned or run now.",
    "import_rows_done": "Rows that the running imports have handled.",
    "import_progress_ratio": "How far the running import is; 1 if none runs.",
    "batches_running": "Bulk moves that are under way.",
    "batch_rows_waiting": "Claims of those that still have to be moved.",
}

MOST_COUNTED = 10_000

_SQLITE_SIZE = Statement(text("SELECT (SELECT * FROM pragma_page_count) * (SELECT * FROM pragma_page_size)"))
_POSTGRES_SIZE = Statement(text("SELECT pg_database_size(current_database())"))
_TALLIES = Statement(select(claim_tallies.c.status, claim_tallies.c.entries).where(claim_tallies.c.day == written("")))


def _oldest(status: str) -> Statement:
    return Statement(select(func.min(claims.c.created_at)).where(claims.c.status == written(status)))


def _counted(rows: Select[Any]) -> Statement:
    return Statement(select(func.count()).select_from(rows.limit(number(MOST_COUNTED)).subquery()))


_OLDEST = {status: _oldest(status) for status in IN_FLIGHT}
_OUTBOX = _counted(select(webhook_outbox.c.id))
# The lowest number is the oldest row.
_OUTBOX_OLDEST = Statement(select(webhook_outbox.c.at).order_by(webhook_outbox.c.id).limit(number(1)))
_DELIVERIES = _counted(select(webhook_deliveries.c.id).where(webhook_deliveries.c.state == written("waiting")))
_IMPORTS = Statement(
    select(imports.c.rows_done, imports.c.share_done, imports.c.heard_at).where(
        imports.c.state.in_(("planning", "running"))
    )
)
_is_running = batches.c.confirmed_at.is_not(None) & batches.c.ended_at.is_(None)
_BATCHES = Statement(select(func.count()).select_from(batches).where(_is_running))
_BATCH_ROWS = _counted(
    select(batch_rows.c.place)
    .join(batches, batches.c.id == batch_rows.c.batch_id)
    .where(_is_running, batch_rows.c.outcome.is_(None))
)


async def read_desk(reader: Reader) -> list[Sample]:
    at = now()
    size = await reader.scalar(_SQLITE_SIZE if reader.is_sqlite else _POSTGRES_SIZE)
    counts: dict[str, int] = dict(await reader.all(_TALLIES))
    unsealed = await read_tail(reader)
    found = [
        Sample("database_up", 1),
        Sample("database_size_bytes", size),
        *[Sample("claims", counts.get(status, 0), {"status": status}) for status in STATUSES],
        Sample("outbox_rows", await reader.scalar(_OUTBOX)),
        Sample("outbox_age_seconds", _age(at, await reader.scalar(_OUTBOX_OLDEST))),
        Sample("deliveries_waiting", await reader.scalar(_DELIVERIES)),
        Sample("audit_unsealed_rows", unsealed.rows),
        Sample("audit_unsealed_age_seconds", _age(at, unsealed.oldest_at)),
        Sample("batches_running", await reader.scalar(_BATCHES)),
        Sample("batch_rows_waiting", await reader.scalar(_BATCH_ROWS)),
    ]
    for status, statement in _OLDEST.items():
        age = _age(at, await reader.scalar(statement))
        found.append(Sample("claims_oldest_age_seconds", age, {"status": status}))
    heard = [row for row in await reader.all(_IMPORTS) if row[2] is not None and at - to_moment(row[2]) < SILENCE]
    return [
        *found,
        Sample("imports_running", len(heard)),
        Sample("import_rows_done", sum(row[0] for row in heard)),
        Sample("import_progress_ratio", min((row[1] / 100 for row in heard), default=1)),
    ]


def _age(at: datetime, oldest: datetime | str | None) -> float:
    return 0 if oldest is None else max(0.0, (at - to_moment(oldest)).total_seconds())


def read_machine(settings: Settings, database_file: Path | None) -> Iterator[Sample]:
    folder = settings.data_dir
    with_data = folder if database_file is None else database_file.parent
    if with_data.is_dir():
        disk = shutil.disk_usage(with_data)
        yield Sample("disk_free_bytes", disk.free)
        yield Sample("disk_size_bytes", disk.total)
    if database_file is not None:
        yield Sample("database_wal_bytes", wal_bytes(database_file))
    yield Sample("last_backup_age_seconds", _backup_age(folder))


def _backup_age(folder: Path) -> float:
    try:
        backup = read_last_backup(folder)
    except (ValueError, OSError):
        # `doctor` says why. For the alert it is as if there was none.
        backup = None
    return math.inf if backup is None else _age(now(), backup.at)
