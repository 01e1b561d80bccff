"""Checks of what surrounds the desk: settings, disk, clock, certificate, backup. Each says what to do, on one line."""

import shutil
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import anyio
from pydantic import with_config
from sqlalchemy import func, select
from typing_extensions import TypedDict

from countinghouse.audit.baselines import find_pending
from countinghouse.audit.numbering import find_misnumbering
from countinghouse.audit.tables import audit_log
from countinghouse.core.db import DATABASE_ERRORS, Database, Reader, Statement, wal_bytes
from countinghouse.core.db.replica import Replica
from countinghouse.core.errors import Busy
from countinghouse.core.indexes import find_unbuilt
from countinghouse.core.migrate import SchemaState, newest_revision, read_schema_state
from countinghouse.core.times import CLOCKS_DIFFER, now, to_moment
from countinghouse.monitoring.last_backup import LastBackup, read_last_backup
from countinghouse.partitions.actions import find_trouble
from countinghouse.settings import Settings

MIGRATIONS = "Migrations"
CERTIFICATE = "Certificate"
BACKUP = "Last backup"
AHEAD = "The database is newer than this version and works with it: upgrade here next."

# "note" is something to know or to do some time; "wrong" is something to do now.
State = Literal["fine", "note", "wrong"]

MOST_WAL_BYTES = 256_000_000
LEAST_FREE = 0.10
ALMOST_FULL = 0.02
MOST_SKEW = timedelta(seconds=5)
RENEW_DAYS = 14
CONNECT_SECONDS = 3.0
BACKUP_LASTS = timedelta(days=1)

# Threads of their own: one that waits for a name must not take the place of other work.
_connecting = anyio.CapacityLimiter(2)
_looking = anyio.CapacityLimiter(2)

_NEWEST = Statement(select(func.max(audit_log.c.at)))
_CLOCK = Statement(select(func.clock_timestamp()))


@with_config(json_schema_extra={"examples": [{"title": "Disk", "state": "fine", "message": "58.1 GB free (23 %)."}]})
class Check(TypedDict):
    title: str
    state: State
    message: str


def _check(title: str, wrong: list[str], notes: list[str], fine: str) -> Check:
    state: State = "wrong" if wrong else "note" if notes else "fine"
    return {"title": title, "state": state, "message": " ".join([*wrong, *notes]) or fine}


async def check_surroundings(settings: Settings, database: Database) -> list[Check]:
    return [
        check_settings(settings, database.file),
        check_proxy(settings),
        check_disk(settings.data_dir if database.file is None else database.file.parent, database.file),
        *await _check_database(database),
        await _check_certificate_in_time(settings.public_url),
        await _check_backup_in_time(settings.data_dir),
    ]


def check_settings(settings: Settings, database_file: Path | None) -> Check:
    """That they are valid was checked when they were read."""
    notes = [
        f"Other users of this machine can read {file}: run chmod 600 {file}."
        for file in (database_file, settings.audit_key_file)
        if file is not None and file.exists() and file.stat().st_mode & 0o077
    ]
    if not settings.public_url:
        notes.append("Set COUNTINGHOUSE_PUBLIC_URL to the address that browsers use: links and passkeys depend on it.")
    return _check("Configuration", [], notes, "The settings are complete, and private files are private.")


def check_proxy(settings: Settings) -> Check:
    notes = []
    if settings.public_url.startswith("https://") and not settings.trusted_proxies:
        notes.append(
            "Name the proxy in COUNTINGHOUSE_TRUSTED_PROXIES: without it, all visitors share one login rate limit."
        )
    proxies = ", ".join(map(str, settings.trusted_proxies))
    return _check("Proxy", [], notes, f"Forwarded addresses are trusted from {proxies or 'nobody'}.")


def check_disk(folder: Path, database_file: Path | None = None) -> Check:
    if not folder.is_dir():
        return _check("Disk", [], [f"There is no folder {folder} yet; the first start makes it."], "")
    disk = shutil.disk_usage(folder)
    share = disk.free / disk.total
    free = f"{disk.free / 1e9:.1f} GB free ({share:.0%})"
    advice = f"Only {free} where {folder} is: free some space, or changes will be refused."
    notes = [advice] if ALMOST_FULL <= share < LEAST_FREE else []
    wal = 0 if database_file is None else wal_bytes(database_file)
    if wal > MOST_WAL_BYTES:
        notes.append(
            f"The write-ahead log of the database has {wal / 1e6:,.0f} MB: another program has been reading the "
            "database for long, such as a copy or a shell. End it; the log then shrinks by itself."
        )
    return _check("Disk", [advice] if share < ALMOST_FULL else [], notes, f"{free}.")


async def _check_database(database: Database) -> Iterator[Check]:
    try:
        state = await database.read(read_schema_state)
        migrations = check_migrations(state)
        is_usable = state in (SchemaState.CURRENT, SchemaState.AHEAD)
        more = [await check_clock(database), *await database.read(_find_unfinished)] if is_usable else []
    except (*DATABASE_ERRORS, Busy) as error:
        reason = " ".join(str(error).split())
        return iter([_check("Database", [f"It did not answer: {reason}."], [], "")])
    replica = [await _check_replica(database.replica)] if database.replica is not None else []
    return iter([migrations, *more, *replica])


