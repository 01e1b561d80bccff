"""Parsing a payment reference as it was pasted: its kind, and the date that it encodes."""

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from countinghouse.india.references import (
    LONGEST_KEY,
    KnownKeys,
    are_swapped,
    classify,
    is_of_another_day,
    is_one_slip_away,
    one_slip_away,
    reference_key,
    without_separators,
)

# A Sunday in November; the 319th day of its year.
NOV = date(2026, 11, 15)
NEW_YEAR, OLD_YEAR = date(2027, 1, 1), date(2026, 12, 31)
LEAP = date(2028, 2, 29)

CASES: list[tuple[str, date, str, date | None]] = [
    # UPI and IMPS: the year's last digit and the day of the year.
    ("631902345678", NOV, "UPI", NOV),
    ("631802345678", NOV, "UPI", date(2026, 11, 14)),
    ("632002345678", NOV, "UPI", date(2026, 11, 16)),
    ("600100000000", NOV, "UPI", date(2026, 1, 1)),
    ("636599999999", NOV, "UPI", date(2026, 12, 31)),
    ("531902345678", NOV, "UPI", date(2025, 11, 15)),
    ("731902345678", NOV, "UPI", date(2027, 11, 15)),
    ("231902345678", NOV, "UPI", date(2022, 11, 15)),
    ("031902345678", NOV, "UPI", date(2030, 11, 15)),
    # Five years back and five ahead end in the same digit: the nearer date is chosen.
    ("130002345678", date(2026, 1, 10), "UPI", date(2021, 10, 27)),
    ("130002345678", date(2026, 12, 20), "UPI", date(2031, 10, 27)),
    # The year wraps between the payment and the purchase.
    ("636512345678", NEW_YEAR, "UPI", OLD_YEAR),
    ("700112345678", OLD_YEAR, "UPI", NEW_YEAR),
    ("700112345678", NEW_YEAR, "UPI", NEW_YEAR),
    ("936512345678", date(2030, 1, 1), "UPI", date(2029, 12, 31)),
    ("000112345678", date(2029, 12, 31), "UPI", date(2030, 1, 1)),
    # A leap year has a 29 February and a 366th day, other years do not.
    ("806012345678", LEAP, "UPI", LEAP),
    ("806112345678", LEAP, "UPI", date(2028, 3, 1)),
    ("706012345678", date(2027, 3, 1), "UPI", date(2027, 3, 1)),
    ("836612345678", date(2028, 12, 31), "UPI", date(2028, 12, 31)),
    ("836612345678", date(2029, 1, 1), "UPI", date(2028, 12, 31)),
    ("836512345678", date(2028, 12, 31), "UPI", date(2028, 12, 30)),
    ("636612345678", NOV, "other", None),
    ("736612345678", NEW_YEAR, "other", None),
    # No such day in any year.
    ("600012345678", NOV, "other", None),
    ("636712345678", NOV, "other", None),
    ("699912345678", NOV, "other", None),
    # One digit too few, one too many.
    ("63190234567", NOV, "other", None),
    ("6319023456789", NOV, "app", None),
    # As people paste it.
    ("6319 0234 5678", NOV, "UPI", NOV),
    ("6319-0234-5678", NOV, "UPI", NOV),
    ("\u200b631902345678\ufeff", NOV, "UPI", NOV),
    ("६३१९०२३४५६७८", NOV, "UPI", NOV),
    ("".join(chr(0xFF10 + int(digit)) for digit in "631902345678"), NOV, "UPI", NOV),
    ("৬৩১৯০২৩৪৫৬৭৮", NOV, "UPI", NOV),
    ("௬௩௧௯௦௨௩௪௫௬௭௮", NOV, "UPI", NOV),
    ("UPI Ref No: 631902345678", NOV, "UPI", NOV),
    ("UTR-631902345678.", NOV, "UPI", NOV),
    ("6️⃣31902345678", NOV, "UPI", NOV),
    # NEFT: sixteen characters, the year before or after the day.
    ("HDFCN26319123456", NOV, "NEFT", NOV),
    ("HDFCN31926123456", NOV, "NEFT", NOV),
    ("hdfc n 26319 123456", NOV, "NEFT", NOV),
    ("SBIN326319123456", NOV, "NEFT", NOV),
    ("ICICP26318000001", NOV, "NEFT", date(2026, 11, 14)),
    ("N319260012345678", NOV, "NEFT", NOV),
    ("N319250012345678", NOV, "NEFT", date(2025, 11, 15)),
    ("HDFCN26365123456", NEW_YEAR, "NEFT", OLD_YEAR),
    ("HDFCN27001123456", OLD_YEAR, "NEFT", NEW_YEAR),
    ("HDFCN28366123456", date(2028, 12, 31), "NEFT", date(2028, 12, 31)),
    ("HDFCN26366123456", NOV, "other", None),
    ("HDFCN26000123456", NOV, "other", None),
    ("HDFCN99400123456", NOV, "other", None),
    ("HDFCN2631912345", NOV, "app", None),
    # RTGS: twenty-two characters with the whole date.
    ("HDFCR52026111512345678", NOV, "RTGS", NOV),
    ("SBINR12026110112345678", NOV, "RTGS", date(2026, 11, 1)),
    ("sbin r1 2026 1101 1234 5678", NOV, "RTGS", date(2026, 11, 1)),
    ("SBINR12026123112345678", NEW_YEAR, "RTGS", OLD_YEAR),
    ("SBINR12028022912345678", LEAP, "RTGS", LEAP),
    ("SBINR12027022912345678", date(2027, 3, 1), "other", None),
    ("SBINR12026130112345678", NOV, "other", None),
    ("SBINR11926110112345678", NOV, "other", None),
    # Payment ids of apps, which no bank knows.
    ("CICAgMDYnOvfPg", NOV, "app", None),
    ("CICAgKCq8J_wTw", NOV, "app", None),
    ("T2611150825467890123456", NOV, "app", NOV),
    ("T2611140825467890123456", NOV, "app", date(2026, 11, 14)),
    ("T2699140825467890123456", NOV, "app", None),
    ("PTM4f0c2a9e1d7b4c55", NOV, "app", None),
    ("ICI8d2f5b1c9e7a4f60b3d8c1e5a7f9024b", NOV, "app", None),
    ("20261115123456789012", NOV, "app", None),
    ("order_NxQ2b8Vt0Zk1Lm", NOV, "app", None),
    # None of these.
    ("", NOV, "other", None),
    ("NONE", NOV, "other", None),
    ("cash", NOV, "other", None),
    ("-", NOV, "other", None),
    ("T1", NOV, "other", None),
    ("12345", NOV, "other", None),
    ("नकद", NOV, "other", None),
]


