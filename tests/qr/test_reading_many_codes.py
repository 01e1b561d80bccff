"""Fifty codes in six conditions: nearly all are read, and none is ever mistaken for another."""

import pytest
from PIL import Image

from countinghouse.qr.findings import judge
from countinghouse.qr.reading import read_codes
from tests.qr.corpus import CODES, LOOKS, addresses, as_png, drawn, seeded
from tests.qr.homoglyphs import HOMOGLYPH_PAIRS

SWAPPED_PAIRS = 500
HOMOGLYPHS = 25
THUMBNAILS = 50


@pytest.fixture(scope="module")
def codes() -> dict[str, Image.Image]:
    rng = seeded(5)
    return {address: drawn(address, rng) for address in addresses()}


@pytest.mark.parametrize("look", LOOKS)
def test_nearly_every_code_is_read_with_the_right_address(look: str, codes: dict[str, Image.Image]) -> None:
    rng = seeded(6)
    readings = [judge(read_codes(as_png(LOOKS[look](code, rng))), address) for address, code in codes.items()]
    assert sum(reading.payee is not None for reading in readings) >= 0.98 * CODES
    # A code that cannot be read is reported as unreadable, never with another payee.
    odd = {finding for reading in readings for finding in reading.findings}
    assert odd <= {"unreadable", "payment_note"}


def test_a_thumbnail_is_read_after_enlarging(codes: dict[str, Image.Image]) -> None:
    """Without enlarging, one in fifteen of these could not be read."""
    thumbnails = [code.resize((110, 110), Image.Resampling.BILINEAR) for code in list(codes.values())[:THUMBNAILS]]
    assert sum(bool(read_codes(as_png(thumbnail)).texts) for thumbnail in thumbnails) >= 0.98 * THUMBNAILS


def test_every_swapped_code_is_detected(codes: dict[str, Image.Image]) -> None:
    rng, every = seeded(7), addresses()
    texts = [read_codes(as_png(codes[address])) for address in every]
    pairs = [rng.sample(range(CODES), 2) for _ in range(SWAPPED_PAIRS)]
    for shown, typed in pairs:
        reading = judge(texts[shown], every[typed])
        assert "other_payee" in reading.findings
        assert reading.payee == every[shown]


def test_every_look_alike_address_in_a_picture_is_detected() -> None:
    rng = seeded(9)
    for typed, forged in HOMOGLYPH_PAIRS[:HOMOGLYPHS]:
        assert judge(read_codes(as_png(drawn(forged, rng))), typed).findings[0] in ("other_payee", "other_letters")
