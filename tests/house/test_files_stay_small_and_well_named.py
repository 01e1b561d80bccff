from pathlib import Path

from tests.house.repository import CODE, files, is_generated, text_of

LONGEST = 300
SAYS_NOTHING = {
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


def test_no_file_is_longer_than_one_can_read_at_once() -> None:
    written = [name for name in files() if Path(name).suffix in CODE and not is_generated(name)]
    lengths = {name: len(text_of(name).splitlines()) for name in written}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_every_file_and_folder_name_says_what_is_inside() -> None:
    def words(name: str) -> set[str]:
        path = Path(name.lower())
        return {*path.parts[:-1], path.name.split(".")[0], path.name.split(".")[0].removeprefix("test_")}

    assert [name for name in files() if words(name) & SAYS_NOTHING] == []
