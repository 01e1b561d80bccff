"""QR codes as users have them: clean from the bank, sent through a messenger, photographed, printed with a logo."""

import io
from collections.abc import Callable
from random import Random
from urllib.parse import quote

import segno
from PIL import Image, ImageDraw

CODES = 50

Look = Callable[[Image.Image, Random], Image.Image]


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable on purpose, not used for security


def addresses() -> list[str]:
    banks = ("okbank", "ybl", "okaxis", "paytm", "upi", "okhdfcbank")
    return [f"desk{number}.{number * 7919 % 10_007}@{banks[number % len(banks)]}" for number in range(CODES)]


def drawn(address: str, rng: Random) -> Image.Image:
    """Codes of varied density (long names and notes make a code finer) and mask (choosing the best one is slow)."""
    name = quote("Shop " * rng.randrange(1, 6))
    note = "" if rng.random() < 0.5 else f"&tn={'x' * rng.randrange(60)}"
    out = io.BytesIO()
    # A logo covers part of the code, so codes with a logo use the highest error correction.
    segno.make_qr(f"upi://pay?pa={address}&pn={name}&cu=INR{note}", error="h", mask=rng.randrange(8)).save(
        out, kind="png", scale=4
    )
    return Image.open(io.BytesIO(out.getvalue())).convert("L")


def _clean(code: Image.Image, _rng: Random) -> Image.Image:
    return code


def _jpeg(code: Image.Image, _rng: Random) -> Image.Image:
    out = io.BytesIO()
    code.save(out, "JPEG", quality=50)
    return Image.open(io.BytesIO(out.getvalue()))


def _rotated(code: Image.Image, rng: Random) -> Image.Image:
    return code.rotate(rng.uniform(0, 360), expand=True, fillcolor=255, resample=Image.Resampling.BILINEAR)


def _with_logo(code: Image.Image, _rng: Random) -> Image.Image:
    middle, half = code.width // 2, code.width // 12
    marked = code.convert("RGB")
    draw = ImageDraw.Draw(marked)
    draw.rectangle((middle - half - 3, middle - half - 3, middle + half + 3, middle + half + 3), fill="white")
    draw.ellipse((middle - half, middle - half, middle + half, middle + half), fill=(200, 40, 40))
    return marked


def _screenshot(code: Image.Image, _rng: Random) -> Image.Image:
    screen = Image.new("RGB", (code.width * 3 // 2, code.width * 5 // 2), (90, 60, 180))
    draw = ImageDraw.Draw(screen)
    draw.rectangle((0, 0, screen.width, 30), fill=(20, 20, 20))
    draw.text((20, 60), "Scan and pay with any app", fill="white")
    screen.paste(code, (code.width // 4, code.width // 2))
    return screen


def _small(code: Image.Image, _rng: Random) -> Image.Image:
    return code.resize((200, 200), Image.Resampling.BILINEAR)


LOOKS: dict[str, Look] = {
    "clean": _clean,
    "JPEG 50": _jpeg,
    "rotated": _rotated,
    "logo": _with_logo,
    "screenshot": _screenshot,
    "200 px": _small,
}


def as_png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()
