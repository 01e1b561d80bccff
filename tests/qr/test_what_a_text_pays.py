"""Payment links and EMVCo codes: which are recognised, and which are rejected as ambiguous."""

import pytest

from countinghouse.qr.payloads import Payment, find_payment

LINKS = {
    "upi://pay?pa=desk1@okbank": Payment("desk1@okbank"),
    "UPI://PAY?pa=desk1@okbank": Payment("desk1@okbank"),
    "upi://pay/?pa=desk1@okbank": Payment("desk1@okbank"),
    " upi://pay?pa=desk1@okbank\n": Payment("desk1@okbank"),
    "upi://pay?pa=desk1%40okbank&pn=Acme%20Traders": Payment("desk1@okbank", "Acme Traders"),
    "upi://pay?pa=desk1@okbank&pn=Acme+Traders&cu=inr": Payment("desk1@okbank", "Acme Traders"),
    "upi://pay?pn=%E0%A4%85%E0%A4%A8&pa=Desk1@OkBank&": Payment("Desk1@OkBank", "अन"),
    "upi://pay?pa=desk1@okbank&am=500": Payment("desk1@okbank", None, "500"),
    "upi://pay?pa=desk1@okbank&am=0.50": Payment("desk1@okbank", None, "0.50"),
    "upi://pay?pa=desk1@okbank&am=": Payment("desk1@okbank"),
    "upi://pay?pa=desk1@okbank&am=0.00&mam=0": Payment("desk1@okbank"),
    "upi://pay?pa=desk1@okbank&mode=02&purpose=00&tr=4711": Payment("desk1@okbank"),
    "upi://pay?pa=desk1@okbank;pa=other@okbank": Payment("desk1@okbank;pa=other@okbank"),
    "upi://pay?pa=desk1+x@okbank": Payment("desk1+x@okbank"),
}


@pytest.mark.parametrize("text", LINKS)
def test_the_payee_of_a_payment_link_is_found(text: str) -> None:
    assert find_payment(text) == LINKS[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "https://desk.example.in/pay?pa=desk1@okbank",
        "upi://mandate?pa=desk1@okbank",
        "upi://pay@evil?pa=desk1@okbank",
        "upi:pay?pa=desk1@okbank",
        "upi://pay",
        "upi://pay?pn=Acme",
        "upi://pay?pa=",
        "upi://pay?pa=desk1@okbank&pa=other@okbank",
        "upi://pay?pa=desk1@okbank&PA=other@okbank",
        "upi://pay?pa=desk1@okbank&%70a=other@okbank",
        "upi://pay?pa=desk1@okbank&pn=One&pn=Two",
        "upi://pay?pa=desk1@okbank&am=1&am=2",
        "upi://pay?pa=desk1%4okbank",
        "upi://pay?pa=desk1%ffokbank",
        "upi://pay?pa=desk1@okbank%00",
        "upi://pay?pa=desk1@okbank&pn=A\x00B",
        "upi://pay?pa=desk1@okbank&am=%00",
        "upi://pay?pa=desk1@okbank&am=1%0A2",
        "upi://pay?pa=desk1@okbank#&am=1",
        "upi://pay?pa=desk1@okbank&cu=USD",
        f"upi://pay?pa={'x' * 320}@okbank",
    ],
)
def test_a_link_that_apps_may_read_differently_is_not_a_payment(text: str) -> None:
    assert find_payment(text) is None


def field(tag: int, value: str) -> str:
    return f"{tag:02d}{len(value):02d}{value}"


def crc(text: str) -> str:
    """The table-driven textbook algorithm: independent of the implementation under test."""
    table = []
    for byte in range(256):
        entry = byte << 8
        for _ in range(8):
            entry = (entry << 1) ^ (0x1021 if entry & 0x8000 else 0)
        table.append(entry & 0xFFFF)
    value = 0xFFFF
    for byte in text.encode():
        value = ((value << 8) & 0xFFFF) ^ table[(value >> 8) ^ byte]
    return f"{value:04X}"


def emv(*more: str, accounts: tuple[str, ...] = (), currency: str = "356") -> str:
    upi = field(26, field(0, "A000000524") + field(1, "desk1@okbank"))
    body = field(0, "01") + field(1, "11") + "".join(accounts or (upi,)) + field(52, "5411") + field(53, currency)
    body += "".join(more) + field(58, "IN") + field(59, "Acme Traders") + field(60, "KOCHI") + "6304"
    return body + crc(body)


def test_the_test_checksum_matches_the_standard() -> None:
    assert crc("123456789") == "29B1"


def test_the_payee_of_a_bharat_qr_code_is_found() -> None:
    assert find_payment(emv()) == Payment("desk1@okbank", "Acme Traders")
    assert find_payment(emv(field(54, "499.00"))) == Payment("desk1@okbank", "Acme Traders", "499.00")
    with_reference = (*accounts("desk1@okbank"), field(27, field(0, "A000000524") + field(1, "REF4711")))
    assert find_payment(emv(accounts=with_reference)) == Payment("desk1@okbank", "Acme Traders")


def accounts(*payees: str) -> tuple[str, ...]:
    return tuple(field(26 + place, field(0, "A000000524") + field(1, payee)) for place, payee in enumerate(payees))


@pytest.mark.parametrize(
    "text",
    [
        emv()[:-1] + ("0" if emv()[-1] != "0" else "1"),
        emv()[:-8],
        emv() + "0000",
        emv().replace("desk1@okbank", "other@okbank"),
        emv(accounts=accounts("desk1@okbank", "other@okbank")),
        emv(accounts=(field(2, "4111111111111111"),)),
        emv(accounts=(field(26, field(0, "A000000524") + field(1, "desk1@okbank") + field(1, "x@okbank")),)),
        emv(accounts=accounts("desk1@okbank") * 2),
        emv(accounts=(field(4, "5111111111111111"), *accounts("desk1@okbank"))),
        emv(accounts=(field(8, "HDFC0001234004512345678"), *accounts("desk1@okbank"))),
        emv(accounts=(*accounts("desk1@okbank"), field(28, field(0, "A000000524") + field(1, "123412341234")))),
        emv(accounts=(*accounts("desk1@okbank"), field(30, field(0, "SG.PAYNOW") + field(1, "2")))),
        emv(field(59, "Another")),
        emv(currency="840"),
        "00020163041D3D",
        "000201" + "2699short",
    ],
)
def test_an_inconsistent_emvco_code_is_not_a_payment(text: str) -> None:
    assert find_payment(text) is None
