"""The short form of a drill: `make drill` draws twenty thousand pictures."""

import pytest

from drills.hostile_pictures import problems_of, show_hostile_pictures, store_bombs
from tests.engines import on_one_engine
from tests.pictures import as_format, png_with_chunk, qr_png
from tests.qr.bombs import BOMBS, bombs
from tests.qr.doctored import doctored_pictures

PICTURES = 60
# Split into several tests, so that the test workers share the load.
PARTS = 2


@on_one_engine
@pytest.mark.parametrize("part", range(PARTS))
def test_no_hostile_picture_makes_customers_pay_another_address(database_url: str, part: int) -> None:
    found = show_hostile_pictures(database_url, doctored_pictures(PICTURES // PARTS, seed=part))
    assert found.faults == []
    assert (found.pictures, found.refused) == (PICTURES // PARTS, 0)


def test_no_bomb_is_stored() -> None:
    found = store_bombs(bombs(len(BOMBS), seed=1))
    assert found.faults == []
    assert found.refused >= 8


@pytest.mark.parametrize(
    "spoilt",
    [as_format(qr_png(), "JPEG"), qr_png() + b"\n" * 12, png_with_chunk(qr_png(), b"tEXt", b"a\x00b")],
    ids=["a JPEG", "something behind it", "a comment"],
)
def test_the_judge_of_stored_files_notices(spoilt: bytes) -> None:
    assert problems_of(spoilt)
