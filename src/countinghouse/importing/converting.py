"""Turns a document of the source into a row as the intake takes it, with what is wrong in it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from pydantic import ValidationError

from countinghouse.claims.lifecycle import Status
from countinghouse.core.ids import moment_of_id
from countinghouse.core.inputs import invalid_from
from countinghouse.core.masking import DERIVED
from countinghouse.core.times import now
from countinghouse.importing.mapping import Map, Mapped, path_getter
from countinghouse.importing.nouns import FIELDS, USER_MOBILES, Kind, NounName, simplified
from countinghouse.importing.rows import ROWS, ImportedQr
from countinghouse.importing.sources.documents import Document
from countinghouse.importing.totals import month_of
from countinghouse.importing.values import (
    Unclear,
    is_object_id,
    plain,
    shown,
    to_id,
    to_moment,
    to_paise,
    to_text,
)
from countinghouse.intake.rows import MOST_AHEAD, IntakeRow, Invalid, validated

Severity = Literal["bad", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """`reason` is a whole sentence. A note is about a row that is imported."""

    field: str
    value: str
    reason: str
    severity: Severity = "bad"


@dataclass(slots=True)
class Candidate:
    """One document on its way into the desk. `row` is None if the document could not be read."""

    place: int
    external_id: str | None
    row: IntakeRow | ImportedQr | None
    problems: list[Problem]
    # For the totals: what is known of it, whatever is wrong with it.
    month: str = ""
    status: str = ""
    amounts: tuple[int, ...] = ()
    notes: list[Problem] = field(default_factory=list)


# The most statuses that the screen asks to be mapped.
_MOST_UNKNOWN = 30

_Convert = Callable[[Any], Any]


class Converter:
    def __init__(self, noun: NounName, mapped: Mapped, whole: Map) -> None:
        self._noun = noun
        self._amounts = [one.name for one in FIELDS[noun] if one.kind == "money"]
        self._zone = ZoneInfo(whole.time_zone)
        self._date_format = mapped.map.date_format
        self._trim = whole.trim
        # As in the intake.
        self._latest = now() + MOST_AHEAD
        self._statuses = {simplified(name): status for name, status in mapped.map.statuses.items()}
        # In the order of their first use.
        self.unknown_statuses: dict[str, None] = {}
        self._defaults = mapped.map.defaults
        paths = mapped.map.fields
        self._id = path_getter(paths["_id"]) if "_id" in paths else lambda _fields: None
        self._external_id = path_getter(paths["externalId"]) if "externalId" in paths else lambda _fields: None
        self._fields: list[tuple[str, Kind, Callable[[Mapping[str, Any]], Any], _Convert]] = [
            (one.name, one.kind, self._getter(one.name, paths), self._to_value(one.kind, paths.get(one.name, "")))
            for one in FIELDS[noun]
            if one.kind != "id" and (one.name in paths or one.name in self._defaults)
        ]

    @staticmethod
    def _getter(name: str, paths: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Any]:
        return path_getter(paths[name]) if name in paths else lambda _fields: None

    def _to_value(self, kind: Kind, path: str) -> _Convert:
        if kind == "reference" and simplified(path.rpartition(".")[2]) in USER_MOBILES:
            return lambda value: {"mobile": self._to_text(value)}
        return {
            "text": self._to_text,
            "money": to_paise,
            "moment": lambda value: to_moment(value, self._zone, self._date_format),
            "reference": _to_reference,
            "status": self._to_status,
            "picture": lambda value: value,
            "id": to_id,
        }[kind]

    def _to_text(self, value: Any) -> str:
        text = to_text(value)
        return text.strip() if self._trim else text

    def _to_status(self, value: Any) -> Status:
        written = to_text(value)
        status = self._statuses.get(simplified(written))
        if status is None:
            if len(self.unknown_statuses) < _MOST_UNKNOWN:
                self.unknown_statuses[shown(written)] = None
            raise Unclear(f'is unknown. Name it in the map: "statuses": {{"{shown(written)[:40]}": "Paid"}}.')
        return status

    def convert(self, document: Document) -> Candidate:
        if document.problem is not None:
            return Candidate(document.place, None, None, [Problem("", "", document.problem)])
        problems: list[Problem] = []
        notes: list[Problem] = []
        values: dict[str, Any] = {}
        sources: dict[str, Any] = {}
        fields = document.fields
        for name, kind, get, to_value in self._fields:
            found = plain(get(fields))
            if found is None or found == "":
                found = self._defaults.get(name)
                if found is None:
                    continue
            sources[name] = found
            try:
                value = to_value(found)
            except Unclear as unclear:
                problems.append(Problem(name, shown(found), f"{name} {unclear}"))
                continue
            if kind == "money":
                value, is_rounded = value
                if is_rounded:
                    reason = f"{name} has more than two decimal places; it was rounded to {value / 100:.2f}."
                    notes.append(Problem(name, shown(found), reason, "note"))
            values[name] = value
        try:
            ids = self._ids(fields, values)
        except Unclear as unclear:
            problems.append(Problem("_id", shown(fields.get("_id")), f"_id {unclear}"))
            ids = {}
        candidate = Candidate(document.place, ids.get("externalId"), None, problems, notes=notes)
        self._count(candidate, values)
        if not problems:
            self._validate(candidate, values | ids, sources)
        return candidate

    def _ids(self, fields: Mapping[str, Any], values: dict[str, Any]) -> dict[str, str]:
        """Also the date of an ObjectId, which is when it was made, for a row without another date."""
        own, external = plain(self._id(fields)), plain(self._external_id(fields))
        ids: dict[str, str] = {}
        if own is not None and own != "":
            own_id = to_id(own)
            ids["externalId"] = own_id
            if is_object_id(own_id):
                ids["_id"] = own_id
                values.setdefault("createdAt", moment_of_id(own_id))
        if external is not None and external != "":
            ids["externalId"] = to_id(external)
        if not ids:
            ids["externalId"] = DERIVED + _digest(self._noun, values)
        return ids

    def _count(self, candidate: Candidate, values: Mapping[str, Any]) -> None:
        created_at = values.get("createdAt")
        candidate.month = month_of(created_at) if created_at else ""
        candidate.status = values.get("status", "")
        candidate.amounts = tuple([values.get(name, 0) for name in self._amounts])

    def _validate(self, candidate: Candidate, values: dict[str, Any], sources: Mapping[str, Any]) -> None:
        if "createdAt" not in values:
            reason = "createdAt is missing. Name its field in the map, or give a default."
            candidate.problems.append(Problem("createdAt", "", reason))
            return
        if self._noun == "qr":
            self._validate_qr(candidate, values, sources)
            return
        candidate.problems += self._impossible_dates(values, sources)
        if candidate.problems:
            return
        row = validated(ROWS[self._noun], values)
        if isinstance(row, Invalid):
            candidate.problems += _problems(row.fields, sources)
        else:
            candidate.row = row

    def _impossible_dates(self, values: Mapping[str, Any], sources: Mapping[str, Any]) -> list[Problem]:
        created_at, moved_at = values["createdAt"], values.get("movedAt")
        found: dict[str, str] = {}
        if created_at > self._latest:
            found["createdAt"] = "createdAt is in the future."
        elif moved_at is not None and moved_at > self._latest:
            found["movedAt"] = "movedAt is in the future."
        elif moved_at is not None and moved_at < created_at - MOST_AHEAD:
            # A move may be written as a day, which is its midnight: the claim may be of the same day.
            found["movedAt"] = "movedAt is before createdAt."
        return _problems(found, sources)

    def _validate_qr(self, candidate: Candidate, values: dict[str, Any], sources: Mapping[str, Any]) -> None:
        row_id = values.get("_id") or _derived_id(values["createdAt"], values["externalId"])
        if values.get("picture") is None:
            candidate.problems.append(Problem("picture", "", "picture is required."))
            return
        try:
            candidate.row = ImportedQr.model_validate(
                {
                    "id": row_id,
                    "created_at": values["createdAt"],
                    "name": values.get("name"),
                    "upiId": values.get("upiId"),
                    "picture": values["picture"],
                }
            )
        except ValidationError as error:
            candidate.problems += _problems(invalid_from(error).fields, sources)


def _problems(fields: Mapping[str, str], sources: Mapping[str, Any]) -> list[Problem]:
    return [Problem(name, shown(sources.get(name)), sentence) for name, sentence in fields.items()]


def _to_reference(value: Any) -> str | dict[str, str]:
    """An id; or an object that was filled in from another collection, of which only the id is used."""
    if isinstance(value, Mapping):
        found = plain(value.get("_id", value.get("id")))
        if found is None:
            raise Unclear("names no _id.")
        value = found
    referred = to_id(value)
    return referred if is_object_id(referred) else {"externalId": referred}


def _digest(noun: NounName, values: Mapping[str, Any]) -> str:
    """For rows without an id: the same row gets the same name in the next run. `DERIVED` tells how it is masked."""
    return hashlib.sha256(msgspec.json.encode([noun, *sorted(values.items())], enc_hook=shown)).hexdigest()[:32]


def _derived_id(created_at: datetime, external_id: str) -> str:
    second = int(created_at.astimezone(UTC).timestamp())
    return f"{second & 0xFFFFFFFF:08x}{hashlib.sha256(external_id.encode()).hexdigest()[:16]}"
