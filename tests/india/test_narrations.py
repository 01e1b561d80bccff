"""The reference of a payout among what banks and apps print around it, as the sheet of the web app reads it too."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countinghouse.claims.references import former_reference, normalised_reference
from countinghouse.core.errors import InvalidInput
from countinghouse.india.narrations import references_in
from tests.india.written_references import reference
from tests.postgres_cluster import ROOT

SPELLINGS: dict[str, Any] = json.loads((ROOT / "web/src/testing/referenceSpellings.json").read_text("utf-8"))


@pytest.mark.parametrize(("typed", "stored"), SPELLINGS["one"])
def test_a_reference_among_the_words_of_a_statement_is_the_reference_alone(typed: str, stored: str) -> None:
    assert normalised_reference(typed) == stored


@pytest.mark.parametrize("typed", SPELLINGS["none"])
def test_what_is_no_reference_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInput):
        normalised_reference(typed)


@pytest.mark.parametrize(("typed", "found"), SPELLINGS["several"])
def test_of_several_references_none_is_chosen(typed: str, found: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        normalised_reference(typed)
    assert refused.value.fields == {
        "reference": f"This has several references: {' and '.join(found)}. Enter one of them alone."
    }


def test_whatever_a_bank_or_an_app_writes_can_be_stored() -> None:
    random = Random(1)  # noqa: S311 - a seed, so that it can be repeated
    for _ in range(2_000):
        assert normalised_reference(reference(random))


WORDS = st.sampled_from(
    ["UPI", "imps", "P2A", "NEFT", "412345678901", "998877665544", "HDFCN26319123456", "N319260012345678", "RAHUL", "7"]
)


@given(st.lists(WORDS | st.text(max_size=12), max_size=8), st.sampled_from("/-. :*"))
def test_a_stored_reference_is_its_own_spelling(words: list[str], between: str) -> None:
    typed = between.join(words)
    for found in references_in(typed):
        assert references_in(found) in ([found], [])
    try:
        stored = normalised_reference(typed)
    except InvalidInput:
        return
    assert normalised_reference(stored) == stored


@given(st.from_regex(r"\A[0-9A-Z]{6,40}\Z"))
def test_letters_and_digits_alone_are_stored_as_typed_but_for_a_label_or_zeros(typed: str) -> None:
    (found,) = references_in(typed)
    assert found == typed or typed.endswith(found)
    assert len(found) in (12, len(typed))


@pytest.mark.parametrize(
    ("typed", "former"),
    [
        ("IMPS 412345678901", "IMPS412345678901"),
        ("0000412345678901", "0000412345678901"),
        ("412345678901", None),
        ("IMPS/412345678901", None),
        ("n319 260012345678", None),
    ],
)
def test_what_an_earlier_release_stored_is_known(typed: str, former: str | None) -> None:
    assert former_reference(typed) == former
