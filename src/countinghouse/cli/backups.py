"""The commands `backup` and `restore`."""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from countinghouse.audit.checkpoints import NoKey
from countinghouse.audit.proof import read_proof
from countinghouse.audit.verdict import Verdict
from countinghouse.audit.verifying import verify
from countinghouse.backups.actions import make_backup
from countinghouse.backups.archive import CHECKPOINTS, Archive, BadBackup, OnProgress, opened_archive
from countinghouse.backups.manifest import read_manifest
from countinghouse.backups.postgres_tools import ToolFailed
from countinghouse.backups.restoring import Restoring, restoring
from countinghouse.backups.throwaway import throwaway_place
from countinghouse.backups.totals import Totals, differences, read_totals
from countinghouse.cli.terminal import (
    REFUSED,
    complain,
    err,
    errors_as_sentences,
    load_settings,
    out,
    read_secret,
    say_check,
    say_examined,
)
from countinghouse.cli.upgrading import KINDS, upgrade
from countinghouse.core.db import Cost, Reader
from countinghouse.core.errors import InvalidInput
from countinghouse.core.migrate import newest_revision
from countinghouse.settings import Settings

SHORTEST_PASSPHRASE = 10
BACKUP_ERRORS = (BadBackup, ToolFailed, NoKey)

PassphraseStdin = Annotated[
    bool, typer.Option("--passphrase-stdin", help="Read the passphrase from standard input instead of asking for it.")
]


def backup(
    path: Annotated[str, typer.Argument(help="A new file, or a folder for a file named after the time.")],
    encrypt: Annotated[bool, typer.Option("--encrypt", help="Encrypt it with a passphrase.")] = False,
    keep: Annotated[
        int | None, typer.Option(help="Then remove all but this many backups in the folder, the oldest first.", min=1)
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Restore the backup PATH into a throw-away place, and check it.")
    ] = False,
    passphrase_stdin: PassphraseStdin = False,
) -> None:
    """Write everything to one file, while the desk is in use; or check that such a file can be restored."""
    settings = load_settings()
    with errors_as_sentences(*BACKUP_ERRORS):
        if check and (encrypt or keep is not None):
            raise InvalidInput({"check": "--check writes no backup, so it takes neither --encrypt nor --keep."})
        if check:
            _check(settings, Path(path), passphrase_stdin)
            return
        # A path forgets the slash, and the backup would become a file of the folder's name.
        if path.endswith("/") and not Path(path).is_dir():
            raise InvalidInput({"path": f"There is no folder {path}"})
        passphrase = _ask_passphrase(passphrase_stdin, is_new=True) if encrypt or passphrase_stdin else None
        with _progress() as on_progress:
            made = asyncio.run(make_backup(settings, Path(path), on_progress, passphrase=passphrase, keep=keep))
    _say_totals(made.manifest.totals)
    size = made.file.stat().st_size / 1_000_000
    lock = "encrypted" if passphrase is not None else "not encrypted, so keep it private"
    out.print(f"Wrote {made.file} ({size:,.1f} MB, {lock}).", markup=False, soft_wrap=True)
    if passphrase is None and made.manifest.public_key is not None:
        note = f"The key of the audit log is not in it: keep a copy of {settings.audit_key_file} elsewhere."
        out.print(note, markup=False, soft_wrap=True)
    if made.unrecorded is not None:
        complain(f"The backup is complete, but the audit log does not tell of it: {made.unrecorded}.")
    for note in made.notes:
        out.print(note, markup=False, soft_wrap=True)


def restore(
    path: Annotated[Path, typer.Argument(help="A file that `countinghouse backup` has written.")],
    passphrase_stdin: PassphraseStdin = False,
) -> None:
    """Restore a backup into an empty database, and check the result; refuses a database that has anything."""
    settings = load_settings()
    with errors_as_sentences(*BACKUP_ERRORS), _opened(path, passphrase_stdin) as archive:
        is_well, notes = _restore(archive, settings)
    for note in notes:
        out.print(f"note   {note}", markup=False, soft_wrap=True)
    if not is_well:
        complain("Restored, but with what is marked as wrong above: look into it before you start a server.")
        raise typer.Exit(REFUSED)
    complain(
        "Restored. Claims that were paid after the backup are Accepted again: compare with the bank before paying."
    )


