"""Imports from the screen: an admin uploads a file in parts, reads its plan, corrects the map, and runs it."""

import json
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Transaction
from countinghouse.core.errors import Conflict, InvalidInput, NotFound
from countinghouse.core.ids import is_id, moment_of_id, new_id
from countinghouse.core.times import alive, iso
from countinghouse.importing.mapping import Map
from countinghouse.importing.nouns import TAKEN_ON_SCREEN
from countinghouse.importing.report import BAD
from countinghouse.importing.resource import ImportVerb
from countinghouse.importing.shapes import (
    PART_BYTES,
    Import,
    ImportEntry,
    ImportProgress,
    NewImport,
    State,
    UploadedFile,
)
from countinghouse.importing.tables import import_parts, imports

# A job that has not been heard of for this long was killed; its import can be run again.
SILENCE = timedelta(seconds=30)
# An upload that nobody imports is removed with the next one after this time.
KEPT = timedelta(days=1)
MOST_LISTED = 20
INCOMPLETE = "The files are not complete, or were deleted because nobody imported them for a day. Upload them again."

# The exit code of a job whose place another has taken, or that was cancelled.
SUPERSEDED = 4

Task = Literal["plan", "run", "run_or_nothing"]
_UNDER_WAY: dict[Task, State] = {"plan": "planning", "run": "running", "run_or_nothing": "running"}
# All but the file of bad rows, which may be large.
_COLUMNS = [column for column in imports.c if column is not imports.c.bad_rows]
_READ = select(*_COLUMNS, imports.c.bad_rows.is_not(None).label("has_bad_rows"))


async def create_import(transaction: Transaction, actor: Actor, new: NewImport) -> str:
    import_id, at = new_id(), await transaction.now()
    await _remove_old_files(transaction, at)
    files = [file.model_dump() for file in new.files]
    row = {"id": import_id, "created_at": at, "created_by": actor.name, "files": json.dumps(files)}
    await transaction.execute(insert(imports).values(row | {"state": "uploading", "map": "{}"}))
    await record(transaction, actor, ImportVerb.UPLOADED, import_id, after={"files": files})
    return import_id


async def _remove_old_files(transaction: Transaction, at: datetime) -> None:
    # One from further ahead was begun before the clock was set back.
    is_recent = imports.c.created_at.between(at - KEPT, at + KEPT)
    old = select(imports.c.id).where(~is_recent)
    await transaction.execute(delete(import_parts).where(import_parts.c.import_id.in_(old)))


async def store_part(transaction: Transaction, actor: Actor, import_id: str, number: int, content: bytes) -> None:
    """Sending a part again changes nothing."""
    found = await get_import(transaction, import_id, for_change=True)
    if found.created_by != actor.name or found.state != "uploading":
        raise Conflict("import_is_complete", "This file is complete. Upload it again to change it.")
    sizes = [size for file in files_of(found) for size in part_sizes(file)]
    expected = sizes[number] if number < len(sizes) else 0
    if len(content) != expected:
        raise InvalidInput({"number": f"Part {number} of this import must have {expected} bytes."})
    known = select(import_parts.c.content).where(
        import_parts.c.import_id == import_id, import_parts.c.number == bindparam("number")
    )
    stored = await transaction.scalar(known, {"number": number})
    if stored is None:
        part = {"import_id": import_id, "number": number, "content": content}
        await transaction.execute(insert(import_parts).values(part))
    elif bytes(stored) != content:
        raise Conflict("part_differs", "This part was sent before with another content. Upload the file again.")


async def begin_job(transaction: Transaction, actor: Actor, import_id: str, task: Task, its_map: Map) -> str:
    """Returns the name of the job. One job runs at a time, because imports keep the database busy.

    A plan is made with `its_map`. A run must have the map of the plan.
    """
    if not transaction.is_sqlite:
        # Two that begin at the same moment look one after the other.
        await transaction.command("LOCK TABLE imports IN SHARE ROW EXCLUSIVE MODE")
    found = await get_import(transaction, import_id, for_change=True)
    if found.state == "done":
        raise Conflict("import_is_done", "This file is already imported. Upload it again to import it again.")
    at = await transaction.now()
    within = alive(at, SILENCE)
    busy = select(imports.c.id).where(
        imports.c.state.in_(tuple(_UNDER_WAY.values())),
        imports.c.heard_at > within.since,
        imports.c.heard_at <= within.ahead,
    )
    if await transaction.scalars(busy):
        raise Conflict("import_under_way", "An import is under way. Wait until it has ended.")
    if await count_parts(transaction, import_id) < _parts_in_all(found):
        raise Conflict("import_is_incomplete", INCOMPLETE)
    written = its_map.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if task != "plan":
        _refuse_unplanned(found, task, written)
    job = new_id(int(at.timestamp()))
    values: dict[str, Any] = {
        "state": _UNDER_WAY[task],
        "job": job,
        "job_by": actor.name,
        "heard_at": at,
        "rows_done": 0,
        "share_done": 0,
        "failure": None,
    }
    if task == "plan":
        # The old plan is not that of this map, so that it cannot be run.
        values |= {"map": json.dumps(written), "report": _without_plan(found.report), "bad_rows": None}
    await transaction.execute(update(imports).where(imports.c.id == import_id).values(values))
    verb = ImportVerb.PLANNED if task == "plan" else ImportVerb.STARTED
    await record(transaction, actor, verb, import_id, after={"files": files_of(found), "map": written})
    return job


