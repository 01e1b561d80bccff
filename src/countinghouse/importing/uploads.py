"""Imports from the screen: an admin uploads a file in parts, reads its plan, corrects the map, and runs it."""

import json
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, with_config
from sqlalchemy import Row, bindparam, delete, func, insert, select, update
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Transaction
from countinghouse.core.errors import Conflict, InvalidInput, NotFound
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.inputs import PlainText
from countinghouse.core.times import iso, now
from countinghouse.importing.mapping import Map
from countinghouse.importing.resource import ImportVerb
from countinghouse.importing.tables import import_parts, imports

LARGEST_FILE = 64 * 1024 * 1024
PART_BYTES = 1024 * 1024
# A job that has not been heard of for this long was killed; its import can be run again.
SILENCE = timedelta(seconds=30)
# An upload that nobody imports is removed.
KEPT = timedelta(days=1)
MOST_LISTED = 20

State = Literal["uploading", "planning", "planned", "running", "done", "failed", "interrupted"]
Task = Literal["plan", "run"]
_UNDER_WAY = {"plan": "planning", "run": "running"}


class NewImport(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"fileName": "users.csv", "size": 48213}]})

    fileName: Annotated[PlainText, Field(min_length=1, max_length=200, pattern=r"^[^/\\]+$")]  # noqa: N815
    size: Annotated[int, Field(ge=1, le=LARGEST_FILE)]


@with_config(json_schema_extra={"examples": [{"rows": 12000, "share": 40}]})
class ImportProgress(TypedDict):
    rows: int
    # Of the file, in hundredths.
    share: int


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000007",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "createdBy": "asha",
                "fileName": "users.csv",
                "size": 48213,
                "state": "planned",
                "parts": 1,
                "map": {},
                "progress": {"rows": 800, "share": 100},
                "report": {"outcomes": {"users": {"created": 797, "invalid": 3}}},
                "failure": None,
                "hasBadRows": True,
            }
        ]
    }
)
class Import(TypedDict):
    _id: str
    createdAt: str
    createdBy: str
    fileName: str
    size: int
    state: State
    # How many parts of the file have arrived, without a gap.
    parts: int
    map: dict[str, Any]
    progress: ImportProgress
    # What the plan or the run found: collections, outcomes, the first bad rows and the totals; null before.
    report: dict[str, Any] | None
    failure: str | None
    hasBadRows: bool


async def create_import(transaction: Transaction, actor: Actor, new: NewImport) -> str:
    await _remove_old_files(transaction)
    import_id = new_id()
    row = {"id": import_id, "created_at": now(), "created_by": actor.name, "file_name": new.fileName, "size": new.size}
    await transaction.execute(insert(imports).values(row | {"state": "uploading", "map": "{}"}))
    after = {"fileName": new.fileName, "size": new.size}
    await record(transaction, actor, ImportVerb.UPLOADED, import_id, after=after)
    return import_id


async def _remove_old_files(transaction: Transaction) -> None:
    old = select(imports.c.id).where(imports.c.created_at < now() - KEPT)
    await transaction.execute(delete(import_parts).where(import_parts.c.import_id.in_(old)))


async def store_part(transaction: Transaction, actor: Actor, import_id: str, number: int, content: bytes) -> None:
    """Sending a part again changes nothing."""
    found = await get_import(transaction, import_id, for_change=True)
    if found.created_by != actor.name or found.state != "uploading":
        raise Conflict("import_is_complete", "This file is complete. Upload it again to change it.")
    expected = min(PART_BYTES, found.size - number * PART_BYTES)
    if len(content) != expected:
        raise InvalidInput({"number": f"Part {number} of this file must have {max(expected, 0)} bytes."})
    known = select(import_parts.c.content).where(
        import_parts.c.import_id == import_id, import_parts.c.number == bindparam("number")
    )
    stored = await transaction.scalar(known, {"number": number})
    if stored is None:
        part = {"import_id": import_id, "number": number, "content": content}
        await transaction.execute(insert(import_parts).values(part))
    elif bytes(stored) != content:
        raise Conflict("part_differs", "This part was sent before with another content. Upload the file again.")


async def begin_job(
    transaction: Transaction, actor: Actor, import_id: str, task: Task, corrections: Map | None = None
) -> str:
    """Returns the name of the job. One job runs at a time, because imports keep the database busy."""
    found = await get_import(transaction, import_id, for_change=True)
    busy = select(imports.c.id).where(
        imports.c.state.in_(tuple(_UNDER_WAY.values())), imports.c.heard_at > now() - SILENCE
    )
    if await transaction.scalars(busy):
        raise Conflict("import_under_way", "An import is under way. Wait until it has ended.")
    if await count_parts(transaction, import_id) * PART_BYTES < found.size:
        raise Conflict("import_is_incomplete", "The file is not complete. Send the missing parts first.")
    if task == "run":
        _refuse_unplanned(found)
    job = new_id()
    values: dict[str, Any] = {
        "state": _UNDER_WAY[task],
        "job": job,
        "job_by": actor.name,
        "heard_at": now(),
        "rows_done": 0,
        "share_done": 0,
        "failure": None,
    }
    if corrections is not None:
        values["map"] = corrections.model_dump_json(by_alias=True, exclude_unset=True)
    await transaction.execute(update(imports).where(imports.c.id == import_id).values(values))
    if task == "run":
        after = {"fileName": found.file_name, "map": json.loads(found.map)}
        await record(transaction, actor, ImportVerb.STARTED, import_id, after=after)
    return job


def _refuse_unplanned(found: Row[Any]) -> None:
    report = json.loads(found.report) if found.report else {}
    if found.state == "done":
        raise Conflict("import_is_done", "This file is imported already. Upload it again to import it again.")
    if not report.get("outcomes"):
        raise Conflict("import_not_planned", "Wait for the plan of this import, and complete its map first.")


async def get_import(reader: Reader, import_id: str, *, for_change: bool = False) -> Row[Any]:
    one = select(imports).where(imports.c.id == bindparam("import_id"))
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


async def list_imports(reader: Reader) -> list[Import]:
    newest = select(imports).order_by(imports.c.created_at.desc(), imports.c.id.desc()).limit(MOST_LISTED)
    parts = select(import_parts.c.import_id, func.count()).group_by(import_parts.c.import_id)
    counts: dict[str, int] = dict(await reader.all(parts))
    return [to_import(row, counts.get(row.id, 0)) for row in await reader.rows(newest)]


def to_import(row: Row[Any], parts: int) -> Import:
    return {
        "_id": row.id,
        "createdAt": iso(row.created_at),
        "createdBy": row.created_by,
        "fileName": row.file_name,
        "size": row.size,
        "state": _state(row.state, row.heard_at),
        "parts": parts,
        "map": json.loads(row.map),
        "progress": {"rows": row.rows_done, "share": row.share_done},
        "report": msgspec.json.decode(row.report) if row.report else None,
        "failure": row.failure,
        "hasBadRows": row.bad_rows is not None,
    }


def _state(stored: State, heard_at: datetime | None) -> State:
    is_silent = heard_at is None or heard_at < now() - SILENCE
    return "interrupted" if stored in _UNDER_WAY.values() and is_silent else stored
