"""How an answer is masked by its type, for roles that see masked numbers."""

from typing import Annotated, Any, Literal, NotRequired

import msgspec
import pytest
from typing_extensions import TypedDict

from countinghouse.core.masked_answers import AnswerMask
from countinghouse.core.masking import Plain, Reference, WholeNumber

ACCOUNT, OTHER, REFERENCE = "004512345678", "9876501234", "319260012345"


class Person(TypedDict):
    mobile: WholeNumber
    name: str


class Record(TypedDict):
    _id: str
    person: Person | None
    reference: Annotated[Reference | None, "a description"]
    secret: Plain
    status: Literal["Paid", "Pending"]
    notes: NotRequired[list[str]]
    labels: NotRequired[dict[str, str]]


def masked(answer: Any, kind: Any = Record) -> Any:
    return msgspec.json.decode(AnswerMask(kind)(msgspec.json.encode(answer)))


def record(**fields: Any) -> dict[str, Any]:
    person = {"mobile": ACCOUNT, "name": "Ananya"}
    known = {"_id": "6917e2f4a1b2c3d4e5000003", "person": person, "reference": None, "secret": "", "status": "Paid"}
    return known | fields


def test_only_what_is_declared_is_shown() -> None:
    assert masked(record())["person"]["mobile"] == "••••5678"
    assert masked(record(secret=OTHER))["secret"] == OTHER
    shown = masked(record(notes=[OTHER, f"of 0045.1234/5678, {OTHER}"], labels={OTHER: OTHER}, unknown={"x": [OTHER]}))
    assert shown["notes"] == ["••••1234", "of ••••5678, ••••1234"]
    assert shown["labels"] == {"••••1234": "••••1234"}
    assert shown["unknown"] == {"x": ["••••1234"]}
    # Not what the type says.
    assert masked(record(person=f"call {OTHER}", status=f"call {OTHER}"))["person"] == "call ••••1234"
    assert masked(record(status=f"call {OTHER}"))["status"] == "call ••••1234"
    assert masked({"x": OTHER}, Any) == {"x": "••••1234"}


def test_a_reference_is_shown_while_it_is_one_word_also_in_sentences() -> None:
    notes = [f"Transaction ID {REFERENCE} is on 2 purchases.", f"{REFERENCE}99", OTHER]
    shown = masked(record(reference=REFERENCE, notes=notes))
    assert shown["reference"] == REFERENCE
    assert shown["notes"] == [notes[0], "••••4599", "••••1234"]
    assert masked(record(reference=f"call {OTHER}"))["reference"] == "call ••••1234"
    assert masked(record(reference=f"u{ACCOUNT}", notes=[f"u{ACCOUNT}"]))["reference"] == "u••••5678"


def test_the_numbers_of_another_record_of_a_list_are_its_own() -> None:
    first, second = record(notes=["0045/1234/5678"]), record(person=None, notes=["0045/1234/5678"])
    shown = masked([first, second], list[Record])
    assert [row["notes"] for row in shown] == [["••••5678"], ["0045/1234/5678"]]


@pytest.mark.parametrize(
    "kept",
    [
        "6917e2f4a1b2c3d4e5000003",
        "100000000000000000000003",
        "2026-11-15T02:52:36.120Z",
        "HDFC0001234",
        "C-10482",
        "On 15-11-2026 for ₹1,25,000.00, pin 682016",
        "claims-2026-11-15.csv",
        "There is no claim 6917e2f41234567890000003.",
        "192.168.100.200",
        "₹12,34,56,789.00, or 5000,10000 and 12345678.00",
        "15.11.2026,1430 / 682016/560001; C-10482,C-10483",
        "2026-11-15 - 2026-11-20; 15.11.2026 - 20.11.2026",
        "12 (15-11-2026) 10482, (10482) 15-11-2026",
    ],
)
def test_ids_moments_codes_and_amounts_stay(kept: str) -> None:
    assert masked(record(notes=[kept]))["notes"] == [kept]


@pytest.mark.parametrize(
    "written",
    [
        "98765 01234",
        "98765-01234",
        "98765\u201301234",
        "98765\u00a001234",
        "9876\u200b501234",
        "98765\u200b \u200b01234",
        "९८७६५०१२३४",
        "\uff19\uff18\uff17\uff16\uff15\uff10\uff11\uff12\uff13\uff14",
        "call9876501234now",
        "+919876501234",
        "98765  01234",
        "98765_01234",
        "9876.5012.34567",
        "98765.01234",
        "(98765) 01234",
        "⁹⁸⁷⁶⁵ ⁰¹²³⁴",
        "⑨⑧⑦⑥⑤⓪①②③④",
    ],
)
def test_a_number_is_found_however_it_is_written(written: str) -> None:
    (shown,) = masked(record(notes=[written]))["notes"]
    assert "••••" in shown
    assert sum(character.isdigit() for character in shown) == 4
