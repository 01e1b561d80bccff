"""One run of an import: reads the source portion by portion, and stores each in one transaction, or only plans to.

Nothing is remembered between runs. A second run finds the rows of the first by their ids, so that a run that was killed
is simply started again.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from countinghouse.audit.actions import Actor, record
from countinghouse.claims.lifecycle import Status
from countinghouse.core.db import AlreadyThere, Cost, Database, DeadlockDetected, Reader, Transaction
from countinghouse.core.errors import Conflict, Refusal
from countinghouse.core.ids import new_id
from countinghouse.importing.converting import Candidate, Converter, Problem
from countinghouse.importing.mapping import Map, Mapped, in_order
from countinghouse.importing.nouns import NounName
from countinghouse.importing.pictures import examine_qr, find_stored_qr, store_qr
from countinghouse.importing.report import BAD, Outcome, Report
from countinghouse.importing.resource import ImportVerb
from countinghouse.importing.rows import ImportedClaim, ImportedQr
from countinghouse.importing.seen import Seen, SeenRow
from countinghouse.importing.storing import IMPORTED_CLAIMS, ImportStoring, find_taken_references
from countinghouse.importing.totals import Cell, Line, Totals, compare, read_desk_totals
from countinghouse.india.mobiles import plain_mobile
from countinghouse.intake.nouns import PURCHASES, USERS
from countinghouse.intake.rows import IntakeRow, Invalid, UserRow
from countinghouse.intake.storing import Result
from countinghouse.qr.picture_client import PictureWorker

# Few enough that others wait for a portion only for a moment.
STORED_TOGETHER = 1000
# How long one statement of a portion may take.
_SILENCE_SECONDS = 120.0
# How often a portion is tried again that others store at the same moment.
_TRIES = 5
# A plan ends with so many bad rows if there are not as many good ones.
MOST_BAD_ROWS = 50_000
_NOUNS = {"users": USERS, "purchases": PURCHASES, "claims": IMPORTED_CLAIMS}


@dataclass(frozen=True, slots=True)
class Progress:
    collection: str
    rows: int
    bytes_read: int
    size: int


class MostlyBad(Refusal):
    """The rest would hardly say more, and a small file can unpack to millions of such rows."""

    def __init__(self, bad: int) -> None:
        super().__init__(
            "import_mostly_bad",
            f"The check stopped after {bad:,} bad rows, because most rows are bad. Look at the first of them, correct "
            "the map or your files, and check again.",
        )


OnProgress = Callable[[Progress], None]


@dataclass
class Run:
    """`folder` is where pictures are that the source names by their paths."""

    database: Database
    actor: Actor
    mapped: Sequence[Mapped]
    map: Map
    report: Report
    is_dry: bool
    on_progress: OnProgress
    totals: Totals = field(default_factory=Totals)
    bad: Totals = field(default_factory=Totals)
    # Claims with these statuses are bad rows.
    refused_statuses: tuple[Status, ...] = ()
    stops_if_mostly_bad: bool = False
    lines: list[Line] = field(default_factory=list)
    # By collection.
    unknown_statuses: dict[str, list[str]] = field(default_factory=dict)

    async def run(self) -> None:
        seen = Seen()
        try:
            with PictureWorker() as worker, _few_garbage_collections():
                for noun, mapped in in_order(self.mapped):
                    await _Collection(self, noun, mapped, seen, worker).run()
            desk = Totals()
            if not self.is_dry:
                await self.database.write(self._record)
                desk = await read_desk_totals(self.database, seen)
            self.lines = list(compare(self.totals, self.bad, desk))
        finally:
            seen.close()
            self.report.close()

    def check_bad_rows(self) -> None:
        bad = self.report.bad_rows
        if self.stops_if_mostly_bad and bad > max(MOST_BAD_ROWS, self.report.good_rows):
            raise MostlyBad(bad)

    async def _record(self, transaction: Transaction) -> None:
        names = sorted({mapped.source.path.name for mapped in self.mapped if mapped.map.noun is not None})
        outcomes = {noun: dict(counts) for noun, counts in self.report.outcomes.items()}
        await record(transaction, self.actor, ImportVerb.ENDED, new_id(), after={"files": names[:20], **outcomes})


class _Collection:
    """One collection of a run."""

    def __init__(self, run: Run, noun: NounName, mapped: Mapped, seen: Seen, worker: PictureWorker) -> None:
        self._run = run
        self._noun = noun
        self._source = mapped.source
        self._seen = seen
        self._worker = worker
        self._converter = Converter(noun, mapped, run.map)
        self._keeps_mobiles = noun == "users" and any(_names_users_by_mobile(one) for one in run.mapped)

    async def run(self) -> None:
        done, size = 0, self._source.size
        for candidates in _portions(map(self._converter.convert, self._source.read())):
            if self._noun == "qr":
                for candidate in candidates:
                    await self._take_qr(candidate)
            else:
                await self._take(candidates)
            done += len(candidates)
            self._run.report.flush()
            self._run.on_progress(Progress(self._source.name, done, self._source.bytes_read, size))
            # Also of a plan that stops: the map may have to name them.
            self._run.unknown_statuses[self._source.name] = list(self._converter.unknown_statuses)
            self._run.check_bad_rows()
        self._run.on_progress(Progress(self._source.name, done, size, size))
        self._run.unknown_statuses[self._source.name] = list(self._converter.unknown_statuses)

    async def _take(self, candidates: Sequence[Candidate]) -> None:
        self._refuse_repeated(candidates)
        self._refuse_statuses(candidates)
        rows = [_to_row(candidate) for candidate in candidates]
        storing, results = await self._stored(rows)
        noted: list[tuple[str, SeenRow]] = []
        mobiles: list[tuple[str, str]] = []
        references: list[tuple[str, SeenRow]] = []
        for candidate, row, result in zip(candidates, rows, results, strict=True):
            problems = candidate.problems or _problems(row, result)
            self._count(candidate, result.outcome, problems)
            desk_id = None if result.outcome in BAD else result.row_id
            seen = SeenRow(self._source.name, candidate.place, desk_id, storing.owner_of(row) if desk_id else None)
            noted += [(key, seen) for key in _keys(candidate)]
            if desk_id and self._keeps_mobiles and isinstance(row, UserRow):
                mobiles.append((plain_mobile(row.mobile) or row.mobile, desk_id))
            if desk_id and isinstance(row, ImportedClaim) and row.reference is not None:
                references.append((row.reference, seen))
        # After the commit: if it fails, the run ends.
        self._seen.add(self._noun, noted)
        self._seen.add_mobiles(mobiles)
        self._seen.add("references", references)

    def _refuse_repeated(self, candidates: Sequence[Candidate]) -> None:
        """Of several documents with one id, the first is imported."""
        before = self._seen.find(self._noun, {key for candidate in candidates for key in _keys(candidate)})
        for candidate in candidates:
            keys = _keys(candidate)
            first = next((before[key] for key in keys if key in before), None)
            for key in keys:
                before.setdefault(key, SeenRow(self._source.name, candidate.place, None))
            if first is not None:
                where = "" if first.source == self._source.name else f" of {first.source}"
                reason = f"_id is the same as in {self._source.unit} {first.place}{where}, which came first."
                candidate.problems = [Problem("_id", keys[0], reason)]

    def _refuse_statuses(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            row = candidate.row
            if isinstance(row, ImportedClaim) and row.status in self._run.refused_statuses and not candidate.problems:
                reason = f"status {row.status} can be imported only by the command: nobody at this desk decided it."
                candidate.problems = [Problem("status", row.status, reason)]

    async def _stored(self, rows: list[IntakeRow | Invalid]) -> tuple[ImportStoring, list[Result]]:
        work = partial(self._store, rows=rows)
        for _ in range(_TRIES):
            try:
                if self._run.is_dry:
                    return await self._run.database.read(work, Cost.LONG)
                return await self._run.database.write(work, silence_seconds=_SILENCE_SECONDS)
            except (AlreadyThere, DeadlockDetected):
                # Others have stored the same rows meanwhile. They are found the next time.
                continue
        raise Conflict("import_hindered", "Others keep storing the same rows. Run the import again when they are done.")

    async def _store(
        self, reader: Reader | Transaction, rows: list[IntakeRow | Invalid]
    ) -> tuple[ImportStoring, list[Result]]:
        claims = [row for row in rows if isinstance(row, ImportedClaim)]
        taken = await find_taken_references(reader, claims, self._seen)
        refused = [
            Invalid(row.external_id, {"reference": taken[row.external_id]})
            if isinstance(row, ImportedClaim) and row.external_id in taken
            else row
            for row in rows
        ]
        storing = ImportStoring(
            reader, self._run.actor, _NOUNS[self._noun], refused, self._seen, is_dry=self._run.is_dry
        )
        return storing, await storing.store()

    async def _take_qr(self, candidate: Candidate) -> None:
        self._refuse_repeated([candidate])
        row = candidate.row
        outcome: Outcome = "invalid"
        problems: Sequence[Problem] = candidate.problems
        if not problems and isinstance(row, ImportedQr):
            examined = examine_qr(self._worker, row, self._source.path.parent)
            if isinstance(examined, list):
                problems = examined
            else:
                known = await self._run.database.read(partial(find_stored_qr, row=row, examined=examined))
                outcome, problems = known or ("created", [])
                if known is None and not self._run.is_dry:
                    await self._run.database.write(partial(store_qr, actor=self._run.actor, row=row, examined=examined))
        self._count(candidate, outcome, problems)
        desk_id = row.id if isinstance(row, ImportedQr) and outcome not in BAD else None
        seen = SeenRow(self._source.name, candidate.place, desk_id)
        self._seen.add("qr", [(key, seen) for key in _keys(candidate)])

    def _count(self, candidate: Candidate, outcome: Outcome, problems: Sequence[Problem]) -> None:
        source = self._source
        place = f"{source.unit} {candidate.place}"
        remarks = [*problems, *(() if outcome in BAD else candidate.notes)]
        self._run.report.add(self._noun, source.path.name, source.name, place, outcome, remarks)
        cell = Cell(self._noun, candidate.month, candidate.status)
        self._run.totals.add(cell, candidate.amounts)
        if outcome in BAD:
            self._run.bad.add(cell, candidate.amounts)


@contextmanager
def _few_garbage_collections() -> Iterator[None]:
    """Rows come and go by the thousand, and none is part of a cycle. Looking for cycles took a tenth of an import."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def _portions(candidates: Iterator[Candidate]) -> Iterator[list[Candidate]]:
    while portion := list(islice(candidates, STORED_TOGETHER)):
        yield portion


