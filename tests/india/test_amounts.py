import pytest

from countinghouse.india.amounts import in_rupees, rupees_in_words

IN_WORDS = {
    0: "Zero rupees",
    1: "One paisa",
    50: "Fifty paise",
    1_00: "One rupee",
    1_01: "One rupee and one paisa",
    2_02: "Two rupees and two paise",
    19_00: "Nineteen rupees",
    20_00: "Twenty rupees",
    21_00: "Twenty-one rupees",
    99_00: "Ninety-nine rupees",
    99_99: "Ninety-nine rupees and ninety-nine paise",
    100_00: "One hundred rupees",
    101_00: "One hundred one rupees",
    999_00: "Nine hundred ninety-nine rupees",
    1_000_00: "One thousand rupees",
    99_999_00: "Ninety-nine thousand nine hundred ninety-nine rupees",
    1_00_000_00: "One lakh rupees",
    12_34_500_50: "Twelve lakh thirty-four thousand five hundred rupees and fifty paise",
    99_99_999_99: ("Ninety-nine lakh ninety-nine thousand nine hundred ninety-nine rupees and ninety-nine paise"),
    1_00_00_000_00: "One crore rupees",
    1_23_45_678_90: "One crore twenty-three lakh forty-five thousand six hundred seventy-eight rupees and ninety paise",
    100_00_00_000_00: "One hundred crore rupees",
    12_345_00_00_000_00: "Twelve thousand three hundred forty-five crore rupees",
    1_00_00_001_00_00_001_00: "One crore one crore one rupees",
    # The largest possible batch, in which every claim has the largest possible amount.
    10_000 * (10**15 - 1): (
        "Nine hundred ninety-nine crore ninety-nine lakh ninety-nine thousand nine hundred ninety-nine "
        "crore ninety-nine lakh ninety-nine thousand nine hundred rupees"
    ),
}


@pytest.mark.parametrize("paise", IN_WORDS)
def test_an_amount_is_written_in_words_as_on_a_cheque(paise: int) -> None:
    assert rupees_in_words(paise) == IN_WORDS[paise]


@pytest.mark.parametrize(
    ("paise", "written"),
    [
        (0, "₹0"),
        (1, "₹0.01"),
        (99_900, "₹999"),
        (100_000, "₹1,000"),
        (100_050, "₹1,000.50"),
        (9_999_900, "₹99,999"),
        (10_000_000, "₹1,00,000"),
        (100_000_000, "₹10,00,000"),
        (1_000_000_005, "₹1,00,00,000.05"),
        (-123_456_750, "-₹12,34,567.50"),
    ],
)
def test_rupees_in_text_are_grouped_by_lakh(paise: int, written: str) -> None:
    assert in_rupees(paise) == written
