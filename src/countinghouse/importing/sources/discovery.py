"""Finds the collections in the files and folders that the command names."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from countinghouse.core.errors import InvalidInput
from countinghouse.importing.sources.bson_files import ARCHIVE_MAGIC, BsonFile, list_archive
from countinghouse.importing.sources.documents import Source, begins_with
from countinghouse.importing.sources.json_files import JsonFile
from countinghouse.importing.sources.spreadsheets import CsvFile, list_sheets

_JSON = (".json", ".jsonl", ".ndjson")
_SHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")
# mongodump writes these beside the documents. They describe indexes.
_METADATA = (".metadata.json", ".metadata.json.gz", "prelude.json", "prelude.json.gz")
_KINDS = "mongodump (.bson, .bson.gz, --archive), mongoexport (.json, .csv), CSV and XLSX"


def find_sources(paths: Iterable[Path]) -> list[Source]:
    found = [source for path in paths for source in _sources_of(path)]
    if not found:
        raise InvalidInput({"import": f"There is nothing to import. These can be read: {_KINDS}."})
    return found


def _sources_of(path: Path) -> Iterator[Source]:
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            # A folder may contain anything else, such as pictures.
            yield from _sources_in_file(file) or ()
        return
    if not path.is_file():
        raise InvalidInput({"import": f"There is no file or folder {path}."})
    sources = _sources_in_file(path)
    if sources is None:
        raise InvalidInput({"import": f"{path.name} is of an unknown kind. These can be read: {_KINDS}."})
    yield from sources


def _sources_in_file(path: Path) -> list[Source] | None:
    """None if the file is of another kind."""
    name = path.name.lower()
    if name.endswith(_METADATA):
        return []
    if begins_with(path, len(ARCHIVE_MAGIC)) == ARCHIVE_MAGIC:
        return [found for found in list_archive(path) if not found.name.startswith("system.")]
    plain = name.removesuffix(".gz")
    stem = path.name[: len(plain)].rpartition(".")[0]
    if plain.endswith(".bson"):
        return [] if stem.startswith("system.") else [BsonFile(stem, path)]
    if plain.endswith(_JSON):
        return [JsonFile(stem, path)]
    if plain.endswith((".csv", ".tsv")):
        return [CsvFile(stem, path)]
    if name.endswith(_SHEETS):
        return list(list_sheets(path))
    return None
