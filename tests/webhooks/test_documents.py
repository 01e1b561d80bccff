"""The snippets in docs/webhooks.md run as they stand and accept what the server sends."""

import base64
import json
import re
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from tests.desk import Desk
from tests.engines import on_one_engine
from tests.house.repository import text_of
from tests.webhooks.receiver import Received, Receiver
from tests.webhooks.webhooks import listen, send

CHECK_ALL = """
for (const [headers, body] of JSON.parse(process.argv[1])) {
  console.log(isGenuine(headers, Buffer.from(body, "base64")));
}
"""


def snippet(language: str, secret: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", text_of("docs/webhooks.md"), re.DOTALL | re.MULTILINE)
    assert "whsec_…" in found
    return str(found).replace("whsec_…", secret)


@pytest.fixture
def received(desk: Desk, receiver: Receiver) -> tuple[str, Received]:
    listen(desk, receiver)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    return receiver.secrets[0], receiver.taken[0]


def forged(genuine: Received) -> list[Received]:
    return [
        replace(genuine, body=genuine.body.replace(b"Accepted", b"Rejected")),
        replace(genuine, headers=genuine.headers | {"webhook-id": "msg_other"}),
        replace(genuine, headers=genuine.headers | {"webhook-timestamp": "1763174556"}),
        replace(genuine, headers=genuine.headers | {"webhook-signature": "v1,AAAA v2"}),
    ]


@on_one_engine
def test_the_python_snippet(received: tuple[str, Received]) -> None:
    secret, genuine = received
    remembered: dict[str, Any] = {}
    names: dict[str, Any] = {"remember_once": remembered.__setitem__}
    exec(snippet("python", secret), names)  # noqa: S102 - our own document
    receive = names["receive"]
    assert receive(genuine.headers, genuine.body) == 204
    assert remembered == {genuine.id: genuine.message}
    for one in forged(genuine)[:3]:
        assert receive(one.headers, one.body) == 401


@on_one_engine
def test_the_node_snippet(received: tuple[str, Received]) -> None:
    secret, genuine = received
    program = snippet("js", secret) + CHECK_ALL
    asked = json.dumps([[one.headers, base64.b64encode(one.body).decode()] for one in (genuine, *forged(genuine))])
    ended = subprocess.run(
        ["node", "--input-type=module", "-e", program, asked], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout.split() == ["true", "false", "false", "false", "false"]
