"""One plan or run of an uploaded file, in a process of its own: it needs a core and memory that requests must not lack.

The server starts it: python -m countinghouse.importing.job IMPORT JOB plan|run. It ends itself if another job has taken
its place, and its work is continued by the next one.
"""

import asyncio
import os
import sys
import tempfile
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Select, delete, select, update

from countinghouse.audit.actions import Actor
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.errors import Refusal
from countinghouse.core.times import now
from countinghouse.importing.mapping import Map, Mapped, final_map, map_sources
from countinghouse.importing.report import Report
from countinghouse.importing.running import Progress, Run
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.tables import import_parts, imports
from countinghouse.importing.uploads import get_import
from countinghouse.settings import Settings

# How often the progress is stored, which also shows that the job is alive.
_TOLD_EVERY_SECONDS = 1.0


class _Superseded(Exception):
    pass


class Job:
    def __init__(self, database: Database, import_id: str, job: str, *, is_dry: bool) -> None:
        self._database = database
        self._import_id = import_id
        self._job = job
        self._is_dry = is_dry
        # By collection.
        self._rows: dict[str, int] = {}
        self._bytes: dict[str, int] = {}
        self._size = 1

    async def work(self) -> None:
        telling = asyncio.create_task(self._tell())
        try:
            with tempfile.TemporaryDirectory(prefix="countinghouse-import-") as folder:
                values = await self._run(Path(folder))
        except Refusal as refusal:
            values = {"state": "failed", "failure": refusal.message[:1000]}
        finally:
            telling.cancel()
        await self._store(values)

    async def _run(self, folder: Path) -> dict[str, Any]:
        found = await self._database.read(lambda reader: get_import(reader, self._import_id))
        path = folder / "file" / found.file_name
        path.parent.mkdir()
        await self._fetch(path)
        corrections = Map.model_validate_json(found.map)
        mapped = map_sources(find_sources([path]), corrections)
        report = Report(folder / "bad.csv")
        actor = Actor(found.job_by)
        self._size = sum(one.source.size for one in mapped if one.map.noun is not None) or 1
        run = Run(self._database, actor, mapped, final_map(mapped, corrections), report, self._is_dry, self._note)
        # Nobody at this desk accepted such a claim: the admin who imports it could pay it alone.
        run.refused_statuses = ("Accepted",)
        is_complete = not any(one.missing for one in mapped) and any(one.map.noun for one in mapped)
        if is_complete:
            await run.run()
        bad_rows = zlib.compress(report.path.read_bytes()) if report.has_file else None
        told = msgspec.json.encode(_told(run, mapped)).decode()
        return {"state": "planned" if self._is_dry else "done", "report": told, "bad_rows": bad_rows}

    async def _fetch(self, path: Path) -> None:
        of_import = import_parts.c.import_id == self._import_id
        numbers = await self._database.read(
            lambda reader: reader.scalars(
                select(import_parts.c.number).where(of_import).order_by(import_parts.c.number)
            )
        )
        with path.open("wb") as file:
            for number in numbers:
                one = select(import_parts.c.content).where(of_import, import_parts.c.number == number)
                file.write(await self._database.read(partial(_scalar, statement=one), Cost.MEDIUM))

    def _note(self, reached: Progress) -> None:
        self._rows[reached.collection] = reached.rows
        self._bytes[reached.collection] = reached.bytes_read

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(_TOLD_EVERY_SECONDS)
            share = min(100, 100 * sum(self._bytes.values()) // self._size)
            try:
                await self._store({"rows_done": sum(self._rows.values()), "share_done": share})
            except _Superseded:
                # The thread that stores rows cannot be stopped otherwise. What it has stored stays.
                os._exit(1)

    async def _store(self, values: dict[str, Any]) -> None:
        ours = (imports.c.id == self._import_id) & (imports.c.job == self._job)
        change = update(imports).where(ours).values(values | {"heard_at": now()})
        is_done = values.get("state") == "done"

        async def store(transaction: Any) -> int:
            if is_done:
                await transaction.execute(delete(import_parts).where(import_parts.c.import_id == self._import_id))
            changed: int = await transaction.execute(change)
            return changed

        if not await self._database.write(store):
            raise _Superseded


async def _scalar(reader: Reader, statement: Select[Any]) -> Any:
    return await reader.scalar(statement)


def _told(run: Run, mapped: list[Mapped]) -> dict[str, Any]:
    return {
        "collections": [
            {"name": one.source.name, **one.map.model_dump(by_alias=True), "unused": one.unused, "missing": one.missing}
            for one in mapped
        ],
        "outcomes": {noun: dict(counts) for noun, counts in run.report.outcomes.items()},
        "notes": run.report.notes,
        "firstBad": run.report.first_bad,
        "totals": [line._asdict() for line in run.lines],
    }


def main(import_id: str, job: str, task: str) -> None:
    database = Database(Settings().database)
    try:
        asyncio.run(Job(database, import_id, job, is_dry=task == "plan").work())
    finally:
        database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
