"""Webhooks go to the internet, not into the network of the server, whatever a name resolves to."""

from collections.abc import Callable, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from countinghouse.webhooks.client import Outcome, WebhookClient
from countinghouse.webhooks.targets import find_problem
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.webhooks.receiver import Receiver
from tests.webhooks.webhooks import WEBHOOKS, add, deliveries, send

# For shop.example.in, with its key. Used nowhere else.
CERTIFICATE = Path(__file__).with_name("tls_receiver.pem")

PRIVATE = (
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",  # noqa: S104 - refused
    "10.0.0.8",
    "172.16.5.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "192.88.99.1",
    "192.0.2.10",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "3fff::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2001:0:7f00:1::",
)


def resolving_to(*addresses: str) -> Callable[[str, int], Any]:
    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return resolve


def post(client: WebhookClient, url: str) -> Outcome:
    async def once() -> Outcome:
        try:
            return await client.post(url, {"webhook-id": "msg_1"}, b"{}")
        finally:
            await client.close()

    return run(once())


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_resolves_to_a_private_address_is_refused(address: str) -> None:
    outcome = post(WebhookClient((), resolving_to(address)), "https://shop.example.in/")
    assert outcome.status is None
    assert outcome.error is not None
    assert "which is not on the internet" in outcome.error
    assert "COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS" in outcome.error


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_in_the_url_cannot_be_saved(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    problem = find_problem(f"https://{host}/", ())
    assert problem is not None
    assert "not on the internet" in problem


@pytest.mark.parametrize("address", ["8.8.8.8", "103.21.244.9", "2606:4700::1111", "64:ff9b::808:808"])
def test_an_address_on_the_internet_can_be_saved(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    assert find_problem(f"https://{host}:8443/hooks", ()) is None


def test_nothing_is_sent_to_an_address_that_is_not_allowed(receiver: Receiver) -> None:
    for host in ("localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1"):
        outcome = post(WebhookClient(()), f"http://{host}:{receiver.port}/")
        assert "not on the internet" in str(outcome.error), host
    # The setting opens the networks that it names and no others.
    outcome = post(WebhookClient([ip_network("10.0.0.0/8")]), receiver.url)
    assert "not on the internet" in str(outcome.error)
    assert receiver.received == []
    assert post(WebhookClient([ip_network("127.0.0.0/8")]), f"http://localhost:{receiver.port}/").status == 204


def test_of_several_addresses_only_the_allowed_ones_are_used(receiver: Receiver) -> None:
    client = WebhookClient([ip_network("127.0.0.0/8")], resolving_to("10.0.0.8", "127.0.0.1"))
    assert post(client, f"http://shop.example.in:{receiver.port}/").status == 204
    assert receiver.received[0].headers["host"] == f"shop.example.in:{receiver.port}"


def test_if_the_first_address_does_not_respond_the_next_is_used(receiver: Receiver) -> None:
    # Nobody listens on 127.0.0.2.
    client = WebhookClient([ip_network("127.0.0.0/8")], resolving_to("127.0.0.2", "127.0.0.1"))
    assert post(client, f"http://shop.example.in:{receiver.port}/").status == 204


def test_the_address_is_looked_up_and_checked_for_every_connection(receiver: Receiver) -> None:
    """A name that passes the first check must not lead elsewhere later."""
    answers = iter(("127.0.0.1", "10.0.0.8"))

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return [next(answers)]

    url = f"http://shop.example.in:{receiver.port}/"
    allowed = [ip_network("127.0.0.0/8")]
    assert post(WebhookClient(allowed, resolve), url).status == 204
    assert "not on the internet" in str(post(WebhookClient(allowed, resolve), url).error)


def test_a_name_without_an_address_is_a_failure() -> None:
    for host in ("no-such-host.invalid", "a" * 70 + ".example"):
        assert "cannot be resolved" in str(post(WebhookClient(()), f"https://{host}/").error)
    assert "has no address" in str(post(WebhookClient((), resolving_to()), "https://shop.example.in/").error)


def test_a_receiver_that_does_not_speak_tls_is_a_failure(receiver: Receiver) -> None:
    client = WebhookClient([ip_network("127.0.0.0/8")], resolving_to("127.0.0.1"))
    outcome = post(client, f"https://shop.example.in:{receiver.port}/")
    assert outcome.status is None
    assert receiver.received == []


def test_tls_verifies_the_host_name_although_the_address_is_connected_to(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.use_tls(CERTIFICATE)
    allowed, resolve = [ip_network("127.0.0.0/8")], resolving_to("127.0.0.1")
    ours = f"https://shop.example.in:{receiver.port}/"
    # Nobody trusts this certificate by default.
    assert "certificate" in str(post(WebhookClient(allowed, resolve), ours).error)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert post(WebhookClient(allowed, resolve), ours).status == 204
    for other in ("bank.example.in", "127.0.0.1"):
        outcome = post(WebhookClient(allowed, resolve), f"https://{other}:{receiver.port}/")
        assert "certificate" in str(outcome.error), outcome
    assert len(receiver.received) == 1


@on_one_engine
def test_a_refused_target_is_logged_and_tried_again(open_desk: Callable[..., Desk], receiver: Receiver) -> None:
    desk = open_desk()
    add(desk, f"http://localhost:{receiver.port}/")
    desk.add_claim_moved_to("Accepted")
    send(desk)
    (delivery,) = deliveries(desk)
    assert delivery["state"] == "waiting"
    assert delivery["lastError"].startswith("localhost leads to ")
    assert receiver.received == []


@on_one_engine
@pytest.mark.parametrize(
    "url",
    [
        "ftp://shop.example.in/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "shop.example.in/hooks",
        "//shop.example.in/hooks",
        "https://",
        "https:///hooks",
        "https://asha:secret@shop.example.in/",
        "https://shop.example.in@10.0.0.8/",
        "https://shop.example.in:0/",
        "https://shop.example.in:99999/",
        "https://shop.example.in:x/",
        "https://shop.example.in/#part",
        "https://shop.example.in/a b",
        "https://shop.example.in/\r\nX-Evil: 1",
        "https://shop.example.in\\@10.0.0.8/",
        "https://[fe80::1%25eth0]/",
        "https://[::1",
        "https://täst.example/",
        "https://shop.example.in/" + "a" * 500,
        "https://127.0.0.1/",
        "http://[::1]:8000/",
        "",
    ],
)
def test_an_unusable_url_is_refused_with_a_sentence(open_desk: Callable[..., Desk], url: str) -> None:
    desk = open_desk()
    answer = desk.call("POST", WEBHOOKS, json={"url": url, "events": ["claim.paid"]})
    assert answer.status_code == 422, answer.text
    assert answer.json()["fields"].keys() == {"url"}
    assert answer.json()["message"].startswith(("The address ", "url "))
    assert answer.json()["message"].endswith(".")
    assert desk.get(WEBHOOKS).json() == []