@pytest.mark.parametrize(("typed", "around", "kind", "day"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_a_reference_is_classified_by_its_format(typed: str, around: date, kind: str, day: date | None) -> None:
    reference = classify(reference_key(typed), around)
    assert (reference.kind, reference.day) == (kind, day)


@pytest.mark.parametrize(
    ("key", "day", "is_off"),
    [
        ("631902345678", NOV, False),
        ("631902345678", date(2026, 11, 14), False),
        ("631902345678", date(2026, 11, 16), False),
        ("631902345678", date(2026, 11, 13), True),
        ("631902345678", date(2026, 11, 17), True),
        ("636512345678", NEW_YEAR, False),
        ("636512345678", date(2027, 1, 2), True),
        ("700112345678", OLD_YEAR, False),
        ("531902345678", NOV, True),
        ("NONE", NOV, False),
    ],
)
def test_a_date_one_day_off_is_accepted(key: str, day: date, is_off: bool) -> None:
    assert is_of_another_day(classify(key, day), day) is is_off


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("  n319-2600\u20131234\u20145678 ", "N319260012345678"),
        ("txn id 631902345678", "631902345678"),
        ("TXN631902345678", "631902345678"),
        # A label before anything else is a part of the key.
        ("TXN123", "TXN123"),
        ("UTR0631902345678", "UTR0631902345678"),
        ("...", ""),
        ("नकद", "नकद"),
        ("का", "का"),
        ("कि", "कि"),
        ("ﷺ" * 20, ("صلىاللهعليهوسلم" * 20)[:LONGEST_KEY]),
    ],
)
def test_a_reference_is_normalized_to_its_key(typed: str, key: str) -> None:
    assert reference_key(typed) == key


