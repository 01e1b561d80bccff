"""Masks a whole answer by its type. What the type does not declare is masked as text, also fields it does not name."""

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, NamedTuple, NotRequired, Required, Union, get_args, get_origin

import msgspec
from pydantic import BaseModel
from typing_extensions import get_type_hints, is_typeddict

from countinghouse.core.masking import Holds, mask_numbers, mask_reference, masked

# A list or object of an answer, and the place of a text in it.
_Place = tuple[Any, Any]


class _Found(NamedTuple):
    """The texts of a record. They are masked when all are known, because its numbers may be in any of them."""

    numbers: list[_Place]
    references: list[_Place]
    texts: list[_Place]

    def mask(self) -> None:
        own = [*dict.fromkeys(part[at] for part, at in self.numbers)]
        for part, at in self.numbers:
            part[at] = masked(part[at])
        kept: list[str] = []
        for part, at in self.references:
            reference = part[at]
            part[at] = mask_reference(reference, own)
            if part[at] == reference and reference.strip():
                kept.append(reference)
        for part, at in self.texts:
            part[at] = mask_numbers(part[at], own, kept)


# Finds the texts of one part of an answer.
_Find = Callable[[Any, Any, _Found], None]


def _find_text(part: Any, at: Any, found: _Found) -> None:
    """Also in whatever is there instead of a text."""
    value = part[at]
    if isinstance(value, str):
        found.texts.append((part, at))
    elif isinstance(value, list):
        for place in range(len(value)):
            _find_text(value, place, found)
    elif isinstance(value, dict):
        part[at] = value = {mask_numbers(name): each for name, each in value.items()}
        for name in value:
            _find_text(value, name, found)


def _find_number(part: Any, at: Any, found: _Found) -> None:
    (found.numbers.append((part, at)) if isinstance(part[at], str) else _find_text(part, at, found))


def _find_reference(part: Any, at: Any, found: _Found) -> None:
    (found.references.append((part, at)) if isinstance(part[at], str) else _find_text(part, at, found))


_FINDS: Mapping[Holds | None, _Find | None] = {
    None: _find_text,
    Holds.NUMBER: _find_number,
    Holds.REFERENCE: _find_reference,
    Holds.NOTHING: None,
}
# What is no text, or another one than a person wrote.
_FREE = (bool, int, float, types.NoneType, date, datetime, Enum)


def mask_cells(cells: list[Any], holds: Iterable[tuple[int, Holds | None]]) -> list[Any]:
    """The cells of one row, masked at these places."""
    found = _Found([], [], [])
    for place, held in holds:
        if find := _FINDS[held]:
            find(cells, place, found)
    found.mask()
    return cells


class AnswerMask:
    """Masks the JSON of answers of this type. Each element of a list is a record of its own."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    @cached_property
    def _is_list(self) -> bool:
        return get_origin(self._answer) is list

    @cached_property
    def _find(self) -> _Find | None:
        """Read at the first use: not every process answers every route."""
        return _find_of(get_args(self._answer)[0] if self._is_list else self._answer)

    def __call__(self, body: bytes) -> bytes:
        value = msgspec.json.decode(body)
        records = value if self._is_list else [value]
        if self._find is None:
            return body
        for place in range(len(records)):
            found = _Found([], [], [])
            self._find(records, place, found)
            found.mask()
        return msgspec.json.encode(records if self._is_list else records[0])


def _find_of(kind: Any) -> _Find | None:
    """None if nothing in it can hold a number."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        holds = next((part for part in kind.__metadata__ if isinstance(part, Holds)), None)
        return _find_of(parts[0]) if holds is None else _FINDS[holds]
    if origin in (NotRequired, typing.Required, Required):
        return _find_of(parts[0])
    if isinstance(kind, type) and issubclass(kind, _FREE):
        return None
    if is_typeddict(kind):
        return _find_in_fields(
            {name: _find_of(part) for name, part in get_type_hints(kind, include_extras=True).items()}
        )
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        hints = get_type_hints(kind, include_extras=True)
        fields = kind.model_fields.items()
        return _find_in_fields(
            {field.serialization_alias or field.alias or name: _find_of(hints[name]) for name, field in fields}
        )
    if origin in (Union, types.UnionType):
        finds = {find for part in parts if (find := _find_of(part))}
        return finds.pop() if len(finds) == 1 else _find_text if finds else None
    if origin is list or (origin is tuple and parts[1:] == (...,)):
        return _find_in_list(_find_of(parts[0]))
    if origin is dict and _find_of(parts[0]) is None:
        return _find_in_fields({}, _find_of(parts[1]))
    return _find_text


def _find_in_fields(fields: Mapping[str, _Find | None], other: _Find | None = _find_text) -> _Find | None:
    if other is None and not any(fields.values()):
        return None

    def find(part: Any, at: Any, found: _Found) -> None:
        value = part[at]
        if not isinstance(value, dict):
            return _find_text(part, at, found)
        for name in value:
            if find_in := fields.get(name, other):
                find_in(value, name, found)
        return None

    return find


def _find_in_list(find_in: _Find | None) -> _Find | None:
    if find_in is None:
        return None

    def find(part: Any, at: Any, found: _Found) -> None:
        value = part[at]
        if not isinstance(value, list):
            return _find_text(part, at, found)
        for place in range(len(value)):
            find_in(value, place, found)
        return None

    return find
