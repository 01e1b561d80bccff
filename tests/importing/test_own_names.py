"""A source that uses the desk's own names needs no map."""

import json
import re
from pathlib import Path

import pytest

from countinghouse.claims import lifecycle
from countinghouse.importing.mapping import Map, map_sources
from countinghouse.importing.nouns import FIELDS, STATUSES, NounName, simplified
from countinghouse.importing.sources.discovery import find_sources

OWN_NAMES = [(noun, field.name) for noun, fields in FIELDS.items() for field in fields]


def guessed(tmp_path: Path, noun: NounName, names: list[str]) -> dict[str, str]:
    path = tmp_path / f"{noun}.json"
    path.write_text(json.dumps(dict.fromkeys(names, "x")))
    (mapped,) = map_sources(find_sources([path]), Map())
    assert mapped.map.noun == noun
    return mapped.map.fields


@pytest.mark.parametrize(("noun", "name"), OWN_NAMES)
def test_a_field_is_recognised_under_its_own_name(tmp_path: Path, noun: NounName, name: str) -> None:
    snake_case = re.sub("([A-Z])", r"_\1", name).lower()
    for written in (name, name.upper(), snake_case):
        assert guessed(tmp_path, noun, [written]) == {name: written}
    # Whatever else the source has that others call so.
    others = [
        other for field in FIELDS[noun] if field.name == name for other in field.names if other != simplified(name)
    ]
    assert guessed(tmp_path, noun, [*others, name])[name] == name
    assert guessed(tmp_path, noun, [name, *others])[name] == name


@pytest.mark.parametrize("noun", FIELDS)
def test_all_fields_of_a_noun_are_recognised_together(tmp_path: Path, noun: NounName) -> None:
    names = [field.name for field in FIELDS[noun]]
    assert guessed(tmp_path, noun, names) == guessed(tmp_path, noun, names[::-1]) == {name: name for name in names}


def test_a_status_is_recognised_under_its_own_name() -> None:
    assert {simplified(status): status for status in lifecycle.STATUSES}.items() <= STATUSES.items()
