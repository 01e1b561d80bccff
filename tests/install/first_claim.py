"""From an installed command to the first claim that is paid: what an operator does on the first day.

It uses the standard library only, and runs in the environment into which the wheel was installed, outside of the
repository: python -I first_claim.py PORT. The current folder becomes the desk's.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen
from uuid import uuid4

PASSWORD = "a long sentence"
COMMAND = str(Path(sys.executable).with_name("countinghouse"))


def call(method: str, path: str, body: Any = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(ORIGIN + path, data, headers, method=method), timeout=30) as answer:  # noqa: S310 - our own
        kind = answer.headers["Content-Type"]
        return json.load(answer) if kind == "application/json" else answer.read().decode()


def wait_for_link(log: Path, server: subprocess.Popen[bytes]) -> str:
    """The token in the link for the first owner, once the server is ready."""
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        found = re.search(r"/Invite#(\S{43})\n", log.read_text())
        try:
            if found and call("GET", "/readyz") == {"status": "ready"}:
                return found[1]
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def use_desk(link: str) -> dict[str, Any]:
    assert "<title>Countinghouse</title>" in call("GET", "/Withdraw")
    call("POST", "/api/invitations/accept", {"token": link, "username": "asha", "password": PASSWORD})
    token = call("POST", "/api/admin/login", {"username": "asha", "password": PASSWORD})["token"]
    scopes = ["users:write", "purchases:write", "claims:write"]
    key = call("POST", "/api/keys", {"name": "app", "scopes": scopes}, token)["key"]
    user, purchase = {"externalId": "u-1"}, {"externalId": "p-1"}
    call("POST", "/api/intake/users", user | {"username": "Ananya Iyer", "mobile": "9805756091"}, key)
    bought = {"invest": 5000, "dailyIncome": 62.5, "upiId": "632012345678", "claimType": "Daily", "qrName": "Desk 1"}
    call("POST", "/api/intake/purchases", purchase | {"user": user} | bought, key)
    account = {"accountNo": "004512345678", "ifsc": "HDFC0001234", "address": "14 MG Road, Kochi 682016"}
    claim = {"externalId": "c-1", "user": user, "purchase": purchase, "amount": 437.5}
    call("POST", "/api/intake/claims", claim | account, key)
    (stored,) = call("GET", "/api/claims/all", token=token)
    for status in ("Accepted", "Paid"):
        call("PUT", f"/api/claims/{stored['_id']}/status", {"status": status}, token)
    (moved,) = call("GET", "/api/claims/all", token=token)
    return {"status": moved["status"], "bank": moved["bank"]["name"], **call("GET", "/api/version", token=token)}


if __name__ == "__main__":
    port = sys.argv[1]
    ORIGIN = f"http://127.0.0.1:{port}"
    written = Path("server.log")
    with written.open("wb") as output:
        desk = subprocess.Popen([COMMAND, "serve", "--port", port], stdout=output, stderr=subprocess.STDOUT)
    try:
        told = use_desk(wait_for_link(written, desk))
    finally:
        desk.terminate()
        desk.wait(20)
    told["ended"] = desk.returncode
    sys.stdout.write(json.dumps(told))
