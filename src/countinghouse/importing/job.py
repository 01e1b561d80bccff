"""One plan or run of an uploaded file, in a process of its own: it needs a core and memory that requests must not lack.

The server starts it: python -m countinghouse.importing.job IMPORT JOB TASK. It ends itself if another job has taken
its place, and its work is continued by the next one.
"""

import asyncio
import os
import sys
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
from sqlalchemy import Row, Select, delete, select, update

from countinghouse.audit.actions import Actor
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.errors import Conflict, Refusal
from countinghouse.core.memory import limit_memory
from countinghouse.core.own_process import end_with_parent
from countinghouse.importing.folders import job_folder, remove_folder
from countinghouse.importing.mapping import Map, Mapped, final_map, map_sources
from countinghouse.importing.nouns import FIELDS, ORDER, REFUSED_ON_SCREEN, NounName
from countinghouse.importing.report import Report
from countinghouse.importing.running import MostlyBad, Progress, Run
from countinghouse.importing.shapes import ImportReport, MappedCollection, TotalsPart
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.tables import import_parts, imports
from countinghouse.importing.totals import SUMMED, Sums
from countinghouse.importing.uploads import INCOMPLETE, SUPERSEDED, Task, files_of, get_import, part_sizes
from countinghouse.settings import Settings

# How often the progress is stored, which also shows that the job is alive.
_REPORT_EVERY_SECONDS = 1.0
# Of the file of bad rows, which the server sends from memory.
MOST_CHARACTERS = 32 * 1024 * 1024
# In addition to the size of the process at start. The largest spreadsheets need most of it, other files a tenth.
MEMORY_BYTES = 2 * 1024 * 1024 * 1024
_TOO_LARGE = (
    "This import needs more memory than an import may take. "
    "Upload fewer or smaller files, save spreadsheets as CSV, or use the command countinghouse import."
)
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")


class _Superseded(Exception):
    pass


