"""What a body may consist of, checked before it is decoded."""

import json
from time import process_time
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ConfigDict, Field

from countinghouse.core.inputs import Body, at_most
from countinghouse.core.structure import Structure, is_within, structure_of

MEGABYTE = 1024 * 1024
LARGEST = Structure(80_000, 8)

texts = st.text(alphabet='a"\\,[]{}:é\n', max_size=8)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=30,
)


def structure_of_value(value: Any) -> Structure:
    if not isinstance(value, list | dict):
        return Structure(0, 0)
    inner = [structure_of_value(each) for each in (value.values() if isinstance(value, dict) else value)]
    parts = max(1, len(inner)) + sum(each.parts for each in inner)
    return Structure(parts, 1 + max((each.depth for each in inner), default=0))


@given(values, st.booleans())
def test_a_text_of_the_allowed_structure_is_accepted_whatever_its_strings_contain(value: Any, is_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii).encode()
    found = structure_of_value(value)
    assert is_within(text, found)
    if found.parts:
        assert not is_within(text, found._replace(parts=found.parts - 1))


@given(values)
def test_more_than_twice_the_allowed_depth_is_refused(value: Any) -> None:
    nested: Any = [value]
    depth = structure_of_value(value).depth
    for _ in range(depth + 1):
        nested = [nested]
    assert not is_within(json.dumps(nested).encode(), Structure(1_000, depth // 2))


def test_a_long_text_with_commas_and_brackets_is_one_part() -> None:
    reason = 'He said "[{,},]" and \\ left, ' * 1_000
    assert is_within(json.dumps({"status": "Rejected", "reason": reason}).encode(), Structure(2, 1))
    assert not is_within(json.dumps({"reason": [reason, reason, 1]}).encode(), Structure(3, 2))


@pytest.mark.parametrize(
    "text",
    [
        b"[" + b"[]," * (MEGABYTE // 3) + b"1]",
        b"[" + b"{}," * (MEGABYTE // 3) + b"1]",
        b"[" + b'"",' * (MEGABYTE // 3) + b"1]",
        b'["' + b"," * MEGABYTE + b'"' + b",1" * 90_000 + b"]",
        b'["' + rb"\"" * (MEGABYTE // 2) + b'"' + b",1" * 90_000 + b"]",
        b'["' + rb"\\\"" * (MEGABYTE // 4) + b'"' + b",1" * 90_000 + b"]",
        b"[" * 70_000 + b"]" * 70_000,
        b"[{" * (MEGABYTE // 2),
        b"[]," * 70_000 + b"]}" * (MEGABYTE // 3),
    ],
    ids=lambda text: text[:6].decode(),
)
def test_junk_is_refused_in_much_less_time_than_decoding_takes(text: bytes) -> None:
    began = process_time()
    assert not is_within(text, LARGEST)
    # A few milliseconds were measured. The limit leaves room for a busy machine.
    assert process_time() - began < 0.1


@pytest.mark.parametrize("text", [b"[", b"{", b"]" * MEGABYTE, b"[]" + b"]}" * MEGABYTE, b'["'])
def test_what_is_not_json_is_left_to_the_decoder(text: bytes) -> None:
    began = process_time()
    assert is_within(text, Structure(10, 2))
    assert process_time() - began < 0.1


class _Inner(Body):
    name: str
    version: int


class _Open(Body):
    model_config = ConfigDict(extra="ignore")

    id: str


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (str | None, Structure(0, 0)),
        (_Inner, Structure(2, 1)),
        (Annotated[list[_Inner] | None, Field(fail_fast=True), at_most(10)], Structure(30, 2)),
        (Annotated[dict[str, str], Field(max_length=7)], Structure(7, 1)),
        (_Inner | Annotated[list[str], at_most(20)], Structure(20, 1)),
        (dict[str, _Inner], Structure(1_000, 2)),
        (_Open, Structure(101, 6)),
    ],
)
def test_the_structure_of_a_body_follows_from_its_model(annotation: Any, expected: Structure) -> None:
    assert structure_of(annotation) == expected
