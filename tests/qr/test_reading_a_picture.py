"""Decoding is more thorough than a phone's, and its time is bounded."""

import io

import pytest
from PIL import Image

from countinghouse.qr.findings import judge
from countinghouse.qr.images import read_picture
from countinghouse.qr.picture import Seen
from countinghouse.qr.reading import read_codes
from tests.pictures import as_format, as_png, code_for, dotted, qr_png, side_by_side


def test_all_decoding_passes_run_even_after_one_has_found_a_code() -> None:
    """A small faint code next to a clear one: a phone may read either."""
    faint = Image.open(io.BytesIO(qr_png("upi://pay?pa=other@okbank", scale=2))).convert("L")
    faint = faint.point(lambda value: 200 if value < 128 else 255)
    whole = Image.open(io.BytesIO(side_by_side(code_for("desk1@okbank"), as_format(qr_png(), "PNG")))).convert("L")
    whole.paste(255, (whole.width // 2, 0, whole.width, whole.height))
    whole.paste(faint, (whole.width * 3 // 4, whole.height // 3))
    out = io.BytesIO()
    whole.save(out, "PNG")
    assert len(read_codes(read_picture(out.getvalue()).content).texts) == 2


def test_a_large_photograph_is_scaled_down_before_decoding() -> None:
    photo = Image.effect_noise((4096, 3000), 40)
    photo.paste(Image.open(io.BytesIO(code_for("desk1@okbank"))).convert("L").resize((900, 900)), (1500, 1000))
    out = io.BytesIO()
    photo.save(out, "PNG", compress_level=1)
    assert judge(read_codes(out.getvalue()), "desk1@okbank").findings == ()


def test_bytes_that_are_not_a_picture_are_unreadable() -> None:
    assert read_codes(b"") == read_codes(b"\x89PNG\r\n\x1a\n") == read_codes(qr_png()[:-60]) == Seen()


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_dotted_code_in_one_colour_is_found_behind_a_code_in_another(hidden: int) -> None:
    honest, thief = ("upi://pay?pa=desk1@okbank&pn=Desk", "upi://pay?pa=thief@okbank&pn=Desk")
    dots = Image.open(io.BytesIO(dotted(thief, dots=0.5))).convert("L")
    plain = Image.open(io.BytesIO(qr_png(honest.encode()))).convert("L").resize(dots.size, Image.Resampling.NEAREST)
    channels = [dots if channel == hidden else plain for channel in range(3)]
    assert read_codes(as_png(Image.merge("RGB", channels))).texts == {honest, thief}
