"""The command `import`."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from countinghouse.audit.actions import COMMAND
from countinghouse.claims.lifecycle import STATUSES
from countinghouse.cli.terminal import complain, err, migrated_database, out
from countinghouse.core.db import Database
from countinghouse.core.errors import InvalidInput
from countinghouse.importing.mapping import Map, Mapped, final_map, map_sources, read_map
from countinghouse.importing.nouns import FIELDS, ORDER
from countinghouse.importing.report import OUTCOMES, Report
from countinghouse.importing.running import OnProgress, Run, errors_path
from countinghouse.importing.running import Progress as Reached
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.totals import SUMMED, Line, Sums
from countinghouse.india.amounts import in_rupees

# Rows were left out: the exit code that tells a script to look at the report.
BAD_ROWS = 4

AGREE = "Source and desk agree: every row, every sum."


def import_data(
    paths: Annotated[list[Path], typer.Argument(help="Dumps, exports, CSV files, spreadsheets, or folders of them.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")] = False,
    map_file: Annotated[
        Path | None, typer.Option("--map", help="Corrections of the guessed map, as JSON or TOML.")
    ] = None,
    save_map: Annotated[Path | None, typer.Option("--save-map", help="Write the whole map to this JSON file.")] = None,
    stop_at_errors: Annotated[
        bool, typer.Option("--stop-at-errors", help="Import nothing if there is a single bad row.")
    ] = False,
) -> None:
    """Import users, purchases, claims and QR codes from MongoDB, CSV files or spreadsheets.

    It is safe to run twice, and to run again after it was interrupted: what is there already stays unchanged.
    """
    with migrated_database() as database:
        corrections = Map() if map_file is None else read_map(map_file)
        mapped = map_sources(find_sources(paths), corrections)
        whole = final_map(mapped, corrections)
        _print_map(mapped, whole)
        if save_map is not None:
            _save(whole, save_map)
        _refuse_incomplete(mapped)
        if stop_at_errors and not dry_run:
            planned = _run(database, mapped, whole, is_dry=True)
            if planned.report.bad_rows:
                _print_outcomes(planned)
                complain("Nothing was imported, because there are bad rows.")
                raise typer.Exit(BAD_ROWS)
        run = _run(database, mapped, whole, is_dry=dry_run)
    _print_outcomes(run)
    _print_totals(run)
    if run.report.bad_rows:
        raise typer.Exit(BAD_ROWS)


def _save(whole: Map, path: Path) -> None:
    if path.suffix == ".toml":
        raise InvalidInput({"map": "The map is saved as JSON. Choose a name that ends in .json."})
    try:
        path.write_text(whole.to_json(), "utf-8")
    except OSError as error:
        raise InvalidInput({"map": f"The map cannot be saved: {error}."}) from error


def _refuse_incomplete(mapped: Sequence[Mapped]) -> None:
    if all(one.map.noun is None for one in mapped):
        sentence = "No collection looks like users, purchases, claims or QR codes. Say in a map which is which."
        raise InvalidInput({"map": sentence})
    lacking = [
        f"{one.source.name}: no field for {', '.join(one.missing)}. Name it in the map, or give a default."
        for one in mapped
        if one.missing
    ]
    if lacking:
        raise InvalidInput({"map": " ".join(lacking)})


def _run(database: Database, mapped: Sequence[Mapped], whole: Map, *, is_dry: bool) -> Run:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    with _shown_progress(mapped) as on_progress:
        run = Run(database, COMMAND, mapped, whole, Report(errors_path(Path.cwd(), stamp)), is_dry, on_progress)
        asyncio.run(run.run())
    return run


@contextmanager
def _shown_progress(mapped: Sequence[Mapped]) -> Iterator[OnProgress]:
    """Rows, rows a second, and the time left by the bytes that are still to be read."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rows]:,} rows, {task.fields[rate]:,.0f} a second"),
        TimeRemainingColumn(),
    )
    total = sum(one.source.size for one in mapped if one.map.noun is not None)
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("import", total=total, rows=0, rate=0)
        began_at, ended_bytes, ended_rows = time.monotonic(), 0, 0
        last: Reached | None = None

        def show(reached: Reached) -> None:
            nonlocal last, ended_bytes, ended_rows
            if last is not None and last.collection != reached.collection:
                ended_bytes, ended_rows = ended_bytes + last.size, ended_rows + last.rows
            last = reached
            rows = ended_rows + reached.rows
            rate = rows / max(time.monotonic() - began_at, 0.001)
            done = ended_bytes + reached.bytes_read
            progress.update(task, description=reached.collection, completed=done, rows=rows, rate=rate)

        yield show


