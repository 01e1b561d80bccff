"""What the import screen sends and gets."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, with_config
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import Body, PlainText
from countinghouse.importing.mapping import Map
from countinghouse.importing.nouns import TAKEN_ON_SCREEN, NounName
from countinghouse.importing.report import BadRow, Outcome

# Of all files of an import together.
LARGEST_UPLOAD = 64 * 1024 * 1024
PART_BYTES = 1024 * 1024
MOST_FILES = 50

State = Literal["uploading", "planning", "planned", "running", "done", "failed", "interrupted"]


class ImportFile(Body):
    model_config = body_examples({"name": "users.csv", "size": 48213})

    name: Annotated[PlainText, Field(min_length=1, max_length=200)]
    size: Annotated[int, Field(ge=1, le=LARGEST_UPLOAD)]

    @field_validator("name")
    @classmethod
    def _checked_name(cls, name: str) -> str:
        if name in (".", "..") or "/" in name or "\\" in name:
            raise ValueError("must be the name of a file, without its folder.")
        return name


class NewImport(Body):
    model_config = body_examples({"files": [{"name": "users.csv", "size": 48213}]})

    files: Annotated[list[ImportFile], Field(min_length=1, max_length=MOST_FILES)]

    @field_validator("files")
    @classmethod
    def _fit_together(cls, files: list[ImportFile]) -> list[ImportFile]:
        if len({file.name.casefold() for file in files}) < len(files):
            raise ValueError("must have different names.")
        if sum(file.size for file in files) > LARGEST_UPLOAD:
            raise ValueError("must not have more than 64 MiB together. Use the command for larger ones.")
        return files


class RunImport(Body):
    model_config = body_examples({"map": {}, "stopAtErrors": True})

    # The map of the plan that the admin has seen. Another one, by somebody else meanwhile, is never run unseen: it
    # could make claims Pending that are Paid.
    map: Map
    # Whether nothing is imported if a single row is bad.
    stop_at_errors: Annotated[bool, Field(alias="stopAtErrors")] = False


@with_config(json_schema_extra={"examples": [{"name": "users.csv", "size": 48213}]})
class UploadedFile(TypedDict):
    name: str
    size: int


@with_config(json_schema_extra={"examples": [{"rows": 12000, "share": 40, "rowsPerSecond": 3000, "secondsLeft": 6}]})
class ImportProgress(TypedDict):
    rows: int
    # Of the file, in hundredths.
    share: int
    rowsPerSecond: int
    # Null if it cannot be said.
    secondsLeft: int | None


@with_config(json_schema_extra={"examples": [{"name": "mobile", "isRequired": True}]})
class OurField(TypedDict):
    name: str
    isRequired: bool


@with_config(
    json_schema_extra={
        "examples": [
            {
                "name": "payments",
                "file": "payments.csv",
                "noun": "claims",
                "fields": {"amount": "total"},
                "defaults": {},
                "statuses": {"success": "Paid"},
                "dateFormat": None,
                "sourceFields": ["id", "total", "note"],
                "ourFields": [{"name": "amount", "isRequired": True}],
                "unused": ["note"],
                "missing": ["address"],
                "unknownStatuses": ["processing"],
            }
        ]
    }
)
class MappedCollection(TypedDict):
    """A collection of the source with its whole map: what was guessed and what was corrected."""

    name: str
    file: str
    noun: NounName | None
    # The source's field for each of ours.
    fields: dict[str, str]
    defaults: dict[str, Any]
    statuses: dict[str, str]
    dateFormat: str | None
    sourceFields: list[str]
    ourFields: list[OurField]
    unused: list[str]
    # Our fields that the noun needs and nothing gives.
    missing: list[str]
    # The first of the source's statuses that the map does not name.
    unknownStatuses: list[str]


@with_config(json_schema_extra={"examples": [{"rows": 2, "sums": {"Amount": 300.5}}]})
class TotalsPart(TypedDict):
    rows: int
    # In rupees, by the name of the amount.
    sums: dict[str, float]


@with_config(
    json_schema_extra={
        "examples": [
            {
                "noun": "claims",
                "group": "2026-01",
                "source": {"rows": 3, "sums": {"Amount": 400}},
                "bad": {"rows": 1, "sums": {"Amount": 100}},
                "desk": {"rows": 2, "sums": {"Amount": 300}},
                "missing": {"rows": 0, "sums": {"Amount": 0}},
            }
        ]
    }
)
class TotalsLine(TypedDict):
    """`group` is `all`, a status or a month. `missing` is what the desk lacks: the source without bad rows and desk."""

    noun: NounName
    group: str
    source: TotalsPart
    bad: TotalsPart
    desk: TotalsPart
    missing: TotalsPart


@with_config(
    json_schema_extra={
        "examples": [
            {
                "collections": [],
                "outcomes": {"users": {"created": 797, "invalid": 3}},
                "notes": 0,
                "firstBad": [],
                "totals": [],
            }
        ]
    }
)
class ImportReport(TypedDict):
    collections: list[MappedCollection]
    # How many rows of each noun have each outcome. Empty until the map is complete.
    outcomes: dict[NounName, dict[Outcome, int]]
    # Remarks about rows that are imported.
    notes: int
    firstBad: list[BadRow]
    totals: list[TotalsLine]


_ENTRY: dict[str, Any] = {
    "_id": "6917e2f4a1b2c3d4e5000007",
    "createdAt": "2026-11-15T02:52:36.120Z",
    "createdBy": "asha",
    "files": [{"name": "users.csv", "size": 48213}],
    "state": "planned",
    "parts": 1,
    "partsInAll": 1,
    "progress": {"rows": 800, "share": 100, "rowsPerSecond": 3000, "secondsLeft": None},
    "good": 797,
    "bad": 3,
    "failure": None,
    "hasBadRows": True,
}


@with_config(json_schema_extra={"examples": [_ENTRY]})
class ImportEntry(TypedDict):
    _id: str
    createdAt: str
    createdBy: str
    files: list[UploadedFile]
    state: State
    # How many parts of the files have arrived, without a gap.
    parts: int
    partsInAll: int
    progress: ImportProgress
    # How many rows can be imported or are imported, and how many cannot be.
    good: int
    bad: int
    failure: str | None
    # Whether there is a file with reasons; it also has remarks about rows that are imported.
    hasBadRows: bool


@with_config(json_schema_extra={"examples": [_ENTRY | {"statuses": [*TAKEN_ON_SCREEN], "map": {}, "report": None}]})
class Import(ImportEntry):
    # What a claim of an import can be.
    statuses: tuple[Status, ...]
    # The corrections of the map, as they were sent.
    map: dict[str, Any]
    # What the plan or the run found; null before the first.
    report: ImportReport | None
