"""What a backup says about itself."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ValidationError

from countinghouse.audit.checkpoints import Checkpoints, NoKey
from countinghouse.backups.archive import MANIFEST, POSTGRES_ENTRY, SQLITE_ENTRY, Archive, BadBackup
from countinghouse.backups.totals import Totals
from countinghouse.core.migrate import known_revisions
from countinghouse.core.resource import Verb

Engine = Literal["sqlite", "postgresql"]


class BackupVerb(Verb):
    """The subject is the checksum that the file ends in."""

    MADE = "backup.made", "Made a backup"
    RESTORED = "backup.restored", "Restored a backup"


class Manifest(BaseModel):
    format: Literal["countinghouse-backup-1"] = "countinghouse-backup-1"
    at: datetime
    engine: Engine
    # The newest migration that the database has.
    revision: str
    totals: Totals
    # Of the key that signed the checkpoints; the key itself is only in an encrypted backup.
    public_key: str | None
    # The names of the other entries; None in a backup of the first release.
    parts: list[str] | None = None


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
    for name in manifest.parts or ():
        if name not in archive.names:
            raise BadBackup(f"The backup is incomplete: {name} is missing from it.")
    return manifest


def find_public_key(checkpoints: Checkpoints) -> str | None:
    try:
        return checkpoints.find_public_key()
    except NoKey:
        return None