def _print_map(mapped: Sequence[Mapped], whole: Map) -> None:
    for one in mapped:
        name = f"{one.source.path.name}: {one.source.name}"
        if one.map.noun is None or one.is_empty:
            why = "without readable documents" if one.is_empty else "not imported"
            out.print(f"{name} is {why}.", markup=False, soft_wrap=True)
            continue
        out.print(f"{name} is imported as {one.map.noun}:", markup=False, soft_wrap=True)
        for field in FIELDS[one.map.noun]:
            source = one.map.fields.get(field.name)
            default = one.map.defaults.get(field.name)
            if source is None and default is None:
                if field.name == "createdAt" and "_id" in one.map.fields:
                    out.print("    createdAt    from the time in _id", markup=False)
                continue
            otherwise = "" if default is None else f", otherwise {default}" if source else f"always {default}"
            out.print(f"    {field.name:<12} {source or ''}{otherwise}", markup=False, soft_wrap=True)
        for status in STATUSES:
            names = [name for name, ours in one.map.statuses.items() if ours == status]
            if names:
                out.print(f"    {status:<12} {', '.join(names)}", markup=False, soft_wrap=True)
        if one.unused:
            out.print(f"    not imported: {', '.join(one.unused)}", markup=False, soft_wrap=True)
    out.print(f"Times without a zone are taken as {whole.time_zone}.", markup=False)


def _print_outcomes(run: Run) -> None:
    words = {"created": "to create" if run.is_dry else "created"}
    table = Table("", *(Column(words.get(outcome, outcome), justify="right") for outcome in OUTCOMES))
    for noun in ORDER:
        if noun in run.report.outcomes:
            table.add_row(noun, *(f"{run.report.outcomes[noun][outcome]:,}" for outcome in OUTCOMES))
    out.print(table)
    if run.report.has_file:
        notes = f", and {run.report.notes:,} remarks about others" if run.report.notes else ""
        sentence = f"{run.report.bad_rows:,} rows are not imported{notes}. The reasons are in {run.report.path}"
        out.print(sentence, markup=False, soft_wrap=True)


def _print_totals(run: Run) -> None:
    for noun in ORDER:
        lines = [line for line in run.lines if line.noun == noun]
        if lines:
            _print_totals_of(lines, run.is_dry)
    if run.is_dry:
        return
    wrong = [line for line in run.lines if line.group == "all" and not line.missing.is_nothing]
    for line in wrong:
        complain(f"{line.noun}: the desk differs from the source by {_written(line.missing, SUMMED[line.noun])}.")
    if not wrong:
        out.print("The desk has what the source has, except for the bad rows." if run.report.bad_rows else AGREE)


def _print_totals_of(lines: Sequence[Line], is_dry: bool) -> None:
    """A table for each figure, so that amounts fit into a narrow terminal."""
    sides = ("source", "bad rows") if is_dry else ("source", "bad rows", "desk")
    for place, title in enumerate(("rows", *SUMMED[lines[0].noun])):
        table = Table(f"{lines[0].noun}, {title.lower()}", *(Column(side, justify="right") for side in sides))
        for line in lines:
            figures = (line.source, line.bad) if is_dry else (line.source, line.bad, line.desk)
            table.add_row(line.group, *(_figure(sums, place) for sums in figures))
        out.print(table)


def _figure(sums: Sums, place: int) -> str:
    if place == 0:
        return f"{sums.rows:,}"
    return in_rupees(sums.paise[place - 1] if sums.paise else 0)


def _written(sums: Sums, titles: Sequence[str]) -> str:
    amounts = (f"{title} {in_rupees(paise)}" for title, paise in zip(titles, sums.paise, strict=False))
    return ", ".join((f"{sums.rows:,} {'row' if sums.rows == 1 else 'rows'}", *amounts))
