"""An export that lacks a part is reported as damaged, although every document in it can be read."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from countinghouse.importing.sources.discovery import find_sources
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import run_import
from tests.importing.test_bad_rows import USER

FIRST, SECOND = (json.dumps({**USER, "id": name}) for name in ("u1", "u2"))
INDENTED = json.dumps(USER, indent=1)
UNCLOSED = "The file ends before its array does"
MISPLACED = "a comma or a bracket is missing"
AFTER_THE_END = "The array ends before this place"
DAMAGED = {
    "no closing bracket": (f"[\n{FIRST},\n{SECOND}\n", UNCLOSED, 2),
    "cut off after a comma": (f"[\n{FIRST},\n", UNCLOSED, 1),
    "only an opening bracket": ("[", UNCLOSED, 0),
    "no comma": (f"[\n{FIRST}\n{SECOND}\n]", MISPLACED, 2),
    "two commas": (f"[\n{FIRST},,\n{SECOND}\n]", MISPLACED, 2),
    "a comma before the end": (f"[\n{FIRST},\n{SECOND},\n]", MISPLACED, 2),
    "no opening bracket": (f"{INDENTED},\n{SECOND}\n]", MISPLACED, 2),
    "a document after the end": (f"[\n{FIRST}\n]\n{SECOND}", AFTER_THE_END, 1),
    "another array after the end": (f"[\n{FIRST}\n]\n[{SECOND}]", AFTER_THE_END, 1),
    "two closing brackets": (f"[\n{FIRST}\n]]", AFTER_THE_END, 1),
    "something else after the end": (f"[\n{FIRST}\n]\nbye", AFTER_THE_END, 1),
}
WHOLE = {
    "an array": (f"[\n{FIRST},\n{SECOND}\n]\n", 2),
    "an empty array": ("[]", 0),
    "indented documents": (f"{INDENTED}\n{SECOND}\n", 2),
    "nothing": ("", 0),
}


def read(path: Path, content: str) -> tuple[int, list[str]]:
    path.write_text(content)
    (source,) = find_sources([path])
    documents = list(source.read())
    problems = [document.problem for document in documents if document.problem]
    return len(documents) - len(problems), problems


@pytest.mark.parametrize(("content", "reason", "good"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_json_array_is_reported_once(tmp_path: Path, content: str, reason: str, good: int) -> None:
    count, problems = read(tmp_path / "users.json", content)
    assert (count, len(problems)) == (good, 1)
    assert reason in problems[0]


@pytest.mark.parametrize(("content", "good"), WHOLE.values(), ids=WHOLE)
def test_a_whole_json_file_is_not(tmp_path: Path, content: str, good: int) -> None:
    assert read(tmp_path / "users.json", content) == (good, [])


@pytest.mark.parametrize("last_row", ["u2,As", "u2,Asha,98057", 'u2,"Asha'])
def test_a_csv_file_that_ends_within_a_row_is_reported(tmp_path: Path, last_row: str) -> None:
    whole = "id,name,phone,date\nu1,Om Rao,9805756092,2026-01-05\n"
    assert read(tmp_path / "users.csv", whole) == (1, [])
    assert read(tmp_path / "users.csv", whole + "u2,Asha,9805756093,2026-01-05") == (2, [])
    # Some programs leave out the empty cells at the end of a row.
    assert read(tmp_path / "users.csv", whole + "u2,Asha,9805756093\n") == (2, [])
    count, problems = read(tmp_path / "users.csv", whole + last_row)
    assert (count, len(problems)) == (1, 1)


@on_one_engine
def test_the_command_says_that_an_array_is_cut_off_and_imports_the_rest(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text(f"[\n{FIRST},\n{SECOND}\n")
    for words in (("--dry-run",), ()):
        ran = run_import(desk.settings.database_url, tmp_path / f"run{words}", str(tmp_path / "users.json"), *words)
        assert ran.code == 4
        assert [(row["Place"], row["Outcome"]) for row in ran.bad_rows] == [("line 4", "invalid")]
        assert UNCLOSED in ran.bad_rows[0]["Reason"]
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u2"}
