"""The first owner of a desk, in a browser: by the one-time link, from any address of this machine."""

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from httpx2 import Client, HTTPTransport, TransportError

from tests.waiting import eventually

PASSWORD = "a long sentence"
NAME = "asha"
ACCOUNT = {"accountNo": "004512345678", "ifsc": "HDFC0001234", "address": "14 MG Road, Kochi 682016"}
BOUGHT = {"invest": 5000, "dailyIncome": 62.5, "upiId": "632012345678", "claimType": "Daily", "qrName": "Desk 1"}


def link_in(printed: str) -> str:
    found = re.search(r"(http\S+/Invite#\S{43})$", printed, re.MULTILINE)
    assert found, printed
    return found[1]


@dataclass
class Owner:
    client: Client
    token: str = ""

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Idempotency-Key": uuid4().hex}
        if token or self.token:
            headers["Authorization"] = f"Bearer {token or self.token}"
        answer = self.client.request(method, path, json=body, headers=headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.headers["Content-Type"] == "application/json" else answer.text

    def is_ready(self) -> bool:
        try:
            return self.client.get("/readyz").text == '{"status":"ready"}'
        except TransportError:
            return False

    def accept(self, link: str) -> None:
        """Opens the link, and chooses a name and a password."""
        eventually(self.is_ready)
        assert "<title>Countinghouse</title>" in self.call("GET", urlsplit(link).path)
        token = urlsplit(link).fragment
        self.call("POST", "/api/invitations/accept", {"token": token, "username": NAME, "password": PASSWORD})
        self.log_in()

    def log_in(self) -> None:
        eventually(self.is_ready)
        self.token = ""
        self.token = self.call("POST", "/api/admin/login", {"username": NAME, "password": PASSWORD})["token"]

    def hears_of_changes(self) -> bool:
        """Whether the beginning of a response without an end arrives."""
        with self.client.stream("GET", "/api/live", headers={"Authorization": f"Bearer {self.token}"}) as events:
            return "event: hello" in islice(events.iter_lines(), 2)

    def push_claims(self, *names: str) -> None:
        """From the service, with a key of its own."""
        scopes = ["users:write", "purchases:write", "claims:write"]
        key = self.call("POST", "/api/keys", {"name": "app", "scopes": scopes})["key"]
        user, purchase = {"externalId": "u-1"}, {"externalId": "p-1"}
        self.call("POST", "/api/intake/users", user | {"username": "Ananya Iyer", "mobile": "9805756091"}, key)
        self.call("POST", "/api/intake/purchases", purchase | {"user": user} | BOUGHT, key)
        for name in names:
            claim = {"externalId": name, "user": user, "purchase": purchase, "amount": 437.5}
            self.call("POST", "/api/intake/claims", claim | ACCOUNT, key)

    def claims(self) -> dict[str, dict[str, Any]]:
        """By their numbers, the oldest first."""
        return dict(sorted((claim["number"], claim) for claim in self.call("GET", "/api/claims/all")))

    def move(self, number: str, *statuses: str) -> None:
        for status in statuses:
            self.call("PUT", f"/api/claims/{self.claims()[number]['_id']}/status", {"status": status})


@contextmanager
def open_browser(url: str, address: str, trusted: ssl.SSLContext | None = None) -> Iterator[Owner]:
    transport = HTTPTransport(verify=trusted or ssl.create_default_context(), local_address=address)
    with Client(base_url=url, transport=transport, trust_env=False, timeout=30) as client:
        yield Owner(client)


def speaks_http2(host: str, port: int, trusted: ssl.SSLContext) -> bool:
    trusted.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection((host, port), 10) as plain, trusted.wrap_socket(plain, server_hostname=host) as line:
        return line.selected_alpn_protocol() == "h2"
