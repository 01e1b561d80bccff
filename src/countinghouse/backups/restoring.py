"""Restores a backup into an empty place. It is checked before anything can use it, and made ready in one step."""

import asyncio
import errno
import filecmp
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from sqlalchemy import text

from countinghouse.audit.actions import COMMAND, record
from countinghouse.audit.checkpoints import Checkpoints, NoKey
from countinghouse.backups.archive import CHECKPOINTS, KEY, Archive, BadBackup, OnProgress
from countinghouse.backups.copying import load_database, open_private, sync_folder
from countinghouse.backups.manifest import BackupVerb, Manifest, find_public_key, read_manifest
from countinghouse.backups.postgres_tools import ToolFailed, refuse_pooler
from countinghouse.backups.targets import locked_folder, marked_database, refuse_existing_file
from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.errors import InvalidInput, Refusal
from countinghouse.core.times import iso, now
from countinghouse.core.unfinished import MARK, place_beside, unfinished_file
from countinghouse.core.upgrade_connections import CannotMigrate
from countinghouse.settings import Settings

_REVISIONS = Statement(text("SELECT version_num FROM alembic_version"))
# These say themselves what is wrong.
_PLAIN = (BadBackup, ToolFailed, Refusal, CannotMigrate, NoKey, psycopg.OperationalError, OSError)


@dataclass
class Restoring:
    """A backup that was loaded, and that nothing uses yet. `place` has what goes beside the database."""

    archive: Archive
    manifest: Manifest
    settings: Settings
    place: Path
    # What was loaded; on SQLite it is in `place`.
    database: Database
    # Sentences for the operator.
    notes: list[str] = field(default_factory=list)

    @property
    def checkpoints(self) -> Checkpoints:
        """Those of the backup; with the key of this desk, if the backup has none."""
        key = self.place / KEY
        return Checkpoints(key if key.exists() else self.settings.audit_key_file, self.place / CHECKPOINTS)

    async def finish(self) -> None:
        """The database is ready last: whoever finds it also finds the key and the checkpoints."""
        file = Database.from_settings(self.settings).file
        if file is None:
            self._place_proofs()
            await self.database.write(self._record_and_unmark)
            return
        await self.database.write(self._record)
        self.database.close()
        _merge_log(unfinished_file(self.place))
        self._place_proofs()
        unfinished_file(self.place).rename(file)
        sync_folder(file.parent)

    async def _record(self, transaction: Transaction) -> None:
        after = {
            "file": str(self.archive.path.resolve()),
            "madeAt": iso(self.manifest.at),
            "encrypted": self.archive.is_encrypted,
            "totalsAgree": True,
        }
        await record(transaction, COMMAND, BackupVerb.RESTORED, self.archive.checksum, after=after)

    async def _record_and_unmark(self, transaction: Transaction) -> None:
        await self._record(transaction)
        await transaction.command(f"DROP TABLE {MARK}")

    def _place_proofs(self) -> None:
        """The checkpoints are those of the backup: newer ones would say that the end of the log was cut off."""
        mark = f"before-restore-{now():%Y%m%dT%H%M%SZ}"
        there = Checkpoints(self.settings.audit_key_file, self.settings.audit_checkpoints_file)
        restored, key = self.place / CHECKPOINTS, self.place / KEY
        is_same = there.file.exists() and restored.exists() and filecmp.cmp(there.file, restored, shallow=False)
        if there.file.exists() and not is_same:
            aside = there.file.rename(there.file.with_name(f"{there.file.name}.{mark}"))
            self.notes.append(f"Keep {aside}: its checkpoints prove what the log said before the restore.")
        if restored.exists() and not is_same:
            _put(restored, there.file)
        if key.exists():
            if find_public_key(there) == self.manifest.public_key:
                return
            if there.key_file.exists():
                aside = there.key_file.rename(there.key_file.with_name(f"{there.key_file.name}.{mark}"))
                self.notes.append(f"The key of the audit log is the one of the backup now. The other one is {aside}.")
            _put(key, there.key_file)
        elif not there.key_file.exists() and self.manifest.public_key is not None:
            self.notes.append(
                f"The backup is not encrypted, so the key of the audit log is not in it. Copy it from the old machine "
                f"to {there.key_file} before you start a server, which would make another one."
            )


@contextmanager
def restoring(archive: Archive, settings: Settings, on_progress: OnProgress) -> Iterator[Restoring]:
    """Refuses a target that has anything, before anything is written. Leaves it empty unless `finish` was called."""
    manifest = read_manifest(archive)
    refuse_pooler(settings)
    target = Database.from_settings(settings)
    if target.is_sqlite != (manifest.engine == "sqlite"):
        raise InvalidInput({"database": f"This is a backup of {manifest.engine}, and the target is another database."})
    with _reserved(target, settings) as (place, is_left):
        database = Database(f"sqlite:///{unfinished_file(place)}") if target.is_sqlite else target
        loaded = Restoring(archive, manifest, settings, place, database)
        if is_left:
            loaded.notes.append("Removed what a restore that was interrupted had left.")
        try:
            with _blaming_the_backup():
                # First, because it also marks the place.
                asyncio.run(load_database(archive, database, unfinished_file(place), on_progress))
                for name in {CHECKPOINTS, KEY} & archive.names:
                    with open_private(place / name) as written:
                        archive.copy(name, written)
                asyncio.run(check_loaded(database, manifest))
                yield loaded
        finally:
            database.close()


@contextmanager
def _reserved(target: Database, settings: Settings) -> Iterator[tuple[Path, bool]]:
    if target.file is not None:
        refuse_existing_file(target.file)
        place = place_beside(target.file)
        with locked_folder(place) as is_left:
            refuse_existing_file(target.file)
            yield place, is_left
        return
    with marked_database(target.url) as is_left:
        place = settings.data_dir / "restoring"
        with locked_folder(place):
            yield place, is_left


@contextmanager
def _blaming_the_backup() -> Iterator[None]:
    """A backup whose checksum is right can still contain anything, if somebody means it."""
    try:
        yield
    except _PLAIN:
        raise
    except Exception as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BadBackup(f"The backup is damaged: its database cannot be used ({reason}).") from error


async def check_loaded(database: Database, manifest: Manifest) -> None:
    if database.file is not None:
        with closing(sqlite3.connect(database.file)) as connection:
            found = [str(problem) for (problem,) in connection.execute("PRAGMA quick_check(1)")]
        if found != ["ok"]:
            raise BadBackup(f"The backup is damaged: its database is not intact ({found[0]}).")

    async def read_revisions(reader: Reader) -> list[str]:
        return await reader.scalars(_REVISIONS)

    if await database.read(read_revisions) != [manifest.revision]:
        raise BadBackup("The backup is damaged: its database is not at the migration that the backup states.")


def _merge_log(file: Path) -> None:
    """What is still in SQLite's log has to be in the file itself before that is moved."""
    with closing(sqlite3.connect(file)) as connection:
        (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if is_busy:
        raise BadBackup("The restored database is in use by another program: end that, and restore again.")
    with file.open("rb") as written:
        os.fsync(written.fileno())


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.restoring")
    unfinished.unlink(missing_ok=True)
    with source.open("rb") as read, open_private(unfinished) as written:
        shutil.copyfileobj(read, written)
        written.flush()
        os.fsync(written.fileno())
    unfinished.replace(target)
    sync_folder(target.parent)
