"""Writes an XLSX workbook while it is sent, as a zip archive on a non-seekable stream.

Text is always an inline string, so no cell is ever a formula and every digit is kept.
"""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import IO, Any
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from countinghouse.core.resource import Column, Kind
from countinghouse.exports.files import plain_details, plain_rupees, values_of

# A sheet ends at Excel's row limit, less one row for the header...
ROWS_A_SHEET = 1_048_575
# ...or before its part of the archive would need Zip64, which Excel cannot read in a streamed archive.
BYTES_A_SHEET = 1 << 30

_HEADING = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# Indexes of the cell formats below: plain (0), the header, a moment, money. Number format 4 groups digits by the
# reader's locale, in lakhs where that is usual.
_HEADER, _MOMENT, _MONEY = 1, 2, 3
_STYLES = (
    f'{_HEADING}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
_ROOT_LINKS = (
    f'{_HEADING}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)

# Characters that XML cannot contain.
_INVALID_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Text that Excel would read as one of its escape sequences, and show as another character.
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_EXCEL_EPOCH = datetime(1899, 12, 30)


def _escaped(text: str) -> str:
    possible = _LIKE_AN_ESCAPE.sub("_x005F_", _INVALID_IN_XML.sub("\ufffd", text))
    return escape(possible, quote=False).replace("\r", "&#13;")


def _text(place: str, text: str, style: int = 0) -> str:
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{_escaped(text)}</t></is></c>'


def _money(place: str, paise: int) -> str:
    return f'<c r="{place}" s="{_MONEY}"><v>{plain_rupees(paise)}</v></c>'


def _moment(place: str, moment: datetime) -> str:
    since = moment.replace(microsecond=0) - _EXCEL_EPOCH
    return f'<c r="{place}" s="{_MOMENT}"><v>{since.days + since.seconds / 86_400:.10f}</v></c>'


_CELLS: Mapping[Kind, Callable[[str, Any], str]] = {
    "moment": _moment,
    "money": _money,
    "text": _text,
    "details": lambda place, details: _text(place, plain_details(details)),
}


class _Sink(io.RawIOBase):
    """Buffers what is written until `take`. It is not seekable, so zipfile writes the sizes after each part."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        taken, self._pieces = b"".join(self._pieces), []
        return taken


class XlsxWriter:
    media_type = f"{_TYPES}.sheet"

    def __init__(self, columns: Sequence[Column], zone: ZoneInfo, title: str) -> None:
        self._columns = columns
        self._labels = [column.label_in(zone) for column in columns]
        self._title = title
        self._values = values_of(columns, zone)
        self._cells = [(chr(ord("A") + at), _CELLS[column.kind]) for at, column in enumerate(columns)]
        self._sink = _Sink()
        # Fast rather than small: the server compresses while the client waits.
        self._archive = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._sheets = 0
        self._sheet: IO[bytes] | None = None
        self._row = self._bytes = 0

    def begin(self) -> bytes:
        self._archive.writestr("_rels/.rels", _ROOT_LINKS)
        self._archive.writestr("xl/styles.xml", _STYLES)
        self._begin_sheet()
        return self._sink.take()

    def add(self, rows: Sequence[Row[Any]]) -> bytes:
        rest = rows
        while rest:
            if self._row > ROWS_A_SHEET or self._bytes >= BYTES_A_SHEET:
                self._end_sheet()
                self._begin_sheet()
            fitting = rest[: ROWS_A_SHEET + 1 - self._row]
            self._write("".join([self._row_of(self._values(row)) for row in fitting]))
            rest = rest[len(fitting) :]
        return self._sink.take()

    def end(self) -> bytes:
        self._end_sheet()
        numbers = range(1, self._sheets + 1)
        names = [self._title if number == 1 else f"{self._title} {number}" for number in numbers]
        sheets = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(names, 1))
        links = "".join(
            f'<Relationship Id="rId{i}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in numbers
        )
        types = "".join(
            f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{_TYPES}.worksheet+xml"/>' for i in numbers
        )
        self._archive.writestr(
            "xl/workbook.xml",
            f'{_HEADING}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{sheets}</sheets></workbook>',
        )
        self._archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'{_HEADING}<Relationships xmlns="{_PACKAGE}/relationships">{links}'
            f'<Relationship Id="rId{self._sheets + 1}" Type="{_LINKS}/styles" Target="styles.xml"/></Relationships>',
        )
        self._archive.writestr(
            "[Content_Types].xml",
            f'{_HEADING}<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>{types}</Types>',
        )
        self._archive.close()
        return self._sink.take()

    def _begin_sheet(self) -> None:
        self._sheets += 1
        self._row = self._bytes = 0
        self._sheet = self._archive.open(f"xl/worksheets/sheet{self._sheets}.xml", "w")
        widths = "".join(
            f'<col min="{i}" max="{i}" width="{column.width}" customWidth="1"/>'
            for i, column in enumerate(self._columns, 1)
        )
        labels = "".join(
            _text(f"{letter}1", label, _HEADER) for (letter, _), label in zip(self._cells, self._labels, strict=True)
        )
        self._write(
            f'{_HEADING}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
            '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
            f'<cols>{widths}</cols><sheetData><row r="1">{labels}</row>'
        )
        self._row = 1

    def _end_sheet(self) -> None:
        self._write("</sheetData></worksheet>")
        if self._sheet is not None:
            self._sheet.close()

    def _row_of(self, values: Sequence[Any]) -> str:
        self._row += 1
        cells = [
            cell(f"{letter}{self._row}", value)
            for (letter, cell), value in zip(self._cells, values, strict=True)
            if value is not None
        ]
        return f'<row r="{self._row}">{"".join(cells)}</row>'

    def _write(self, text: str) -> None:
        if self._sheet is not None:
            content = text.encode()
            self._bytes += len(content)
            self._sheet.write(content)
