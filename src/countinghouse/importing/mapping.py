"""The map from a source to the desk: which collection is which noun, and which of its fields is which of ours."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError, field_validator
from pydantic.config import JsonDict

from countinghouse.claims.lifecycle import Status
from countinghouse.core.errors import InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import Body, invalid_from
from countinghouse.core.strict_json import NamedTwice, named_once
from countinghouse.importing.nouns import (
    COLLECTIONS,
    FIELDS,
    ORDER,
    STATUSES,
    USER_MOBILES,
    NounName,
    simplified,
)
from countinghouse.importing.sources.documents import Source

# How many documents of a collection are read to learn the names of its fields.
_SAMPLE = 200
# A map is written by hand.
_LARGEST_MAP = 1024 * 1024
# Of the fields that a noun needs, how many a collection of unknown name must have to be taken for it.
_LIKELY = 0.75
# Of the headings that occur twice, how many a refusal names, how many columns of each, and how much of a heading.
_MOST_REPEATED = 4
_MOST_ALIKE = 3
_LONGEST_HEADING = 40


_EXAMPLE: JsonDict = {"noun": "claims", "fields": {"accountNo": "bank.number"}, "statuses": {"success": "Paid"}}


class CollectionMap(Body):
    """`fields` names the source's field for each of ours; `statuses` our status for each of the source's."""

    model_config = body_examples(_EXAMPLE)

    noun: NounName | None = None
    fields: dict[str, str] = Field(default_factory=dict)
    # What rows get that have no such field.
    defaults: dict[str, str | int | float] = Field(default_factory=dict)
    statuses: dict[str, Status] = Field(default_factory=dict)
    # How dates are written that are not in ISO 8601, like %d/%m/%Y.
    date_format: Annotated[str | None, Field(alias="dateFormat", max_length=60)] = None

    @field_validator("date_format")
    @classmethod
    def _readable_dates(cls, value: str | None) -> str | None:
        try:
            if value is not None:
                datetime.strptime(datetime(2026, 11, 15).strftime(value), value)
        except (ValueError, re.error):
            raise ValueError("is not a date format, like %d/%m/%Y.") from None
        return value


class Map(Body):
    model_config = body_examples({"timeZone": "Asia/Kolkata", "collections": {"payments": _EXAMPLE}})

    # Where times without a zone were written.
    time_zone: Annotated[str, Field(alias="timeZone")] = "Asia/Kolkata"
    # Whether spaces around text are removed; otherwise such a row is reported.
    trim: bool = False
    collections: dict[str, CollectionMap] = Field(default_factory=dict)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("must be the name of a time zone, like Asia/Kolkata.") from None
        return value

    def to_json(self) -> str:
        return json.dumps(self.model_dump(by_alias=True), indent=2, ensure_ascii=False) + "\n"


def read_map(path: Path) -> Map:
    try:
        if path.stat().st_size > _LARGEST_MAP:
            raise InvalidInput({"map": f"{path.name} is too large for a map."})
        written = path.read_text("utf-8-sig")
        is_toml = path.suffix == ".toml"
        parsed = tomllib.loads(written) if is_toml else json.loads(written, object_pairs_hook=named_once)
    except OSError as error:
        raise InvalidInput({"map": f"The map {path} cannot be read: {error.strerror}."}) from error
    except NamedTwice as error:
        raise InvalidInput({"map": f"The map {path.name} {error}"}) from error
    except ValueError as error:
        raise InvalidInput({"map": f"The map {path.name} is neither JSON nor TOML: {error}."}) from error
    try:
        return Map.model_validate(parsed)
    except ValidationError as error:
        raise invalid_from(error) from error


@dataclass(frozen=True)
class Mapped:
    """A source with its final map."""

    source: Source
    map: CollectionMap
    # The fields of the source, and those of them that are not imported.
    names: Sequence[str] = field(default=())
    unused: Sequence[str] = field(default=())
    is_empty: bool = False

    @property
    def missing(self) -> list[str]:
        """The fields that the noun needs and nothing gives."""
        noun = self.map.noun
        if noun is None or self.is_empty:
            return []
        return [
            one.name
            for one in FIELDS[noun]
            if one.is_required and one.name not in self.map.fields and one.name not in self.map.defaults
        ]


def map_sources(sources: Sequence[Source], corrections: Map) -> list[Mapped]:
    """Guesses the map of each source; what `corrections` says has priority."""
    unknown = set(corrections.collections) - {source.name for source in sources}
    if unknown:
        found = ", ".join(sorted({source.name for source in sources}))
        sentence = f"The map names {', '.join(sorted(unknown))}, but the source has only these collections: {found}."
        raise InvalidInput({"map": sentence})
    return [_mapped(source, corrections.collections.get(source.name)) for source in sources]


def final_map(mapped: Sequence[Mapped], corrections: Map) -> Map:
    return corrections.model_copy(update={"collections": {one.source.name: one.map for one in mapped}})


def in_order(mapped: Sequence[Mapped]) -> Iterator[tuple[NounName, Mapped]]:
    """Users first, because purchases and claims refer to them."""
    for noun in ORDER:
        for one in mapped:
            if one.map.noun == noun:
                yield noun, one


def _mapped(source: Source, correction: CollectionMap | None) -> Mapped:
    names = _field_names(source)
    if correction is not None and "noun" in correction.model_fields_set:
        noun = correction.noun
    else:
        noun = _guess_noun(source.name, names)
    correction = correction or CollectionMap()
    if noun is None:
        return Mapped(source, correction.model_copy(update={"noun": None}), list(names))
    _refuse_repeated_headings(source)
    _refuse_unknown_fields(source.name, noun, correction)
    fields = _guess_fields(noun, names) | correction.fields
    # An empty name takes a guess back.
    fields = {name: path for name, path in fields.items() if path}
    statuses = {**(STATUSES if noun == "claims" else {}), **correction.statuses}
    complete = correction.model_copy(update={"noun": noun, "fields": fields, "statuses": statuses})
    used = {path.partition(".")[0] for path in fields.values()} | set(fields.values())
    unused = sorted(name for name in names if name not in used and "." not in name)
    return Mapped(source, complete, list(names), unused, is_empty=not names)


def _field_names(source: Source) -> dict[str, None]:
    """In the order of their first use. Names within an object have a dot before them."""
    names: dict[str, None] = {}
    for document in islice(source.read(), _SAMPLE):
        for name, value in document.fields.items():
            names[name] = None
            if isinstance(value, Mapping):
                names |= {f"{name}.{inner}": None for inner in value if not inner.startswith("$")}
    return names


def _refuse_repeated_headings(source: Source) -> None:
    """Of two columns that the map cannot tell apart, only one would be imported."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for heading in filter(None, source.headings):
        alike.setdefault(_compared(heading), []).append(heading[:_LONGEST_HEADING])
    repeated = [same[:_MOST_ALIKE] for same in alike.values() if len(same) > 1]
    if not repeated:
        return
    named = "; ".join(f"{', '.join(same[:-1])} and {same[-1]}" for same in repeated[:_MOST_REPEATED])
    more = f"; and {len(repeated) - _MOST_REPEATED:,} more" if len(repeated) > _MOST_REPEATED else ""
    file = source.path.name
    table = file if file.startswith(f"{source.name}.") else f"The sheet {source.name} of {file}"
    sentence = f"{table} has columns with the same heading: {named}{more}."
    advice = "Rename or delete all but one of them, then import the file again. Nothing was imported."
    raise InvalidInput({"import": f"{sentence} {advice}"})