def _check(settings: Settings, path: Path, passphrase_stdin: bool) -> None:
    with _opened(path, passphrase_stdin) as archive:
        manifest = read_manifest(archive)
        with throwaway_place(settings, manifest.engine) as place:
            is_well, _ = _restore(archive, place)
    if not is_well:
        raise typer.Exit(REFUSED)
    out.print(f"The backup of {manifest.at:%Y-%m-%d %H:%M:%S} UTC can be restored.")


def _restore(archive: Archive, settings: Settings) -> tuple[bool, list[str]]:
    """Whether nothing was wrong, and sentences for the operator."""
    with ExitStack() as stack:
        with _progress() as on_progress:
            loaded = stack.enter_context(restoring(archive, settings, on_progress))
        is_well = _examine(loaded)
        asyncio.run(loaded.finish())
    return is_well, loaded.notes


@contextmanager
def _opened(path: Path, passphrase_stdin: bool) -> Iterator[Archive]:
    # The checksum is read before the passphrase is asked for, so its progress must not be on the screen by then.
    with ExitStack() as stack:
        shown = stack.enter_context(ExitStack())
        on_progress = shown.enter_context(_progress())

        def ask() -> str:
            shown.close()
            return _ask_passphrase(passphrase_stdin, is_new=False)

        archive = stack.enter_context(opened_archive(path, ask, on_progress))
        shown.close()
        yield archive


def _ask_passphrase(from_stdin: bool, *, is_new: bool) -> str:
    if from_stdin:
        passphrase = read_secret("passphrase")
    elif not sys.stdin.isatty():
        raise InvalidInput({"passphrase": "The backup needs a passphrase: give it with --passphrase-stdin."})
    else:
        passphrase = str(typer.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new))
    if is_new and len(passphrase) < SHORTEST_PASSPHRASE:
        raise InvalidInput({"passphrase": f"The passphrase needs at least {SHORTEST_PASSPHRASE} characters."})
    return passphrase


@contextmanager
def _progress() -> Iterator[OnProgress]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        tasks: dict[str, TaskID] = {}
        # PostgreSQL's programs report theirs from another thread.
        turn = Lock()

        def show(what: str, done: int, total: int | None) -> None:
            with turn:
                if what not in tasks:
                    for finished in tasks.values():
                        progress.update(finished, visible=False)
                    tasks[what] = progress.add_task(what, total=total)
                progress.update(tasks[what], completed=done, total=total)

        yield show


def _examine(loaded: Restoring) -> bool:
    """The totals as restored; then, at the newest migration, the checks of `doctor` and `audit verify`."""
    database, manifest = loaded.database, loaded.manifest
    found = asyncio.run(database.read(read_totals, Cost.LONG, snapshot=True))
    if not say_check("The totals agree with the backup", differences(manifest.totals, found)):
        raise BadBackup("The database in the backup is not the one that the backup describes, so it was not restored.")
    _say_totals(found)
    if manifest.revision != newest_revision():
        began = time.monotonic()
        upgrade(database, is_being_restored=True)
        seconds = time.monotonic() - began
        out.print(f"       Migrated from {manifest.revision} to {newest_revision()} in {seconds:.1f} s")
    is_well = asyncio.run(say_examined(database))
    return _verify(loaded) and is_well


def _verify(loaded: Restoring) -> bool:
    checkpoints = loaded.checkpoints

    async def work(reader: Reader) -> Verdict:
        return await verify(read_proof(reader, KINDS, checkpoints), KINDS, loaded.manifest.public_key)

    verdict = asyncio.run(loaded.database.read(work, Cost.LONG, snapshot=True))
    is_well = say_check(f"The audit log is unaltered ({verdict.sealed:,} rows sealed)", verdict.problems)
    if verdict.unchecked and CHECKPOINTS in loaded.archive.names:
        return say_check("The checkpoints in the backup can be read", verdict.unchecked)
    # They may be on another machine. The newest seal has been compared with the one in the backup.
    for sentence in verdict.unchecked:
        out.print(f"note   {sentence}", markup=False, soft_wrap=True)
    return is_well


def _say_totals(totals: Totals) -> None:
    for name, value in totals.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        out.print(f"       {name}: {shown}", markup=False, soft_wrap=True)
