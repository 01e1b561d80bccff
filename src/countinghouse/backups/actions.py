"""Makes a backup while the desk is in use, and restores one into an empty place."""

import io
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import BaseModel, ValidationError

from countinghouse.audit.actions import COMMAND, record
from countinghouse.audit.checkpoints import Checkpoints, NoKey
from countinghouse.backups.archive import PORTION, Archive, ArchiveWriter, BadBackup, OnProgress
from countinghouse.backups.copying import (
    POSTGRES_ENTRY,
    SQLITE_ENTRY,
    add_postgres,
    add_sqlite,
    copy_sqlite,
    refuse_unless_empty,
    restore_database,
)
from countinghouse.backups.folder import file_for, note_last_backup, remove_oldest, unfinished_file
from countinghouse.backups.postgres_tools import refuse_pooler
from countinghouse.backups.totals import Totals, read_totals
from countinghouse.core.db import DATABASE_ERRORS, Cost, Database, Reader, Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.core.migrate import known_revisions, newest_revision, read_revision
from countinghouse.core.resource import Verb
from countinghouse.core.times import iso, now
from countinghouse.settings import Settings

MANIFEST, CHECKPOINTS, KEY = "manifest.json", "audit-checkpoints.jsonl", "audit-key.pem"
Engine = Literal["sqlite", "postgresql"]


class BackupVerb(Verb):
    """The subject is the checksum that the file ends in."""

    MADE = "backup.made"
    RESTORED = "backup.restored"


class Manifest(BaseModel):
    format: Literal["countinghouse-backup-1"] = "countinghouse-backup-1"
    at: datetime
    engine: Engine
    # The newest migration that the database has.
    revision: str
    totals: Totals
    # Of the key that signed the checkpoints; the key itself is only in an encrypted backup.
    public_key: str | None


@dataclass(frozen=True)
class Made:
    """`unrecorded` says why the audit log does not tell of it."""

    file: Path
    manifest: Manifest
    unrecorded: str | None
    # Sentences about the other backups in the folder.
    notes: list[str]


@dataclass
class Restored:
    """`notes` are sentences about the files beside the database."""

    manifest: Manifest
    notes: list[str] = field(default_factory=list)


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
        if database.file is not None and not database.file.exists():
            raise InvalidInput({"database": f"There is no database at {database.file}."})
        with unfinished_file(file) as unfinished, _private(unfinished) as written:
            manifest, checksum = await _write(settings, database, unfinished, written, at, passphrase, on_progress)
        unrecorded = await _record_made(database, manifest, checksum, file, is_encrypted=passphrase is not None)
    finally:
        database.close()
    note_last_backup(settings.data_dir, at, file)
    return Made(file, manifest, unrecorded, remove_oldest(path, keep, file) if keep is not None else [])


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


def _private(file: Path) -> BinaryIO:
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


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
    # The length from before the snapshot: what is appended later may sign rows that are not in it.
    length = checkpoints.file.stat().st_size if checkpoints.file.exists() else 0
    archive = ArchiveWriter(written, passphrase)
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
        with checkpoints.file.open("rb") as file:
            archive.add(CHECKPOINTS, _Beginning(file, length))
    if archive.is_encrypted and checkpoints.key_file.exists():
        archive.add(KEY, io.BytesIO(checkpoints.key_file.read_bytes()))
    manifest = Manifest(
        at=at,
        engine="sqlite" if database.is_sqlite else "postgresql",
        revision=revision,
        totals=totals,
        public_key=_find_public_key(checkpoints),
    )
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


def _find_public_key(checkpoints: Checkpoints) -> str | None:
    try:
        return checkpoints.find_public_key()
    except NoKey:
        return None


class _Beginning:
    """The first bytes of a file that grows."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        self._file = file
        self._left = length

    def read(self, size: int = PORTION) -> bytes:
        found = self._file.read(min(size, self._left))
        self._left -= len(found)
        return found


def read_manifest(archive: Archive) -> Manifest:
    """Refuses what this program cannot restore."""
    if MANIFEST not in archive.names:
        raise BadBackup("This is no backup of Countinghouse: it has no manifest.")
    try:
        manifest = Manifest.model_validate_json(archive.read(MANIFEST))
    except ValidationError as error:
        raise BadBackup("The manifest of the backup cannot be read: a newer version may have made it.") from error
    if manifest.revision not in known_revisions():
        raise BadBackup(
            "The backup was made by a newer Countinghouse than this one. Install that version or a newer one."
        )
    if (SQLITE_ENTRY if manifest.engine == "sqlite" else POSTGRES_ENTRY) not in archive.names:
        raise BadBackup("The backup has no database in it.")
    return manifest


async def restore(archive: Archive, settings: Settings, on_progress: OnProgress) -> Restored:
    """Refuses a target that has anything, before anything is written."""
    restored = Restored(read_manifest(archive))
    refuse_pooler(settings)
    database = Database.from_settings(settings)
    try:
        if database.is_sqlite != (restored.manifest.engine == "sqlite"):
            raise InvalidInput(
                {"database": f"This is a backup of {restored.manifest.engine}, and the target is another database."}
            )
        await refuse_unless_empty(database)
        await restore_database(archive, database, on_progress)
    finally:
        database.close()
    _restore_proofs(archive, settings, restored)
    return restored


async def record_restored(database: Database, archive: Archive, manifest: Manifest, *, totals_agree: bool) -> None:
    """The totals are compared before: this is the first row that the backup does not have."""
    after = {
        "file": str(archive.path.resolve()),
        "madeAt": iso(manifest.at),
        "encrypted": archive.is_encrypted,
        "totalsAgree": totals_agree,
    }

    async def write(transaction: Transaction) -> None:
        await record(transaction, COMMAND, BackupVerb.RESTORED, archive.checksum, after=after)

    await database.write(write)


def _restore_proofs(archive: Archive, settings: Settings, restored: Restored) -> None:
    """The checkpoints are those of the backup: newer ones would say that the end of the log was cut off."""
    mark = f"before-restore-{now():%Y%m%dT%H%M%SZ}"
    checkpoints = Checkpoints(settings.audit_key_file, settings.audit_checkpoints_file)
    if checkpoints.file.exists():
        aside = checkpoints.file.rename(checkpoints.file.with_name(f"{checkpoints.file.name}.{mark}"))
        restored.notes.append(f"Keep {aside}: its checkpoints prove what the log said before the restore.")
    if CHECKPOINTS in archive.names:
        _place(archive, CHECKPOINTS, checkpoints.file)
    if KEY in archive.names:
        if _find_public_key(checkpoints) == restored.manifest.public_key:
            return
        if checkpoints.key_file.exists():
            aside = checkpoints.key_file.rename(checkpoints.key_file.with_name(f"{checkpoints.key_file.name}.{mark}"))
            restored.notes.append(f"The key of the audit log is the one of the backup now. The other one is {aside}.")
        _place(archive, KEY, checkpoints.key_file)
    elif not checkpoints.key_file.exists() and restored.manifest.public_key is not None:
        restored.notes.append(
            f"The backup is not encrypted, so the key of the audit log is not in it. Copy it from the old machine to "
            f"{checkpoints.key_file} before you start a server, which would make another one."
        )


def _place(archive: Archive, name: str, file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}.restoring")
    unfinished.unlink(missing_ok=True)
    with _private(unfinished) as written:
        archive.copy(name, written)
        written.flush()
        os.fsync(written.fileno())
    unfinished.replace(file)