# The digits 0 to 9 in ASCII, Devanagari, Bengali, Tamil, Telugu, full width and mathematical bold.
DIGITS = ["".join(chr(zero + n) for n in range(10)) for zero in (0x30, 0x966, 0x9E6, 0xBE6, 0xC66, 0xFF10, 0x1D7CE)]
BETWEEN = ["", "", "", " ", "-", "  ", "\u00a0", "\u2013", "\u200b", "\t", "\ufeff", "\u2212", "\n", ".", "/"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@st.composite
def reformatted(draw: st.DrawFn) -> tuple[str, str]:
    """A reference, and the same one in other digits, cases and spaces."""
    reference = draw(st.from_regex(r"\A([0-9]{12}|[A-Z]{4}N[0-9]{11}|[A-Z]{4}R[0-9]{17}|[A-Z0-9]{8,30})\Z"))
    digits = draw(st.sampled_from(DIGITS))
    pieces = []
    for character in reference:
        if character in LETTERS:
            wide = chr(ord(character) + 0xFEE0)
            pieces.append(draw(st.sampled_from([character, character.lower(), wide, wide.lower()])))
        else:
            pieces.append(digits[int(character)])
        pieces.append(draw(st.sampled_from(BETWEEN)))
    return reference, draw(st.sampled_from(BETWEEN)) + "".join(pieces)


@given(reformatted())
def test_every_spelling_of_a_reference_has_the_same_key(pair: tuple[str, str]) -> None:
    reference, typed = pair
    assert reference_key(typed) == reference_key(reference)


@given(st.text(max_size=100))
def test_the_key_of_any_text_fits_its_column_and_is_its_own_key(typed: str) -> None:
    key = reference_key(typed)
    assert len(key) <= LONGEST_KEY
    assert "\x00" not in key
    assume(len(key) < LONGEST_KEY)
    assert reference_key(key) == key


@given(st.text(max_size=60), st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_any_text_can_be_classified(typed: str, around: date) -> None:
    reference = classify(reference_key(typed), around)
    assert reference.day is None or abs(reference.day.year - around.year) <= 5


def test_spaces_and_dashes_are_separators_and_slashes_are_not() -> None:
    assert without_separators("n319/2600 1234-५६७८") == "N319/260012345678"


def test_a_typing_slip_is_one_digit_changed_or_two_swapped() -> None:
    slips = one_slip_away("631902345678")
    assert {"631902345679", "031902345678", "631902345687", "361902345678", "831902345676"} <= slips
    assert not {"631902345678", "63190234567", "631902345690", "X31902345678"} & slips
    # Nine other digits at each of twelve positions, and the pairs of positions with different digits.
    assert len(slips) == 12 * 9 + 12 * 11 // 2 - 2
    assert are_swapped("631902345678", "631902345687")
    assert not are_swapped("631902345678", "631902345679")


def test_slips_never_change_letters_and_short_numbers_have_none() -> None:
    assert all(slip.startswith("HDFCN") for slip in one_slip_away("HDFCN26319123456"))
    assert one_slip_away("T12345") == set()
    assert one_slip_away("NONE") == set()


@pytest.mark.parametrize("key", ["631902345678", "HDFCN26319123456", "111111111111", "1234567", "T12345", "NONE"])
def test_slips_among_known_keys_are_all_found(key: str) -> None:
    others = {"631902345690", "HDFCN26319654321", "T12346", "NONA", "222222222222"}
    slips = one_slip_away(key)

    def found(*known: str) -> set[str]:
        keys = KnownKeys()
        for one in (*known, *others, key, key):
            keys.add(one)
        return keys.one_slip_away(key)

    assert found() == set()
    assert found(*slips) == slips
    few = sorted(slips)[:20]
    assert found(*few) == set(few)
    assert all(found(slip) == {slip} for slip in slips)


@given(st.text("01A", min_size=5, max_size=8), st.text("01A", min_size=5, max_size=8))
def test_two_keys_are_compared_as_their_slips_are_listed(key: str, other: str) -> None:
    assert is_one_slip_away(key, other) == (other in one_slip_away(key))


@given(st.from_regex(r"\A[0-9A-Z]{6,22}\Z"))
def test_slips_are_symmetric(key: str) -> None:
    assert all(key in one_slip_away(slip) for slip in sorted(one_slip_away(key))[::17])
