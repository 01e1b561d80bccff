"""The dots of a dotted code grow until they touch, so that a reader sees modules."""

import pytest
from PIL import Image, ImageFilter

from countinghouse.qr.reading import enlarge_dots


@pytest.mark.parametrize("size", [(500, 500), (500, 37), (4, 4), (2, 3), (5, 1), (1, 1)])
def test_each_pixel_becomes_the_darkest_within_two_pixels(size: tuple[int, int]) -> None:
    picture = Image.effect_noise(size, 80)
    assert enlarge_dots(picture).tobytes() == picture.filter(ImageFilter.MinFilter(5)).tobytes()
