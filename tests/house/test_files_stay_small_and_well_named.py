from pathlib import Path

from tests.house.repository import CODE, files, is_generated, text_of

MAX_LINES = 300
VAGUE_NAMES = {
    "base",
    "common",
    "helper",
    "helpers",
    "manager",
    "managers",
    "misc",
    "service",
    "services",
    "util",
    "utils",
}


def test_no_file_exceeds_the_line_limit() -> None:
    written = [name for name in files() if Path(name).suffix in CODE and not is_generated(name)]
    lengths = {name: len(text_of(name).splitlines()) for name in written}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_no_file_or_folder_has_a_vague_name() -> None:
    def words(name: str) -> set[str]:
        path = Path(name.lower())
        return {*path.parts[:-1], path.name.split(".")[0], path.name.split(".")[0].removeprefix("test_")}

    assert [name for name in files() if words(name) & VAGUE_NAMES] == []