async def cancel_plan(transaction: Transaction, actor: Actor, import_id: str) -> None:
    """Its job ends within a second, when it finds that the import is no longer its own."""
    found = await get_import(transaction, import_id, for_change=True)
    if found.state != "planning":
        raise Conflict("import_not_planning", "These files are not being checked. Reload to see what became of them.")
    cancelled = {"state": "failed", "job": None, "failure": f"{actor.name} cancelled the check."}
    await transaction.execute(update(imports).where(imports.c.id == import_id).values(cancelled))
    await record(transaction, actor, ImportVerb.CANCELLED, import_id, after={"files": files_of(found)})


async def fail_job(transaction: Transaction, import_id: str, job: str, failure: str) -> None:
    """For a job that has died. One that has stored its own result, or whose place another has taken, is left alone."""
    ours = (imports.c.id == import_id) & (imports.c.job == job)
    unfinished = ours & imports.c.state.in_(tuple(_UNDER_WAY.values()))
    failed = {"state": "failed", "failure": failure, "heard_at": await transaction.now()}
    await transaction.execute(update(imports).where(unfinished).values(failed))


def _refuse_unplanned(found: Row[Any], task: Task, seen_map: dict[str, Any]) -> None:
    good, bad = _good_and_bad(found)
    if good + bad == 0:
        raise Conflict("import_not_planned", "Wait for the plan of this import, and complete its map first.")
    if json.loads(found.map) != seen_map:
        sentence = "Nothing was imported: the map has been changed since you saw the plan. Look at the new plan first."
        raise Conflict("import_plan_changed", sentence)
    if task == "run_or_nothing" and bad:
        sentence = "Nothing was imported, because rows are bad. Correct them, or import the rest without them."
        raise Conflict("import_has_bad_rows", sentence)


def _without_plan(report: str | None) -> str | None:
    if report is None:
        return None
    emptied = {"outcomes": {}, "notes": 0, "firstBad": [], "totals": []}
    return msgspec.json.encode(msgspec.json.decode(report) | emptied).decode()


def files_of(found: Row[Any]) -> list[UploadedFile]:
    files: list[UploadedFile] = json.loads(found.files)
    return files


def part_sizes(file: UploadedFile) -> list[int]:
    """Each file has parts of its own. They are numbered through all files."""
    whole, rest = divmod(file["size"], PART_BYTES)
    return [PART_BYTES] * whole + [rest] * (rest > 0)


def _parts_in_all(found: Row[Any]) -> int:
    return sum(len(part_sizes(file)) for file in files_of(found))


async def get_import(reader: Reader, import_id: str, *, for_change: bool = False) -> Row[Any]:
    one = _READ.where(imports.c.id == bindparam("import_id"))
    statement = one.with_for_update() if for_change else one
    found = await reader.first(statement, {"import_id": import_id}) if is_id(import_id) else None
    if found is None:
        raise NotFound("import_not_found", "There is no such import.")
    return found


async def count_parts(reader: Reader, import_id: str) -> int:
    """How many parts there are without a gap."""
    numbers = select(import_parts.c.number).where(import_parts.c.import_id == import_id)
    present = set(await reader.scalars(numbers))
    return next(number for number in range(len(present) + 1) if number not in present)


async def list_imports(reader: Reader) -> list[ImportEntry]:
    newest = _READ.order_by(imports.c.created_at.desc(), imports.c.id.desc()).limit(MOST_LISTED)
    parts = select(import_parts.c.import_id, func.count()).group_by(import_parts.c.import_id)
    counts: dict[str, int] = dict(await reader.all(parts))
    at = await reader.now()
    return [_to_entry(row, counts.get(row.id, 0), at) for row in await reader.rows(newest)]


async def read_import(reader: Reader, import_id: str) -> Import:
    row = await get_import(reader, import_id)
    parts = await count_parts(reader, import_id)
    report = msgspec.json.decode(row.report) if row.report else None
    entry = _to_entry(row, parts, await reader.now())
    return {**entry, "statuses": TAKEN_ON_SCREEN, "map": json.loads(row.map), "report": report}


def _to_entry(row: Row[Any], parts: int, at: datetime) -> ImportEntry:
    good, bad = _good_and_bad(row)
    is_alive = row.heard_at is not None and alive(at, SILENCE).includes(row.heard_at)
    state: State = "interrupted" if row.state in _UNDER_WAY.values() and not is_alive else row.state
    in_all = _parts_in_all(row)
    return {
        "_id": row.id,
        "createdAt": iso(row.created_at),
        "createdBy": row.created_by,
        "files": files_of(row),
        "state": state,
        # They are removed when they are imported, or have not been for long.
        "parts": parts if state == "uploading" else in_all,
        "partsInAll": in_all,
        "progress": _progress(row, state),
        "good": good,
        "bad": bad,
        "failure": row.failure,
        "hasBadRows": row.has_bad_rows,
    }


def _good_and_bad(row: Row[Any]) -> tuple[int, int]:
    outcomes = msgspec.json.decode(row.report)["outcomes"] if row.report else {}
    counts = [(outcome, count) for by_outcome in outcomes.values() for outcome, count in by_outcome.items()]
    bad = sum(count for outcome, count in counts if outcome in BAD)
    return sum(count for _, count in counts) - bad, bad


def _progress(row: Row[Any], state: State) -> ImportProgress:
    rows, share = row.rows_done, row.share_done
    # The name of a job begins with the second in which it was started.
    seconds = (row.heard_at - moment_of_id(row.job)).total_seconds() if row.job else 0
    is_under_way = state in _UNDER_WAY.values() and seconds >= 1
    return {
        "rows": rows,
        "share": share,
        "rowsPerSecond": round(rows / seconds) if is_under_way else 0,
        "secondsLeft": round(seconds * (100 - share) / share) if is_under_way and share else None,
    }