async def _find_unfinished(reader: Reader) -> list[Check]:
    """What an interrupted command has left, and what somebody altered; nothing if there is nothing to do."""
    unbuilt = [f"{index.name} is not built yet: run countinghouse migrate." for index in await find_unbuilt(reader)]
    pending = await find_pending(reader)
    unrecorded = [f"Not every {kind} is recorded in the audit log yet: run countinghouse migrate." for kind in pending]
    misnumbered = await find_misnumbering(reader)
    found: dict[str, tuple[list[str], list[str]]] = {
        "Audit log": (misnumbered, unrecorded),
        "Partitions": ([], await find_trouble(reader)),
        "Indexes": ([], unbuilt),
    }
    return [_check(title, wrong, notes, "") for title, (wrong, notes) in found.items() if wrong or notes]


async def _check_replica(replica: Replica) -> Check:
    return _check("Replica", await replica.find_problems(), [], "It answers, and follows the primary.")


def check_migrations(state: SchemaState) -> Check:
    wrong, notes = [], []
    if state is SchemaState.TOO_NEW:
        wrong.append("The database is newer than this version: install that version or a newer one.")
    elif state is SchemaState.BEHIND:
        wrong.append("Migrations are pending: start the server once to migrate the database.")
    elif state is SchemaState.AHEAD:
        notes.append(AHEAD)
    return _check(MIGRATIONS, wrong, notes, f"The database is at {newest_revision()}, the newest.")


async def check_clock(database: Database) -> Check:
    before = datetime.now(UTC)
    newest, server_time = await database.read(_read_clocks)
    after = datetime.now(UTC)
    wrong = []
    if server_time is not None:
        skew = max(before - server_time, server_time - after, timedelta())
        if skew > MOST_SKEW:
            wrong.append(
                f"The clocks of this machine and of the database differ by {skew.total_seconds():.0f} seconds: "
                "synchronise both, e.g. with chrony."
            )
    if newest is not None and newest > now() + CLOCKS_DIFFER:
        wrong.append(
            f"The newest change is from {newest:%Y-%m-%d %H:%M} UTC, which is in the future: a clock is wrong, or was. "
            "Synchronise it, e.g. with chrony."
        )
    return _check("Clock", wrong, [], f"It is {now():%Y-%m-%d %H:%M:%S} UTC, here and in the database.")


async def _read_clocks(reader: Reader) -> tuple[datetime | None, datetime | None]:
    newest = await reader.scalar(_NEWEST)
    server_time = None if reader.is_sqlite else await reader.scalar(_CLOCK)
    return None if newest is None else to_moment(newest), server_time


async def _check_certificate_in_time(public_url: str) -> Check:
    """Looking up a name has no deadline of its own."""
    with anyio.move_on_after(2 * CONNECT_SECONDS):
        run = anyio.to_thread.run_sync
        return await run(check_certificate, public_url, abandon_on_cancel=True, limiter=_connecting)
    return _check(CERTIFICATE, [], [f"{public_url} did not answer in time, so its certificate is unknown."], "")


def check_certificate(public_url: str) -> Check:
    title, address = CERTIFICATE, urlsplit(public_url)
    if address.scheme != "https":
        note = "The desk has no https address: put TLS in front before anybody logs in over a network."
        return _check(title, [], [note], "")
    host, port = address.hostname or "", address.port or 443
    try:
        with (
            socket.create_connection((host, port), CONNECT_SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secured,
        ):
            found = secured.getpeercert() or {}
    except ssl.SSLError as error:
        return _check(
            title, [f"{host} has no valid certificate ({getattr(error, 'verify_message', error)}): renew it."], [], ""
        )
    except OSError as error:
        return _check(
            title, [], [f"{public_url} cannot be reached from here ({error}), so its certificate is unknown."], ""
        )
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(found["notAfter"])), UTC)
    days = (ends - datetime.now(UTC)).days
    wrong = [f"The certificate of {host} ends in {days} days: renew it."] if days < RENEW_DAYS else []
    return _check(title, wrong, [], f"The certificate of {host} is valid for {days} days.")


def check_backup(folder: Path) -> Check:
    title = BACKUP
    try:
        backup = read_last_backup(folder)
    except (ValueError, OSError) as error:
        return _check(title, [f"The time of the last backup is unknown ({error}): make one now."], [], "")
    if backup is None:
        return _check(title, [], ["No backup has been made yet: see Backups in the operator's guide."], "")
    described = f"{backup.path} ({backup.size / 1e6:.1f} MB) of {backup.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    is_old = now() - backup.at > BACKUP_LASTS
    wrong = [f"The newest is {described}, older than a day: make one now."] if is_old else []
    return _check(title, wrong, _look_for(backup), f"{described}.")


def _look_for(backup: LastBackup) -> list[str]:
    """It may have been moved to another machine on purpose, so its absence alone is not wrong."""
    try:
        size = Path(backup.path).stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return [f"{backup.path} is gone: make a backup now, unless you moved it elsewhere."]
    except OSError:
        # The server may not be allowed to look into the folder.
        return []
    return [] if size == backup.size else [f"{backup.path} has changed since it was written: make a backup now."]


async def _check_backup_in_time(folder: Path) -> Check:
    """Backups may be on a network drive, which can hang."""
    with anyio.move_on_after(CONNECT_SECONDS):
        return await anyio.to_thread.run_sync(check_backup, folder, abandon_on_cancel=True, limiter=_looking)
    return _check(BACKUP, [], ["Its folder did not answer in time, so the backup could not be checked."], "")
