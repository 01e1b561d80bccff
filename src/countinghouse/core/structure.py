"""The structure of a JSON text: how many parts it has and how deeply they are nested.

It is checked before the text is decoded: decoding takes a microsecond or more for each part, and meanwhile the process
answers nobody else. What a request body may have follows from its model.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from countinghouse.core.inputs import AtMost

# What a body may have beyond its model, so that a field that is misspelt or of the wrong type is still named.
_SPARE_PARTS, _SPARE_DEPTH = 100, 5
# Of a list or an object without a limit of its own, with everything in it.
_PARTS_WITHOUT_LIMIT = 1_000

_NOT_MARKS = bytes(set(range(256)) - set(b"[]{},"))


class Structure(NamedTuple):
    """`parts` are the items of lists and the fields of objects at every depth; an empty one counts as a part too."""

    parts: int
    depth: int

    def repeated(self, count: int) -> "Structure":
        """A list of so many."""
        return Structure(max(1, count) + count * self.parts, self.depth + 1)

    def with_spare(self) -> "Structure":
        return Structure(self.parts + _SPARE_PARTS, self.depth + _SPARE_DEPTH)


_NO_PARTS = Structure(0, 0)


def structure_of(annotation: Any, metadata: Iterable[Any] = ()) -> Structure:
    """The most that a valid value of this type has."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return structure_of(arguments[0], [*metadata, *arguments[1:]])
    if origin in (Union, UnionType):
        alternatives = [structure_of(each, metadata) for each in arguments]
        return Structure(max(each.parts for each in alternatives), max(each.depth for each in alternatives))
    if isinstance(origin, type) and issubclass(origin, Sequence | Mapping):
        item, limits = structure_of(arguments[-1]), list(_limits(metadata))
        return item.repeated(min(limits)) if limits else Structure(_PARTS_WITHOUT_LIMIT, item.depth + 1)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _structure_of_model(annotation)
    return _NO_PARTS


def _structure_of_model(model: type[BaseModel]) -> Structure:
    fields = [structure_of(field.annotation, field.metadata) for field in model.model_fields.values()]
    parts = max(1, len(fields)) + sum(field.parts for field in fields)
    known = Structure(parts, 1 + max((field.depth for field in fields), default=0))
    # One that accepts unknown fields needs room for them.
    return known if model.model_config.get("extra") == "forbid" else known.with_spare()


def _limits(metadata: Iterable[Any]) -> Iterable[int]:
    for each in metadata:
        if isinstance(each, FieldInfo):
            yield from _limits(each.metadata)
        elif isinstance(each, AtMost):
            yield each.count
        elif (length := getattr(each, "max_length", None)) is not None:
            yield length


def is_within(text: bytes, most: Structure) -> bool:
    """Takes time in proportion to the length of the text, whatever it contains, and also for what is not JSON.

    Marks within strings are counted only if that does no harm.
    """
    return _has_few_marks(text, most) or (b'"' in text and _has_few_marks(_without_strings(text, most), most))


def _has_few_marks(text: bytes, most: Structure) -> bool:
    marks = text.translate(None, _NOT_MARKS)
    brackets = marks.translate(None, b",")
    opened = len(brackets.translate(None, b"]}"))
    if opened + len(marks) - len(brackets) > most.parts:
        return False
    if opened <= most.depth:
        return True
    if len(brackets) > 2 * opened:
        return False
    # Each round removes the innermost pairs.
    for _ in range(most.depth):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return not brackets


def _without_strings(text: bytes, most: Structure) -> bytes:
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    # A part has two strings at most, its name and its value. What follows so many is kept, and counts as it is.
    return b"".join(text.split(b'"', 4 * most.parts + 2)[::2])
