"""Writes a made-up service in each format that can be imported."""

import csv
import gzip
import io
import json
import struct
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice, zip_longest
from pathlib import Path
from typing import IO, Any

import bson
from openpyxl import Workbook

from tests.importing.synthetic import Made, ObjectId, Service

_TERMINATOR = b"\xff\xff\xff\xff"
_BLOCK = 40


def _to_bson(value: Any) -> Any:
    if isinstance(value, ObjectId):
        return bson.ObjectId(str(value))
    return {name: _to_bson(inner) for name, inner in value.items()} if isinstance(value, dict) else value


def _to_canonical(value: Any) -> Any:
    match value:
        case ObjectId():
            return {"$oid": str(value)}
        case datetime():
            return {"$date": {"$numberLong": str(int(value.timestamp() * 1000))}}
        case int():
            return {"$numberLong": str(value)} if value > 2**31 else {"$numberInt": str(value)}
        case float():
            return {"$numberDouble": repr(value)}
        case dict():
            return {name: _to_canonical(inner) for name, inner in value.items()}
    return value


def _to_relaxed(value: Any) -> Any:
    match value:
        case ObjectId():
            return {"$oid": str(value)}
        case datetime():
            return {"$date": value.isoformat().replace("+00:00", "Z")}
        case dict():
            return {name: _to_relaxed(inner) for name, inner in value.items()}
    return value


def _opened(path: Path, is_packed: bool) -> IO[bytes]:
    return gzip.open(path, "wb", compresslevel=1) if is_packed else path.open("wb")  # type: ignore[return-value]


def write_bson(service: Service, folder: Path, *, is_packed: bool = False) -> Path:
    """A folder as mongodump makes it."""
    database = folder / "dump" / "shop"
    database.mkdir(parents=True)
    (database / "users.metadata.json").write_text('{"indexes": []}')
    for name, documents in service.collections().items():
        with _opened(database / f"{name}.bson{'.gz' if is_packed else ''}", is_packed) as file:
            for made in documents:
                file.write(bson.encode(_to_bson(made.fields)))
    with _opened(database / f"sessions.bson{'.gz' if is_packed else ''}", is_packed) as file:
        file.write(bson.encode({"_id": "s1", "session": "x"}))
    return folder / "dump"


def write_archive(service: Service, folder: Path, *, is_packed: bool = False) -> Path:
    """As mongodump --archive does: the blocks of the collections take turns."""
    path = folder / "shop.archive"
    with _opened(path, is_packed) as file:
        file.write(struct.pack("<I", 0x8199E26D))
        file.write(bson.encode({"concurrent_collections": 4, "version": "0.1", "server_version": "7.0"}))
        names = list(service.collections())
        for name in names:
            file.write(bson.encode({"db": "shop", "collection": name, "metadata": "{}", "size": 0}))
        file.write(_TERMINATOR)
        blocks = (_blocks(made) for made in service.collections().values())
        for together in zip_longest(*blocks):
            for name, block in zip(names, together, strict=True):
                if block is not None:
                    _write_block(file, name, block, is_last=False)
        for name in names:
            _write_block(file, name, [], is_last=True)
    return path


def _blocks(documents: Iterator[Made]) -> Iterator[list[Made]]:
    while block := list(islice(documents, _BLOCK)):
        yield block


def _write_block(file: IO[bytes], name: str, block: Iterable[Made], *, is_last: bool) -> None:
    file.write(bson.encode({"db": "shop", "collection": name, "EOF": is_last, "CRC": 0}))
    for made in block:
        file.write(bson.encode(_to_bson(made.fields)))
    file.write(_TERMINATOR)


def write_json(
    service: Service, folder: Path, *, is_canonical: bool = False, is_array: bool = False, indent: int | None = None
) -> Path:
    convert = _to_canonical if is_canonical else _to_relaxed
    target = folder / "export"
    target.mkdir()
    for name, documents in service.collections().items():
        with (target / f"{name}.json").open("w", encoding="utf-8") as file:
            for number, made in enumerate(documents):
                before = ("[" if number == 0 else ",") if is_array else ""
                file.write(before + json.dumps(convert(made.fields), indent=indent) + "\n")
            file.write("]\n" if is_array else "")
    return target


def _columns(service: Service, name: str) -> list[str]:
    columns: dict[str, None] = {}
    for made in islice(service.collections()[name], 20):
        columns |= dict.fromkeys(_flat(made.fields))
    return list(columns)


def _flat(fields: dict[str, Any]) -> dict[str, Any]:
    """As mongoexport writes it: the fields of inner objects have a dot in their names."""
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": of_inner for inner, of_inner in value.items()}
        else:
            flat[name] = value
    return flat


def _to_cell(value: Any) -> Any:
    match value:
        case ObjectId():
            return f"ObjectId({value})"
        case datetime():
            return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def write_csv(service: Service, folder: Path) -> Path:
    target = folder / "sheets"
    target.mkdir()
    for name, documents in service.collections().items():
        with (target / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _columns(service, name))
            writer.writeheader()
            for made in documents:
                writer.writerow({column: _to_cell(value) for column, value in _flat(made.fields).items()})
    return target


def write_xlsx(service: Service, folder: Path) -> Path:
    book = Workbook()
    book.remove(book.active)
    for name, documents in service.collections().items():
        sheet = book.create_sheet(name)
        columns = _columns(service, name)
        sheet.append(columns)
        for made in documents:
            flat = _flat(made.fields)
            sheet.append([_to_xlsx(flat.get(column)) for column in columns])
    path = folder / "shop.xlsx"
    packed = io.BytesIO()
    book.save(packed)
    path.write_bytes(packed.getvalue())
    return path


def _to_xlsx(value: Any) -> Any:
    if isinstance(value, datetime):
        # A spreadsheet has no time zones: Indian time, as the operator sees it.
        return datetime.fromtimestamp(value.timestamp() + 5.5 * 3600, tz=value.tzinfo).replace(tzinfo=None)
    return str(value) if isinstance(value, ObjectId) else value


FORMATS: dict[str, Callable[[Service, Path], Path]] = {
    "bson": write_bson,
    "bson.gz": lambda service, folder: write_bson(service, folder, is_packed=True),
    "archive": write_archive,
    "archive.gz": lambda service, folder: write_archive(service, folder, is_packed=True),
    "relaxed lines": write_json,
    "canonical lines": lambda service, folder: write_json(service, folder, is_canonical=True),
    "relaxed array": lambda service, folder: write_json(service, folder, is_array=True),
    "indented array": lambda service, folder: write_json(service, folder, is_array=True, indent=2),
    "indented documents": lambda service, folder: write_json(service, folder, is_canonical=True, indent=2),
    "csv": write_csv,
    "xlsx": write_xlsx,
}
