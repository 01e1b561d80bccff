"""A document that names a field twice is a bad row: neither value wins."""

import json
from pathlib import Path
from typing import Any

import bson
import pytest
from sqlalchemy import select

from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import Ran, run_import
from tests.importing.test_bad_rows import USER

pytestmark = on_one_engine


def run(desk: Desk, tmp_path: Path, source: Path, *words: str) -> Ran:
    return run_import(desk.settings.database_url, tmp_path / f"run{len(list(tmp_path.iterdir()))}", str(source), *words)


TWICE = json.dumps({**USER, "id": "u2"})[:-1]
DOCUMENTS = {
    "a field": (TWICE + ', "mobile": "9805756093"}', "mobile"),
    "the same value": (TWICE + f', "username": {json.dumps(USER["username"])}}}', "username"),
    "a field of an inner object": (TWICE + ', "bank": {"ifsc": "A", "more": [], "ifsc": "B"}}', "ifsc"),
    "an object in a list": (TWICE + ', "list": [{"x": 1}, {"x": 1, "x": 2}]}', "x"),
    "an escaped name": (TWICE + ', "mobil\\u0065": "9805756093"}', "mobile"),
}


@pytest.mark.parametrize("shape", ["lines", "array", "indented"])
@pytest.mark.parametrize(("document", "name"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_that_names_a_field_twice_is_a_bad_row(
    desk: Desk, tmp_path: Path, shape: str, document: str, name: str
) -> None:
    first, last = (json.dumps({**USER, "id": each}, indent=1 if shape == "indented" else None) for each in ("u1", "u3"))
    texts: dict[str, Any] = {"array": f"[{first},\n{document},\n{last}]"}
    (tmp_path / "users.json").write_text(texts.get(shape, f"{first}\n{document}\n{last}\n"))
    ran = run(desk, tmp_path, tmp_path / "users.json")
    place = first.count("\n") + 2
    assert [(row["Place"], row["Reason"]) for row in ran.bad_rows] == [
        (f"line {place}", f"This document names '{name}' twice in one object. Correct it and import it again.")
    ], ran.errors
    assert ran.code == 4
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}


@pytest.mark.parametrize("is_inner", [False, True], ids=["a field", "a field of an inner object"])
def test_a_document_of_a_dump_that_names_a_field_twice_is_a_bad_row(desk: Desk, tmp_path: Path, is_inner: bool) -> None:
    # The names have the same length, so that one can be written over the other.
    inner = {"ifsc": "A", "IFSC": "B"}
    fields: dict[str, Any] = {"bank": inner} if is_inner else inner
    bad = bson.encode({**USER, "id": "u2"} | fields).replace(b"IFSC", b"ifsc")
    first, last = (bson.encode({**USER, "id": each}) for each in ("u1", "u3"))
    (tmp_path / "users.bson").write_bytes(first + bad + last)
    ran = run(desk, tmp_path, tmp_path / "users.bson")
    assert [(row["Place"], row["Reason"]) for row in ran.bad_rows] == [
        ("document 2", "This document is not valid BSON: it names 'ifsc' twice in one object.")
    ]
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}


def test_a_map_that_names_a_collection_twice_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text(json.dumps(USER))
    (tmp_path / "map.json").write_text('{"collections": {"users": {}, "users": {"noun": null}}}')
    ran = run(desk, tmp_path, tmp_path / "users.json", "--map", str(tmp_path / "map.json"))
    assert ran.code == 1
    assert "The map map.json names 'users' twice in one object." in ran.errors
