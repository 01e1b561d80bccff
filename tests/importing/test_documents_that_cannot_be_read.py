"""One document of a JSON file that cannot be read is one bad row, with its own reason. Those after it are imported."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from countinghouse.importing.sources import json_files
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.sources.documents import Document
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import run_import
from tests.importing.test_bad_rows import USER

FIRST, LAST = (json.dumps({**USER, "id": name}) for name in ("u1", "u3"))
TOO_LONG = "This document has a number of too many digits. Correct it and import it again."
TOO_DEEP = "This document is nested too deeply. Correct it and import it again."
HALF = "This document has half of a character, like \\ud800 alone. Correct it and import it again."
NOT_JSON = "This document is not JSON: "
NOTHING_AFTER = "This is not JSON, and nothing after this place could be read."
CUT_OFF = "The file ends in the middle of a document. Export it again; what comes after is missing."
UNREADABLE = {
    "a number of 6,000 digits": ('{"id": "u2", "amount": ' + "9" * 6000 + "}", TOO_LONG),
    "such a number in an inner object": ('{"id": "u2", "plan": {"price": -' + "9" * 6000 + "}}", TOO_LONG),
    "such a number alone": ("9" * 6000, TOO_LONG),
    "deep nesting": ('{"id": "u2", "a": ' + "[" * 50_000 + "]" * 50_000 + "}", TOO_DEEP),
    "a word that JSON lacks": ('{"id": "u2", "amount": None}', NOT_JSON),
    "NaN": ('{"id": "u2", "amount": NaN}', NOT_JSON),
    "a comma before the end": ('{"id": "u2", "note": "[{\\"", }', NOT_JSON),
    "a line break in a text": ('{"id": "u2", "note": "a\nb"}', NOT_JSON),
    "half of a character": ('{"id": "u2", "note": "\\uD800"}', HALF),
    "half of a character in a name": ('{"id": "u2", "\\udfff": "x"}', HALF),
}
ENDS_EARLY = {
    "within a text": ('{"id": "u2", "note": "}]', CUT_OFF),
    "within a long number": ('{"id": "u2", "amount": ' + "9" * 6000, CUT_OFF),
    "within a word": ('{"id": "u2", "is": tru', CUT_OFF),
    "after a comma": ('{"id": "u2", \n', CUT_OFF),
    "after a backslash": ('{"id": "u2", "note": "a\\', CUT_OFF),
    "a brace is missing": ('{"id": "u2", "list": [}, ' + LAST + "\n]", NOTHING_AFTER),
    "a quote is missing": ('{"id": "u2", "note": "a}, ' + LAST + "\n]", NOTHING_AFTER),
    "something else": ("hello, " + LAST + "\n]", NOTHING_AFTER),
}


def read(path: Path, content: str) -> list[Document]:
    path.write_text(content)
    (source,) = find_sources([path])
    return list(source.read())


@pytest.mark.parametrize("chunk", [1 << 20, 7])
@pytest.mark.parametrize("is_array", [True, False], ids=["array", "documents"])
@pytest.mark.parametrize(("document", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_only_that_document_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: str, reason: str, is_array: bool, chunk: int
) -> None:
    if len(document) > 10_000:
        chunk = max(chunk, 7000)
    monkeypatch.setattr(json_files, "_CHUNK", chunk)
    # An indented document first, so that the file does not have one on each line.
    texts = (json.dumps({**USER, "id": "u1"}, indent=1), document, LAST)
    content = "[" + ",\n".join(texts) + "]" if is_array else "\n".join(texts)
    found = read(tmp_path / "users.json", content)
    assert [each.fields.get("id") for each in found if not each.problem] == ["u1", "u3"]
    (bad,) = [each for each in found if each.problem]
    assert bad.place == texts[0].count("\n") + 2
    assert bad.problem is not None
    assert bad.problem.startswith(reason)
    # Places within our buffer mean nothing to the reader.
    assert "char " not in bad.problem


@pytest.mark.parametrize(("document", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_line_has_the_same_reason(tmp_path: Path, document: str, reason: str) -> None:
    found = read(tmp_path / "users.jsonl", "\n".join((FIRST, document.replace("\n", "\t"), LAST)))
    assert [each.problem is not None and each.problem.startswith(reason) for each in found] == [False, True, False]


@pytest.mark.parametrize("chunk", [1 << 20, 7])
@pytest.mark.parametrize(("rest", "reason"), ENDS_EARLY.values(), ids=ENDS_EARLY)
def test_a_file_that_ends_early_or_is_damaged_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str, reason: str, chunk: int
) -> None:
    monkeypatch.setattr(json_files, "_CHUNK", chunk)
    found = read(tmp_path / "users.json", f"[\n{FIRST},\n{rest}")
    assert [(each.place, each.problem) for each in found] == [(2, None), (3, reason)]


def test_brackets_without_end_are_not_searched_to_the_end(tmp_path: Path) -> None:
    found = read(tmp_path / "users.json", f"[\n{FIRST},\n" + "[" * 3_000_000)
    assert [(each.place, each.problem) for each in found] == [(2, None), (3, NOTHING_AFTER)]


@on_one_engine
def test_the_command_imports_the_rows_after_a_number_of_6000_digits(desk: Desk, tmp_path: Path) -> None:
    document = UNREADABLE["a number of 6,000 digits"][0]
    (tmp_path / "users.json").write_text(f"[\n{FIRST},\n{document},\n{LAST}\n]\n")
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.json"))
    assert [(row["Place"], row["Reason"]) for row in ran.bad_rows] == [("line 3", TOO_LONG)]
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}