class Job:
    def __init__(self, database: Database, folder: Path, import_id: str, job: str, task: Task) -> None:
        self._database = database
        self._folder = folder
        self._import_id = import_id
        self._job = job
        self._task = task
        # By collection, of the current pass; and what the passes before it have read.
        self._rows: dict[str, int] = {}
        self._bytes: dict[str, int] = {}
        self._bytes_before = 0
        self._size = 1

    async def work(self) -> None:
        telling = asyncio.create_task(self._tell())
        try:
            values = await self._run(self._folder)
        except Refusal as refusal:
            values = {"state": "failed", "failure": refusal.message[:1000]}
        except MemoryError:
            values = {"state": "failed", "failure": _TOO_LARGE}
        finally:
            telling.cancel()
        with suppress(_Superseded):
            await self._store(values)

    async def _run(self, folder: Path) -> dict[str, Any]:
        found = await self._database.read(lambda reader: get_import(reader, self._import_id))
        sources = folder / "files"
        sources.mkdir()
        paths = await self._fetch(found, sources)
        corrections = Map.model_validate_json(found.map)
        # On a thread: spreadsheets take seconds, and the job must not seem to have ended meanwhile.
        mapped = map_sources(await asyncio.to_thread(find_sources, paths), corrections)
        size = sum(one.source.size for one in mapped if one.map.noun is not None) or 1
        kinds = {"plan": [True], "run": [False], "run_or_nothing": [True, False]}[self._task]
        self._size = size * len(kinds)
        for number, is_dry in enumerate(kinds):
            self._rows, self._bytes, self._bytes_before = {}, {}, size * number
            report = Report(folder / f"bad-{number}.csv", MOST_CHARACTERS)
            whole = final_map(mapped, corrections)
            run = Run(self._database, Actor(found.job_by), mapped, whole, report, is_dry, self._note)
            run.refused_statuses = REFUSED_ON_SCREEN
            run.stops_if_mostly_bad = self._task == "plan"
            if not any(one.missing for one in mapped) and any(one.map.noun for one in mapped):
                try:
                    await run.run()
                except MostlyBad as stopped:
                    return _values(run, mapped, stopped)
            values = _values(run, mapped)
            if is_dry and report.bad_rows and self._task != "plan":
                return values | {"failure": "Nothing was imported, because rows have become bad since the plan."}
        return values

    async def _fetch(self, found: Row[Any], folder: Path) -> list[Path]:
        """Writes the files as they were uploaded. Returns those that may have rows: not the pictures of QR codes."""
        number = 0
        paths = []
        for uploaded in files_of(found):
            path = folder / uploaded["name"]
            with path.open("wb") as file:
                for _ in part_sizes(uploaded):
                    one = select(import_parts.c.content).where(
                        import_parts.c.import_id == self._import_id, import_parts.c.number == number
                    )
                    content = await self._database.read(partial(_scalar, statement=one), Cost.MEDIUM)
                    if content is None:
                        raise Conflict("import_is_incomplete", INCOMPLETE)
                    file.write(content)
                    number += 1
            paths.append(path)
        return [path for path in paths if path.suffix.lower() not in _PICTURES] or paths

    def _note(self, reached: Progress) -> None:
        self._rows[reached.collection] = reached.rows
        self._bytes[reached.collection] = reached.bytes_read

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(_REPORT_EVERY_SECONDS)
            read = self._bytes_before + sum(self._bytes.values())
            share = min(100, 100 * read // self._size)
            try:
                await self._store({"rows_done": sum(self._rows.values()), "share_done": share})
            except _Superseded:
                # The thread that stores rows cannot be stopped otherwise. What it has stored stays.
                os._exit(SUPERSEDED)

    async def _store(self, values: dict[str, Any]) -> None:
        ours = (imports.c.id == self._import_id) & (imports.c.job == self._job)
        is_done = values.get("state") == "done"

        async def store(transaction: Any) -> int:
            if is_done:
                await transaction.execute(delete(import_parts).where(import_parts.c.import_id == self._import_id))
            heard = {"heard_at": await transaction.now()}
            changed: int = await transaction.execute(update(imports).where(ours).values(values | heard))
            return changed

        if not await self._database.write(store):
            raise _Superseded


async def _scalar(reader: Reader, statement: Select[Any]) -> Any:
    return await reader.scalar(statement)


def _values(run: Run, mapped: list[Mapped], stopped: MostlyBad | None = None) -> dict[str, Any]:
    bad_rows = zlib.compress(run.report.path.read_bytes()) if run.report.has_file else None
    report = _report(run, mapped)
    if stopped is not None:
        # Without outcomes it is no plan, so that it cannot be run.
        report["outcomes"] = {}
        failed = {"state": "failed", "failure": stopped.message}
    summary = msgspec.json.encode(report).decode()
    state = {"state": "planned" if run.is_dry else "done"} if stopped is None else failed
    return state | {"report": summary, "bad_rows": bad_rows}


def _report(run: Run, mapped: list[Mapped]) -> ImportReport:
    return {
        "collections": [_report_collection(run, one) for one in mapped],
        "outcomes": {noun: dict(run.report.outcomes[noun]) for noun in ORDER if noun in run.report.outcomes},
        "notes": run.report.notes,
        "firstBad": run.report.first_bad,
        "totals": [
            {
                "noun": line.noun,
                "group": line.group,
                "source": _report_sums(line.noun, line.source),
                "bad": _report_sums(line.noun, line.bad),
                "desk": _report_sums(line.noun, line.desk),
                "missing": _report_sums(line.noun, line.missing),
            }
            for line in run.lines
        ],
    }


def _report_collection(run: Run, one: Mapped) -> MappedCollection:
    fields = FIELDS[one.map.noun] if one.map.noun else ()
    return {
        "name": one.source.name,
        "file": one.source.path.name,
        "noun": one.map.noun,
        "fields": one.map.fields,
        "defaults": dict(one.map.defaults),
        "statuses": dict(one.map.statuses),
        "dateFormat": one.map.date_format,
        "sourceFields": list(one.names),
        "ourFields": [{"name": field.name, "isRequired": field.is_required} for field in fields],
        "unused": list(one.unused),
        "missing": one.missing,
        "unknownStatuses": run.unknown_statuses.get(one.source.name, []),
    }


def _report_sums(noun: NounName, sums: Sums) -> TotalsPart:
    return {
        "rows": sums.rows,
        "sums": {title: paise / 100 for title, paise in zip(SUMMED[noun], sums.paise, strict=False)},
    }


def main(folder: Path, import_id: str, job: str, task: Task) -> None:
    # Before the database starts its threads. The server on the same machine must not run out of memory.
    limit_memory(MEMORY_BYTES)
    database = Database.from_settings(Settings())
    try:
        asyncio.run(Job(database, folder, import_id, job, task).work())
    finally:
        database.close()


if __name__ == "__main__":
    _, *names, asked = sys.argv
    with job_folder() as own_folder:
        end_with_parent(partial(remove_folder, own_folder))
        main(own_folder, names[0], names[1], cast(Task, asked))
