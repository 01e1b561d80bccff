"""A file that never ends a row, or unpacks to far more than its size, is refused and not read into memory."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from countinghouse.core.errors import InvalidInput
from countinghouse.importing.sources import spreadsheets
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.sources.documents import MOST_TIMES_UNPACKED

LONGEST_ROW = 2**20
HEADER = "id,mobile\n"
UNENDING = {
    "the first line": "a" * (2 * LONGEST_ROW),
    "a later line": HEADER + "1,9805756092\n" + "a," * LONGEST_ROW,
    "cells with line breaks": HEADER + '"a\n",' * (LONGEST_ROW // 2),
}


@pytest.mark.parametrize("content", UNENDING.values(), ids=UNENDING)
def test_a_csv_row_without_end_is_reported_and_not_kept_in_memory(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheets, "LONGEST_ROW", LONGEST_ROW)
    # Repeated, so that a reader that does not stop would need ten times as much.
    path = tmp_path / "users.csv"
    with path.open("w") as file:
        for _ in range(10):
            file.write(content)
    (source,) = find_sources([path])
    tracemalloc.start()
    documents = list(source.read())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "longer than 1 million characters" in str(documents[-1].problem)
    assert most < 20 * LONGEST_ROW


@pytest.mark.parametrize("name", ["users.json.gz", "users.csv.gz"])
def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b'id,mobile\n{"id": 1}\n' + b"\n" * 6_000_000))
    assert path.stat().st_size * MOST_TIMES_UNPACKED < 6_000_000
    (source,) = find_sources([path])
    with pytest.raises(InvalidInput, match="Unpack it first"):
        for _ in source.read():
            pass