def _compared(heading: str) -> tuple[str, ...]:
    """As guesses compare names, which tell MongoDB's _id from another id."""
    parts = (part if part == "_id" else simplified(part) or part for part in heading.split("."))
    return tuple(filter(None, parts)) or (heading,)


def _guess_noun(collection: str, names: Mapping[str, None]) -> NounName | None:
    wanted = simplified(collection)
    for noun, usual in COLLECTIONS.items():
        if any(wanted in (name, f"{name}s") for name in usual):
            return noun
    known = {noun: len(_guess_fields(noun, names, required_only=True)) / _count_required(noun) for noun in ORDER}
    # A claim has the fields of a user too, so the noun that needs most is tried first.
    by_size = sorted(known, key=lambda noun: (known[noun] >= _LIKELY, _count_required(noun)), reverse=True)
    return by_size[0] if known[by_size[0]] >= _LIKELY else None


def _count_required(noun: NounName) -> int:
    return sum(one.is_required for one in FIELDS[noun])


def _guess_fields(noun: NounName, names: Mapping[str, None], *, required_only: bool = False) -> dict[str, str]:
    by_name: dict[str, str] = {}
    for name in names:
        # A field of an inner object counts by its own name, unless the outer one has the same.
        by_name.setdefault(simplified(name.rpartition(".")[2]), name)
    for name in names:
        if "." not in name:
            by_name[simplified(name)] = name
    if "_id" in names:
        by_name["id"] = "_id"
    found: dict[str, str] = {}
    taken: set[str] = set()
    for one in FIELDS[noun]:
        if required_only and not one.is_required:
            continue
        usual = (*one.known_names, *USER_MOBILES) if one.name == "user" else one.known_names
        guess = next((by_name[name] for name in usual if name in by_name and by_name[name] not in taken), None)
        if guess is not None:
            found[one.name] = guess
            taken.add(guess)
    return found


def _refuse_unknown_fields(collection: str, noun: NounName, correction: CollectionMap) -> None:
    known = [one.name for one in FIELDS[noun]]
    for name in (*correction.fields, *correction.defaults):
        if name not in known:
            sentence = f"The map of {collection} names {name}, but {noun} have only these fields: {', '.join(known)}."
            raise InvalidInput({"map": sentence})


def path_getter(path: str) -> Any:
    """Reads `bank.ifsc` from a field of that name, or from the object `bank`."""
    parts = path.split(".")
    if len(parts) == 1:
        return lambda fields: fields.get(path)

    def get(fields: Mapping[str, Any]) -> Any:
        if path in fields:
            return fields[path]
        value: Any = fields
        for part in parts:
            if not isinstance(value, Mapping):
                return None
            value = value.get(part)
        return value

    return get
