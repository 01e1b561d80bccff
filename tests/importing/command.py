"""Runs `countinghouse import` as an operator would, and reads what it reports."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command import SECONDS
from tests.servers import server_environment
from tests.warm import WarmProcess

NOUNS = ("users", "purchases", "claims", "qr")


@dataclass(frozen=True)
class Ran:
    """`outcomes` has, for each noun, how many rows are created, unchanged, conflicting and invalid."""

    code: int
    output: str
    errors: str
    folder: Path

    @property
    def outcomes(self) -> dict[str, tuple[int, ...]]:
        return read_outcomes(self.output)

    @property
    def bad_rows(self) -> list[dict[str, str]]:
        reports = sorted(self.folder.glob("import-errors-*.csv"))
        assert len(reports) <= 1
        return read_report(reports[0]) if reports else []


def read_outcomes(output: str) -> dict[str, tuple[int, ...]]:
    found = {}
    for line in output.splitlines():
        cells = [cell.strip() for cell in re.split("[│|]", line)]
        if len(cells) == 7 and cells[1] in NOUNS and all(cell.replace(",", "").isdigit() for cell in cells[2:6]):
            found[cells[1]] = tuple(int(cell.replace(",", "")) for cell in cells[2:6])
    return found


def read_report(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def started_import(database_url: str, folder: Path, *words: str) -> WarmProcess:
    """The command in a new folder, in which it leaves its report."""
    folder.mkdir()
    for name in ("out", "err"):
        (folder / name).touch()
    # Wide enough that no cell of a table is cut into lines.
    env = server_environment(database_url) | {"COLUMNS": "250"}
    return WarmProcess(("import", *words), env=env, cwd=folder, given=None, out=folder / "out", err=folder / "err")


def run_import(database_url: str, folder: Path, *words: str) -> Ran:
    process = started_import(database_url, folder, *words)
    try:
        code = process.wait(SECONDS)
    finally:
        process.kill()
    output, errors = ((folder / name).read_text() for name in ("out", "err"))
    return Ran(code, output, errors, folder)