def _keys(candidate: Candidate) -> list[str]:
    """What identifies the row: its own id and the one in the desk, which are usually the same."""
    own = getattr(candidate.row, "id", None)
    return list(dict.fromkeys(key for key in (candidate.external_id, own) if key))


def _to_row(candidate: Candidate) -> IntakeRow | Invalid:
    if candidate.problems or not isinstance(candidate.row, IntakeRow):
        return Invalid(candidate.external_id, {})
    return candidate.row


def _problems(row: IntakeRow | Invalid, result: Result) -> list[Problem]:
    return [Problem(name, _value(row, name), sentence) for name, sentence in result.fields.items()]


def _value(row: IntakeRow | Invalid, name: str) -> str:
    if isinstance(row, Invalid):
        return ""
    written: Any = row.model_dump(by_alias=True).get(name, "")
    return ": ".join(written) if isinstance(written, tuple) else str(written)


def _names_users_by_mobile(mapped: Mapped) -> bool:
    return mapped.map.noun in ("purchases", "claims") and not mapped.map.fields.get("user", "").lower().endswith("id")


def errors_path(folder: Path, stamp: str) -> Path:
    """A new name for each run, so that no report replaces another."""
    path = folder / f"import-errors-{stamp}.csv"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"import-errors-{stamp}-{number}.csv"
    return path
