"""Which texts are plausible account numbers and mobile numbers."""

import pytest

from countinghouse.india.accounts import account_note
from countinghouse.india.mobiles import mobile_note, plain_mobile


@pytest.mark.parametrize(
    "account_no",
    ["004512345678", "50100098761234", "123456780", "000000001", "1" * 17 + "2", "987654321098765431"],
)
def test_a_plausible_account_number_gets_no_note(account_no: str) -> None:
    assert account_note(account_no) == ""


@pytest.mark.parametrize(
    ("account_no", "note"),
    [
        ("", "No account number is given."),
        ("   ", "No account number is given."),
        ("ACC-4242", "Account numbers have digits only."),
        ("0045 1234 5678", "Account numbers have digits only."),
        ("\u0967\u0968\u0969\u096a\u096b\u096c\u096d\u096e\u096f\u0967", "Account numbers have digits only."),
        ("12345679", "Account numbers have 9 to 18 digits; this one has 8."),
        ("5010009876123412345", "Account numbers have 9 to 18 digits; this one has 19."),
        ("000000000", "All its digits are the same."),
        ("111111111111", "All its digits are the same."),
        ("123456789", "Its digits are just a counting sequence."),
        ("1234567890", "Its digits are just a counting sequence."),
        ("0123456789", "Its digits are just a counting sequence."),
        ("123456789012", "Its digits are just a counting sequence."),
        ("567890123456789012", "Its digits are just a counting sequence."),
        ("987654321", "Its digits are just a counting sequence."),
        ("0987654321098765", "Its digits are just a counting sequence."),
        ("210987654321098765", "Its digits are just a counting sequence."),
    ],
)
def test_an_implausible_account_number_gets_a_note_with_the_reason(account_no: str, note: str) -> None:
    assert account_note(account_no) == note


@pytest.mark.parametrize(
    "written",
    [
        "9805756092",
        "+919805756092",
        "+91 98057 56092",
        "+91-98057-56092",
        "(+91) 9805756092",
        "00919805756092",
        "919805756092",
        "09805756092",
        "98057.56092",
    ],
)
def test_a_mobile_number_is_recognised_in_any_spelling(written: str) -> None:
    assert plain_mobile(written) == "9805756092"
    assert mobile_note(written) == ""


@pytest.mark.parametrize("first", "6789")
def test_mobile_numbers_begin_with_six_to_nine(first: str) -> None:
    assert plain_mobile(f"{first}805756092") == f"{first}805756092"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "0980575609",
        "5805756092",
        "980575609",
        "98057560921",
        "+449805756092",
        "+9198057560921",
        "0091098057560",
        "98057x6092",
        "9805756092\n1",
        "\u096f\u096e\u0966\u096b\u096d\u096b\u096c\u0966\u096f\u0968",
        "landline 0484",
    ],
)
def test_a_number_that_is_not_an_indian_mobile_gets_a_note(written: str) -> None:
    assert plain_mobile(written) is None
    assert mobile_note(written) == "Not an Indian mobile number: those have 10 digits and begin with 6, 7, 8 or 9."
