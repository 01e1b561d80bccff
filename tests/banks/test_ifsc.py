"""How an IFSC (bank branch code) is read: the bank's name, the code's state and the note."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countinghouse.banks.ifsc import read_ifsc

HDFC = "HDFC Bank"
KHAMGAON = "Khamgaon Urban Co-operative Bank"


@pytest.mark.parametrize(
    ("written", "name", "state", "note"),
    [
        ("HDFC0001234", HDFC, "good", ""),
        ("SBIN0000456", "State Bank of India", "good", ""),
        # The last six characters may be letters.
        ("BARB0AAMBUR", "Bank of Baroda", "good", ""),
        ("hdfc0001234", HDFC, "good", "Banks write it HDFC0001234."),
        (" HDFC 0001234 ", HDFC, "good", "Banks write it HDFC0001234."),
        ("\uff28\uff24\uff26\uff23\uff10001234", HDFC, "good", "Banks write it HDFC0001234."),
        ("HDFC0CKUB01", KHAMGAON, "good", f"Belongs to {KHAMGAON}, which clears through {HDFC}."),
        (
            "hdfc0ckub01",
            KHAMGAON,
            "good",
            f"Belongs to {KHAMGAON}, which clears through {HDFC}. Banks write it HDFC0CKUB01.",
        ),
        # A sublet code found by its owner's prefix, then banks' own head offices, which the sublet list also contains.
        (
            "KSCB0006001",
            "Tumkur District Central Bank",
            "good",
            "Belongs to Tumkur District Central Bank, which clears through Karnataka State Co-operative Apex Bank.",
        ),
        ("IPOS0000001", "India Post Payments Bank", "good", ""),
        ("DEOB0000001", "Deogiri Nagari Sahakari Bank Aurangabad", "good", ""),
        # A bank with codes but without a name in the list.
        ("ADBK0000001", "", "good", ""),
        ("HDFC0099999", HDFC, "unknown", "No branch has this code."),
        ("ZZZZ0QQQQQQ", "", "unknown", "No bank has codes that begin with ZZZZ."),
        (
            "SYNB0003000",
            "Syndicate Bank",
            "unknown",
            "This code is no longer listed: Syndicate Bank is part of Canara Bank now.",
        ),
        ("SBIN0010010", "State Bank of India", "unknown", "This code is no longer listed."),
        (
            "SBTR0000001",
            "State Bank of Travancore",
            "unknown",
            "No branch has this code: State Bank of Travancore is part of State Bank of India now.",
        ),
        ("", "", "malformed", "No IFSC is given."),
        ("  ", "", "malformed", "No IFSC is given."),
        ("HDFC000123", "", "malformed", "Codes have 11 characters, the fifth a zero; this one has 10."),
        ("HDFC00012345", "", "malformed", "Codes have 11 characters, the fifth a zero; this one has 12."),
        ("HDFCO001234", "", "malformed", "The fifth character of a code is a zero; this one has the letter O."),
        ("HDFC1001234", "", "malformed", "Codes are four letters, a zero, and six letters or digits."),
        ("HDF00001234", "", "malformed", "Codes are four letters, a zero, and six letters or digits."),
        ("HDFC000123é", "", "malformed", "Codes are four letters, a zero, and six letters or digits."),
        ("HDFC000123\u0967", "", "malformed", "Codes are four letters, a zero, and six letters or digits."),
    ],
)
def test_an_ifsc_is_normalised_and_looked_up(written: str, name: str, state: str, note: str) -> None:
    reading = read_ifsc(written)
    assert (reading.name, reading.state, reading.note) == (name, state, note)


@given(st.text(max_size=40))
def test_every_text_that_is_not_a_good_ifsc_gets_a_note(written: str) -> None:
    reading = read_ifsc(written)
    assert (reading.state == "good") or reading.note.endswith(".")


@given(
    st.sampled_from(["HDFC0001234", "HDFC0CKUB01", "SBIN0000456"]), st.lists(st.booleans(), min_size=11, max_size=11)
)
def test_case_and_spaces_in_an_ifsc_are_ignored(code: str, small: list[bool]) -> None:
    written = "".join(f" {sign.lower()}" if is_small else sign for sign, is_small in zip(code, small, strict=True))
    reading = read_ifsc(written)
    assert (reading.code, reading.name) == (code, read_ifsc(code).name)
    assert (f"Banks write it {code}." in reading.note) == any(small)
