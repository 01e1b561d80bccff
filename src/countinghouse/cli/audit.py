"""Commands that prove what the audit log says."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from countinghouse.audit.accepting import accept, find_acceptable
from countinghouse.audit.actions import COMMAND
from countinghouse.audit.checkpoints import Checkpoints, NoKey
from countinghouse.audit.proof import Line, read_proof
from countinghouse.audit.sealing import seal_some
from countinghouse.audit.verdict import CannotVerify, Verdict
from countinghouse.audit.verifying import verify
from countinghouse.cli.terminal import complain, errors_as_sentences, existing_database, load_settings, out
from countinghouse.cli.upgrading import KINDS
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.errors import InvalidInput
from countinghouse.core.migrate import SchemaState, read_schema_state
from countinghouse.core.strict_json import named_once

BAD, COULD_NOT_CHECK = 1, 2
_END = {"end": True}

audit_app = typer.Typer(no_args_is_help=True, help="Prove that the audit log is complete and unaltered.")


@audit_app.command("verify")
def verify_log(
    export: Annotated[Path | None, typer.Option(help="Check this export instead of the database.")] = None,
    public_key: Annotated[
        str | None, typer.Option(help="The public key that must have signed the checkpoints, if it is known.")
    ] = None,
) -> None:
    """Check the seals, the checkpoints, and that what is stored agrees with the log: claims, references,
    QR codes, policy, admins, API keys and webhooks.

    Exits with 0 if all is well, 1 if something was altered, 2 if it could not be checked. Changes nothing.
    """
    try:
        verdict = _verify_export(export, public_key) if export else _verify_desk(public_key)
    except (CannotVerify, NoKey, OSError) as error:
        complain(str(error))
        raise typer.Exit(COULD_NOT_CHECK) from error
    except typer.Exit as error:
        # The database did not answer, which has been said.
        raise typer.Exit(COULD_NOT_CHECK) from error
    _say(verdict)
    if verdict.problems:
        raise typer.Exit(BAD)
    if verdict.unchecked:
        raise typer.Exit(COULD_NOT_CHECK)


@audit_app.command("accept")
def accept_rows(
    reason: Annotated[str, typer.Option(help="Why the rows are true. It is logged.", prompt=True)],
    rows: Annotated[list[int] | None, typer.Argument(help="The numbers of the rows, as verify names them.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All rows that verify names so.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Say that rows are true which appeared too late to be sealed: for the owner, after looking at each.

    The log says who accepted which rows, as they are now, and why. `verify` then counts them in a note.
    """
    with existing_database() as database:
        _refuse_unmigrated(database)
        found = asyncio.run(database.read(find_acceptable, Cost.LONG, snapshot=True))
        wanted = found if every else [row for row in found if row["seq"] in (rows or ())]
        unknown = set(rows or ()) - {row["seq"] for row in wanted}
        if unknown or not wanted:
            named = ", ".join(map(str, sorted(unknown))) or "None given"
            raise InvalidInput({"rows": f"{named}: not a row without a seal that verify names."})
        for row in wanted:
            out.print(json.dumps(row, ensure_ascii=False), markup=False, soft_wrap=True)
        if not yes:
            typer.confirm(f"Accept {len(wanted):,} rows?", abort=True)
        asyncio.run(database.write(lambda transaction: accept(transaction, COMMAND, wanted, reason)))
        # A transaction of its own, as the sealer of a server does it: see migration 0028.
        asyncio.run(database.write(seal_some))
    out.print(f"Accepted {len(wanted):,} rows.")


@audit_app.command("export")
def export_log(file: Annotated[Path, typer.Argument(help="A new file; it must not exist yet.")]) -> None:
    """Write the log, its seals, the checkpoints and the state of all records to a file for `verify --export`."""
    with errors_as_sentences(NoKey), existing_database() as database:
        _refuse_unmigrated(database)
        with _new_file(file) as opened:
            write = partial(_write_proof, written=opened)
            count = asyncio.run(database.read(write, Cost.LONG, snapshot=True))
    out.print(f"Wrote {count:,} lines to {file}.", markup=False, soft_wrap=True)


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    """Removed again if it could not be completed."""
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise InvalidInput({"file": f"{path} exists already."}) from error
    try:
        with os.fdopen(opened, "wb") as written:
            yield written
    except BaseException:
        path.unlink(missing_ok=True)
        raise


async def _write_proof(reader: Reader, written: BinaryIO) -> int:
    count = 0
    async for line in read_proof(reader, KINDS, _checkpoints()):
        written.write(_encoded(line))
        count += 1
    written.write(_encoded(_END))
    return count


def _verify_export(export: Path, public_key: str | None) -> Verdict:
    try:
        return asyncio.run(verify(_read_export(export), KINDS, public_key))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CannotVerify("This is not an export of the audit log: a part of one of its lines is missing.") from error


def _verify_desk(public_key: str | None) -> Verdict:
    checkpoints = _checkpoints()
    with existing_database() as database:
        _refuse_unmigrated(database)
        return asyncio.run(
            database.read(
                lambda reader: verify(read_proof(reader, KINDS, checkpoints), KINDS, public_key),
                Cost.LONG,
                snapshot=True,
            )
        )


def _refuse_unmigrated(database: Database) -> None:
    state = asyncio.run(database.read(read_schema_state))
    if state is SchemaState.BEHIND:
        raise InvalidInput({"database": "Run countinghouse migrate first."})
    if state is not SchemaState.CURRENT:
        # It may log what this version does not know, and would call altered.
        raise InvalidInput({"database": "The database is newer than this version: use the version that migrated it."})


def _checkpoints() -> Checkpoints:
    settings = load_settings()
    return Checkpoints(settings.audit_key_file, settings.audit_checkpoints_file)


async def _read_export(file: Path) -> AsyncIterator[Line]:
    is_complete = False
    with file.open("rb") as lines:
        for line in lines:
            if is_complete:
                raise CannotVerify("The export goes on after its end.")
            try:
                # Of two values of one name, readers of the file may see another than the one that is checked.
                decoded = json.loads(line.decode("utf-8", "surrogatepass"), object_pairs_hook=named_once)
            except (ValueError, RecursionError) as error:
                raise CannotVerify("This is not an export of the audit log.") from error
            if not isinstance(decoded, dict):
                raise CannotVerify("This is not an export of the audit log.")
            if decoded == _END:
                is_complete = True
            else:
                yield decoded
    if not is_complete:
        raise CannotVerify("The export is incomplete: its last line is missing.")


def _encoded(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def _say(verdict: Verdict) -> None:
    for sentence in (*verdict.problems, *([f"And {verdict.more_problems:,} more."] if verdict.more_problems else [])):
        out.print(f"wrong  {sentence}", markup=False, soft_wrap=True)
    for remark in verdict.remarks:
        out.print(f"note   {remark}", markup=False, soft_wrap=True)
    for sentence in verdict.unchecked:
        complain(sentence)
    if verdict.problems or verdict.unchecked:
        return
    sealed = f"{verdict.sealed:,} rows are sealed, {verdict.unsealed:,} are not yet"
    signed = f"{verdict.checkpoints:,} checkpoints sign the first {verdict.checkpointed:,}"
    out.print(f"fine   {sealed}; {signed}; {verdict.records:,} records agree.", markup=False, soft_wrap=True)
    if verdict.key:
        out.print(f"       Signed by the key {verdict.key}.", markup=False, soft_wrap=True)
