import msgspec
import pytest

from countinghouse.core.money import rupees

LAST_EXACT = 2**46 * 100


@pytest.mark.parametrize("paise", [0, 1, 10, 99, 100, 101, 6_250, 193_750, 100_000_001, LAST_EXACT - 1])
def test_json_shows_every_paisa_and_at_most_two_decimals(paise: int) -> None:
    shown = msgspec.json.encode(rupees(paise)).decode()
    whole, _, decimals = shown.partition(".")
    assert len(decimals) <= 2
    assert int(whole) * 100 + int(decimals.ljust(2, "0")) == paise


def test_neighbouring_amounts_stay_distinct_up_to_the_limit() -> None:
    top = [rupees(paise) for paise in range(LAST_EXACT - 10_000, LAST_EXACT)]
    assert len(set(top)) == 10_000


def test_negative_amounts_keep_their_sign() -> None:
    assert rupees(-6_250) == -62.5
