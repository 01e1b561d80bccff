"""Pictures made to show customers a different code than the server reads. The same seed makes the same pictures."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import segno
from PIL import Image, ImageDraw, ImageOps

from tests.pictures import as_png, dotted, light, other_symbol, side_by_side
from tests.qr.corpus import seeded

SYMBOLS = ("DataMatrix", "Aztec", "PDF417", "MicroQRCode", "Code128")
PARAMETERS = (
    "mam=500",
    "url=https%3A%2F%2Fevil.test",
    "refUrl=https%3A%2F%2Fevil.test",
    "tn=Pay%20evil",
    "am=900",
    "x=1",
)


@dataclass(frozen=True)
class Doctored:
    kind: str
    typed: str
    png: bytes


def link(address: str, more: str = "") -> str:
    return f"upi://pay?pa={address}&pn=Shop{more}"


def code(text: str, scale: int = 6) -> Image.Image:
    out = io.BytesIO()
    segno.make_qr(text, error="m", mask=3).save(out, kind="png", scale=scale)
    return Image.open(out).convert("L")


def in_colours(grey: Image.Image, dark: tuple[int, ...], light_one: tuple[int, ...]) -> Image.Image:
    return Image.composite(Image.new("RGB", grey.size, light_one), Image.new("RGB", grey.size, dark), grey)


def colour(rng: Random, low: int, high: int) -> tuple[int, ...]:
    return tuple(rng.randrange(low, high) for _ in range(3))


def _ghost(typed: str, evil: str, rng: Random) -> bytes:
    big = dotted(link(evil), dots=rng.uniform(0.3, 0.9), scale=rng.choice((8, 10, 14)))
    return side_by_side(light(link(typed), grey=rng.randrange(170, 240), scale=rng.choice((2, 3))), big)


def _coloured(typed: str, evil: str, rng: Random) -> bytes:
    magenta, green = (rng.randrange(150, 256), 0, rng.randrange(150, 256)), (0, rng.randrange(90, 180), 0)
    return side_by_side(as_png(in_colours(code(link(evil)), magenta, green)), as_png(code(link(typed), 3)))


def _inverted(typed: str, evil: str, rng: Random) -> bytes:
    black = Image.new("RGB", (400, 400), "black")
    black.paste(ImageOps.invert(code(link(evil))), (40, 40))
    return side_by_side(as_png(black), as_png(code(link(typed)))) if rng.random() < 0.6 else as_png(black)


def _several(typed: str, evil: str, rng: Random) -> bytes:
    every = [link(typed), link(evil), link(typed, "&tid=2"), link(evil, "&tid=3")]
    return side_by_side(*(as_png(code(text, rng.choice((3, 6)))) for text in rng.sample(every, rng.randrange(2, 4))))


def _other_symbology(typed: str, evil: str, rng: Random) -> bytes:
    return side_by_side(as_png(code(link(typed))), other_symbol(rng.choice(SYMBOLS), evil[:10].upper()))


def _rotated(typed: str, evil: str, rng: Random) -> bytes:
    turned = code(link(evil)).rotate(rng.uniform(0, 360), expand=True, fillcolor=255)
    return side_by_side(as_png(turned), as_png(code(link(typed), 3)))


def _tinted(typed: str, evil: str, rng: Random) -> bytes:
    text = link(rng.choice((typed, evil)))
    return as_png(in_colours(code(text), colour(rng, 0, 120), colour(rng, 160, 256)))


def _low_contrast(typed: str, evil: str, rng: Random) -> bytes:
    dark = rng.randrange(60, 225)
    faint = in_colours(code(link(evil)), (dark,) * 3, (min(255, dark + rng.randrange(8, 40)),) * 3)
    return side_by_side(as_png(faint), as_png(code(link(typed), 3))) if rng.random() < 0.5 else as_png(faint)


def _damaged(typed: str, evil: str, rng: Random) -> bytes:
    torn = code(link(evil))
    draw, side = ImageDraw.Draw(torn), 6 * 7
    for corner in rng.sample(((24, 24), (torn.width - 66, 24), (24, torn.height - 66)), rng.randrange(1, 3)):
        for _ in range(rng.randrange(1, 4)):
            x, y = corner[0] + rng.randrange(side), corner[1] + rng.randrange(side)
            draw.rectangle((x, y, x + rng.randrange(4, 16), y + rng.randrange(4, 16)), fill=rng.choice((0, 255)))
    return side_by_side(as_png(torn), as_png(code(link(typed), 3))) if rng.random() < 0.5 else as_png(torn)


def _parameters(typed: str, evil: str, rng: Random) -> bytes:
    more = "".join(f"&{each}" for each in rng.sample(PARAMETERS, rng.randrange(1, 4)))
    return as_png(code(link(rng.choice((typed, typed, evil)), more), 4))


def _logo(typed: str, evil: str, rng: Random) -> bytes:
    """A code placed as a logo in the middle of another."""
    out = io.BytesIO()
    segno.make_qr(link(evil, "&tr=" + "x" * 60), error="h", mask=3).save(out, kind="png", scale=9)
    outer = Image.open(out).convert("L")
    inner = code(link(typed), 2)
    outer.paste(inner, ((outer.width - inner.width) // 2, (outer.height - inner.height) // 2))
    return as_png(outer.rotate(rng.choice((0, 90, 180)), fillcolor=255))


def _styled(typed: str, evil: str, rng: Random) -> bytes:
    """Round dots instead of squares, alone or beside a small code."""
    big = dotted(link(rng.choice((typed, evil))), dots=rng.uniform(0.5, 1.0), scale=rng.choice((8, 10, 12)))
    return side_by_side(big, as_png(code(link(typed), 2))) if rng.random() < 0.5 else big


# How many of three hundred are of each kind.
KINDS: dict[str, tuple[Callable[[str, str, Random], bytes], int]] = {
    "ghost": (_ghost, 35),
    "magenta on green": (_coloured, 25),
    "inverted": (_inverted, 20),
    "several": (_several, 30),
    "another symbology": (_other_symbology, 30),
    "rotated": (_rotated, 20),
    "tinted": (_tinted, 20),
    "low contrast": (_low_contrast, 25),
    "damaged": (_damaged, 30),
    "parameters": (_parameters, 30),
    "logo": (_logo, 20),
    "styled": (_styled, 15),
}
_MIX = [kind for kind, (_, share) in KINDS.items() for _ in range(share)]
# Has no divisor in common with their number, so that every run of pictures has its share of all kinds.
_STRIDE = 7


def doctored_pictures(count: int, *, seed: int) -> Iterator[Doctored]:
    rng = seeded(seed)
    for number in range(count):
        kind = _MIX[number * _STRIDE % len(_MIX)]
        typed, evil = f"desk{number}@okbank", f"evil{number}@okbank"
        yield Doctored(kind, typed, KINDS[kind][0](typed, evil, rng))
