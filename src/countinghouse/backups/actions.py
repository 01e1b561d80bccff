"""Makes a backup while the desk is in use."""

import io
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from countinghouse.audit.actions import COMMAND, record
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.backups.archive import (
    CHECKPOINTS,
    KEY,
    MANIFEST,
    PORTION,
    POSTGRES_ENTRY,
    SQLITE_ENTRY,
    ArchiveWriter,
    BadBackup,
    OnProgress,
)
from countinghouse.backups.copying import add_postgres, add_sqlite, copy_sqlite, open_private
from countinghouse.backups.folder import file_for, note_last_backup, remove_oldest, unfinished_file
from countinghouse.backups.manifest import BackupVerb, Engine, Manifest, find_public_key
from countinghouse.backups.postgres_tools import refuse_pooler
from countinghouse.backups.totals import Totals, read_totals
from countinghouse.core.db import DATABASE_ERRORS, Cost, Database, Reader, Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.core.migrate import newest_revision, read_revision
from countinghouse.core.times import now
from countinghouse.core.unfinished import refuse_unfinished
from countinghouse.settings import Settings


@dataclass(frozen=True)
class Made:
    """`unrecorded` says why the audit log does not mention it."""

    file: Path
    manifest: Manifest
    unrecorded: str | None
    # Sentences about the other backups in the folder.
    notes: list[str]


async def make_backup(
    settings: Settings, path: Path, on_progress: OnProgress, *, passphrase: str | None = None, keep: int | None = None
) -> Made:
    at = now()
    if keep is not None and not path.is_dir():
        raise InvalidInput({"keep": "Only backups in a folder are removed: give the folder instead of a file."})
    refuse_pooler(settings)
    file = file_for(path, at)
    database = Database.from_settings(settings)
    try:
        await refuse_unfinished(database)
        if database.file is not None and not database.file.exists():
            raise InvalidInput({"database": f"There is no database at {database.file}."})
        try:
            with unfinished_file(file) as unfinished, open_private(unfinished) as written:
                manifest, checksum = await _write(settings, database, unfinished, written, at, passphrase, on_progress)
        except OSError as error:
            raise BadBackup(f"The backup cannot be written to {file.parent}: {error.strerror or error}.") from error
        unrecorded = await _record_made(database, manifest, checksum, file, is_encrypted=passphrase is not None)
    finally:
        database.close()
    try:
        note_last_backup(settings.data_dir, at, file)
        notes = remove_oldest(path, keep, file) if keep is not None else []
    except OSError as error:
        raise BadBackup(
            f"{file} is complete, but the work after it failed: {error.strerror or error}: {error.filename}."
        ) from error
    return Made(file, manifest, unrecorded, notes)


async def _record_made(
    database: Database, manifest: Manifest, checksum: str, file: Path, *, is_encrypted: bool
) -> str | None:
    """A backup is kept even if it cannot be recorded: when the disk of the database is full, it is needed most."""
    if manifest.revision != newest_revision():
        return "the database is not at the newest migration"
    after = {"file": str(file.resolve()), "bytes": file.stat().st_size, "encrypted": is_encrypted}

    async def write(transaction: Transaction) -> None:
        await record(transaction, COMMAND, BackupVerb.MADE, checksum, after=after)

    try:
        await database.write(write)
    except DATABASE_ERRORS as error:
        return " ".join(str(error).split())
    return None


async def _write(
    settings: Settings,
    database: Database,
    unfinished: Path,
    written: BinaryIO,
    at: datetime,
    passphrase: str | None,
    on_progress: OnProgress,
) -> tuple[Manifest, str]:
    """Returns the checksum as well."""
    checkpoints = Checkpoints(settings.audit_key_file, settings.audit_checkpoints_file)
    public_key = find_public_key(checkpoints)
    # The length from before the snapshot: what is appended later may sign rows that are not in it.
    length = checkpoints.file.stat().st_size if checkpoints.file.exists() else 0
    with ArchiveWriter(written, passphrase) as archive:
        parts = [POSTGRES_ENTRY if database.file is None else SQLITE_ENTRY]
        if database.file is not None:
            copy = unfinished.with_name("copy.db")
            copy_sqlite(database.file, copy, on_progress)
            copied = Database(f"sqlite:///{copy}")
            try:
                revision, totals = await copied.read(_state, snapshot=True)
            finally:
                copied.close()
            add_sqlite(archive, copy, on_progress)
            copy.unlink()
        else:
            revision, totals = await _dump(archive, database, on_progress)
        if length:
            parts.append(CHECKPOINTS)
            with checkpoints.file.open("rb") as file:
                archive.add(CHECKPOINTS, _Beginning(file, length))
        if archive.is_encrypted and checkpoints.key_file.exists():
            parts.append(KEY)
            archive.add(KEY, io.BytesIO(checkpoints.key_file.read_bytes()))
        engine: Engine = "sqlite" if database.is_sqlite else "postgresql"
        manifest = Manifest(at=at, engine=engine, revision=revision, totals=totals, public_key=public_key, parts=parts)
        archive.add(MANIFEST, io.BytesIO(manifest.model_dump_json(indent=2).encode()))
        checksum = archive.finish()
    written.flush()
    return manifest, checksum


async def _dump(archive: ArchiveWriter, database: Database, on_progress: OnProgress) -> tuple[str, Totals]:
    is_begun = False

    async def dump(reader: Reader) -> tuple[str, Totals]:
        nonlocal is_begun
        if is_begun:
            # A read is retried on another connection, with another snapshot.
            raise BadBackup("The connection to the database was lost. Start the backup again.")
        is_begun = True
        state = await _state(reader)
        await add_postgres(archive, database, reader, on_progress)
        return state

    return await database.read(dump, Cost.LONG, snapshot=True)


async def _state(reader: Reader) -> tuple[str, Totals]:
    revision = await read_revision(reader)
    if revision is None:
        raise InvalidInput({"database": "There is nothing to back up: the database has no tables yet."})
    return revision, await read_totals(reader)


class _Beginning:
    """The first bytes of a file that grows."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        self._file = file
        self._left = length

    def read(self, size: int = PORTION) -> bytes:
        found = self._file.read(min(size, self._left))
        self._left -= len(found)
        return found
