"""CSV files, and the sheets of Excel and LibreOffice files. The first row has the names of the fields."""

import csv
import io
import subprocess
import sys
import zipfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from countinghouse.core.errors import InvalidInput
from countinghouse.importing.sources.documents import UNPACKING_ERRORS, Document, Source, unreadable
from countinghouse.importing.sources.workbook_check import NOT_A_WORKBOOK

_NOTED_EVERY = 500
# A picture may be in a cell, as a data URL.
_LONGEST_CELL = 10 * 1024 * 1024
# In characters, line breaks in cells included.
LONGEST_ROW = 16 * 1024 * 1024
# A spreadsheet is read into memory as a whole. These many bytes of its cells need about ten times as much.
LARGEST_SHEETS = 150 * 1024 * 1024

# It has a limit on its processor time as well, but may also wait for the disk.
_CHECK_SECONDS = 120.0

_CUT_OFF = "The file ends too early. Export it again; what comes after is missing."
_NOT_UTF8 = "The file is not written in UTF-8, and nothing after this place could be read. Save it as CSV UTF-8."
_COSTLY = (
    "{name} needs more memory or time than a spreadsheet may take. Perhaps a cell is far from the others: "
    "delete the rows and columns beyond your data, or save the sheets as CSV."
)


@dataclass
class CsvFile(Source):
    unit = "line"

    def read(self) -> Iterator[Document]:
        line = 1
        try:
            with self.opened() as file:
                start = file.read(2)
                encoding = "utf-16" if start in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig"
                file.seek(0)
                text = io.TextIOWrapper(file, encoding, newline="")
                try:
                    for document in self._rows(text):
                        line = document.place
                        yield document
                finally:
                    # Otherwise it would close the file, which `opened` does.
                    text.detach()
        except UnicodeDecodeError:
            yield unreadable(line + 1, _NOT_UTF8)
        except UNPACKING_ERRORS:
            yield unreadable(line + 1, _CUT_OFF)
        except csv.Error as error:
            yield unreadable(line + 1, f"The rest of the file is not CSV: {error}.")

    def _rows(self, text: io.TextIOWrapper) -> Iterator[Document]:
        csv.field_size_limit(_LONGEST_CELL)
        lines = _Lines(text)
        rows = csv.reader(lines, delimiter=_delimiter(lines.first), strict=True)
        self.headings = names = _field_names(next(rows, []))
        lines.end_row()
        # A cell may contain line breaks: a row begins on the line after the end of the one before.
        ended_at = rows.line_num
        for count, cells in enumerate(rows):
            line, ended_at = ended_at + 1, rows.line_num
            lines.end_row()
            if lines.has_cut_line and len(cells) < len(names):
                yield unreadable(line, _CUT_OFF)
            elif any(cells):
                yield _to_document(names, cells, line)
            if count % _NOTED_EVERY == 0:
                self.note_progress()


class _Lines:
    """The lines of a file. A row that never ends is an error, and is not read into memory."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._left = LONGEST_ROW
        # The last line may have no line break. If it lacks cells too, the file was cut off.
        self.has_cut_line = False
        self.first = self._read()

    def end_row(self) -> None:
        self._left = LONGEST_ROW

    def __iter__(self) -> Iterator[str]:
        line = self.first
        while line:
            yield line
            line = self._read()

    def _read(self) -> str:
        line = self._text.readline(self._left)
        self._left -= len(line)
        self.has_cut_line = bool(line) and not line.endswith(("\n", "\r"))
        if self._left == 0:
            raise csv.Error(f"a row is longer than {LONGEST_ROW >> 20} million characters")
        return line


def _delimiter(first: str) -> str:
    return max(",;\t|", key=first.count)


@dataclass
class Sheet(Source):
    """One sheet of a file for Excel or LibreOffice."""

    sheet: str = ""
    unit = "row"

    def read(self) -> Iterator[Document]:
        rows = _open_workbook(self.path).get_sheet_by_name(self.sheet).iter_rows()
        names: list[str] = []
        for place, cells in enumerate(rows, 1):
            if not names:
                self.headings = names = _field_names(["" if cell is None else str(cell) for cell in cells])
            elif any(cell not in ("", None) for cell in cells):
                yield _to_document(names, cells, place)
        self.bytes_read = self.size


def list_sheets(path: Path) -> list[Sheet]:
    _refuse_large(path)
    _refuse_costly(path)
    names = _open_workbook(path).sheet_names
    # The usual name of the only sheet says nothing; the name of the file may.
    return [Sheet(path.stem if len(names) == 1 else name, path, name) for name in names]


def _refuse_large(path: Path) -> None:
    size = path.stat().st_size
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as packed:
                size = sum(part.file_size for part in packed.infolist())
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise _not_a_spreadsheet(path) from error
    if size > LARGEST_SHEETS:
        raise InvalidInput({"import": f"{path.name} is too large for a spreadsheet. Save its sheets as CSV."})


def _refuse_costly(path: Path) -> None:
    """Reads it in another process first. A small file can need any amount of memory, and its sizes can be wrong."""
    # -P: never import a module from the current folder.
    command = (sys.executable, "-P", "-m", "countinghouse.importing.sources.workbook_check", str(path.absolute()))
    code = None
    # The check ends when its standard input is closed, so it does not outlive this process.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as check:  # noqa: S603 - our own module
        try:
            code = check.wait(_CHECK_SECONDS)
        except subprocess.TimeoutExpired:
            check.kill()
    if code == NOT_A_WORKBOOK:
        raise _not_a_spreadsheet(path)
    if code != 0:
        raise InvalidInput({"import": _COSTLY.format(name=path.name)})


def _open_workbook(path: Path) -> Any:
    # Loads a library of its own, which the other commands do not need.
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return CalamineWorkbook.from_path(path)
    except (CalamineError, OSError) as error:
        raise _not_a_spreadsheet(path) from error


def _not_a_spreadsheet(path: Path) -> InvalidInput:
    sentence = f"{path.name} cannot be opened as a spreadsheet. If it has a password, remove it."
    return InvalidInput({"import": sentence})


def _field_names(cells: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in cells]


def _to_document(names: Sequence[str], cells: Sequence[Any], place: int) -> Document:
    if len(cells) > len(names) and any(cell not in ("", None) for cell in cells[len(names) :]):
        return unreadable(place, f"This row has {len(cells)} cells, but the first row names {len(names)}.")
    return Document(place, {name: cell for name, cell in zip(names, cells, strict=False) if name and cell != ""})
