"""Two addresses are equal only character by character, ignoring case; look-alikes are reported."""

import unicodedata

import pytest

from countinghouse.qr.addresses import is_address, look_alike, same_address
from countinghouse.qr.findings import judge, say_findings, say_reading, why
from countinghouse.qr.picture import Seen
from tests.qr.homoglyphs import HOMOGLYPH_PAIRS

LETTERS_ALIKE = [
    ("desk1@okbank", "deskl@okbank"),
    ("desk1@okbank", "deskI@okbank"),
    ("desk0@okbank", "desko@okbank"),
    ("modem@okbank", "rnodem@okbank"),
    ("swan@okbank", "svvan@okbank"),
]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("desk1@okbank", True),
        ("Desk.1_a-b@ok.bank", True),
        ("9800012345@ybl", True),
        ("desk1", False),
        ("d@okbank", False),
        ("desk1@1bank", False),
        ("desk1@ok bank", False),
        ("desk1@okbank\n", False),
        ("desk1@okbank@x", False),
        ("dеsk1@okbank", False),  # noqa: RUF001 - a Cyrillic letter
    ],
)
def test_only_well_formed_addresses_are_valid(text: str, is_one: bool) -> None:
    assert is_address(text) is is_one


def test_addresses_are_compared_case_insensitively() -> None:
    assert same_address("Desk1@OKBANK", "desk1@okbank")
    assert not same_address("desk1@okbank", "desk2@okbank")
    assert not same_address("desk1@okbank ", "desk1@okbank")


def test_there_are_at_least_fifty_homoglyph_pairs() -> None:
    assert len(set(HOMOGLYPH_PAIRS)) >= 50
    assert all(typed.isascii() and not forged.isascii() for typed, forged in HOMOGLYPH_PAIRS)


@pytest.mark.parametrize(("typed", "forged"), HOMOGLYPH_PAIRS)
def test_an_address_with_letters_of_another_script_is_a_finding(typed: str, forged: str) -> None:
    assert not same_address(typed, forged)
    assert not same_address(forged, forged)
    assert look_alike(typed, forged), [unicodedata.name(letter, "?") for letter in forged if not letter.isascii()]
    reading = judge(Seen(frozenset({f"upi://pay?pa={forged}"})), typed)
    assert reading.findings == ("other_payee",)
    assert f"looks like {typed} but is written with other letters" in why(reading, typed)


@pytest.mark.parametrize(("typed", "other"), LETTERS_ALIKE)
def test_a_look_alike_address_in_ascii_is_a_finding(typed: str, other: str) -> None:
    assert not same_address(typed, other)
    (finding,) = say_findings(judge(Seen(frozenset({f"upi://pay?pa={other}"})), typed), typed)
    assert finding["sentence"] == f"This code pays {other}, which looks like {typed} but is another address."


def test_a_clearly_different_address_is_not_called_a_look_alike() -> None:
    reading = judge(Seen(frozenset({"upi://pay?pa=other@okbank"})), "desk1@okbank")
    assert say_findings(reading, "desk1@okbank") == [
        {"code": "other_payee", "sentence": "This code pays other@okbank, not desk1@okbank."}
    ]


@pytest.mark.parametrize(
    ("texts", "findings", "sentence"),
    [
        ([], ["unreadable"], "No QR code can be read in this picture."),
        (["hello"], ["no_upi"], "This is not a UPI payment QR."),
        (
            ["upi://pay?pa=desk1@okbank", "upi://pay?pa=other@okbank"],
            ["several"],
            "One of several codes in this picture pays desk1@okbank.",
        ),
        (
            ["upi://pay?pa=desk1@okbank", "upi://pay?pa=DESK1@okbank&pn=Twice"],
            ["several"],
            "This picture holds several QR codes, and a customer may scan the wrong one.",
        ),
        (["upi://pay?pa=desk1@okbank&mam=10&tn=hi"], ["least_amount", "payment_note"], "This code pays desk1@okbank."),
        (
            ["upi://pay?pa=desk1@okbank&refUrl=x&zz=1"],
            ["web_link", "unknown_parameters"],
            "This code pays desk1@okbank.",
        ),
        (["upi://pay?pa=desk1@okbank"] * 2, [], "This code pays desk1@okbank."),
        (["upi://pay?pa=desk1@okbank&pn=Acme%20Traders"], [], "This code pays desk1@okbank, Acme Traders."),
        (
            ["upi://pay?pa=desk2@okbank&pn=Acme&am=500"],
            ["other_payee", "fixed_amount"],
            "This code pays desk2@okbank, Acme, and asks for ₹500.",
        ),
        (["upi://pay?pa=desk1@okbank&pn=%E2%80%AEemcA"], [], "This code pays desk1@okbank, \ufffdemcA."),
    ],
)
def test_a_reading_is_described_in_a_sentence(texts: list[str], findings: list[str], sentence: str) -> None:
    reading = judge(Seen(frozenset(texts)), "desk1@okbank")
    assert list(reading.findings) == findings
    assert say_reading(reading) == sentence
