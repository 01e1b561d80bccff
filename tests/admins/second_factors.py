"""What tests of second factors do: set one up, log in with it, confirm an action."""

from typing import Any

import pyotp
import pytest
from httpx2 import Response
from sqlalchemy import insert, select

from countinghouse.admins import throttle
from countinghouse.admins.factors.codes import STEP_SECONDS
from countinghouse.admins.factors.tables import passkeys
from countinghouse.admins.tables import admins
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from tests.admins.authenticator import Authenticator
from tests.databases import PASSWORD
from tests.desk import Desk

# The beginning of a time step, so that a test does not cross into the next one.
START = 1_800_000_000


class Phone:
    """An authenticator app, and the time by which its codes and the throttle go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = float(START)
        self.secret = ""
        self.recovery: list[str] = []
        monkeypatch.setattr("time.time", lambda: self.at)
        monkeypatch.setattr(throttle, "clock_ms", self._clock_ms)

    async def _clock_ms(self, _transaction: Transaction) -> int:
        return int(self.at * 1000)

    def code(self, steps: int = 0) -> str:
        """The code of now, or of a step before or after."""
        return pyotp.TOTP(self.secret).at(int(self.at) + steps * STEP_SECONDS)

    def next_code(self) -> str:
        """The code of the next time step, for which it waits."""
        self.at += STEP_SECONDS
        return self.code()


def log_in(desk: Desk, **body: Any) -> Response:
    return desk.call("POST", "/api/admin/login", by=None, json=body)


def enter_password(desk: Desk, username: str = "asha") -> Response:
    return log_in(desk, username=username, password=PASSWORD)


def challenge_of(desk: Desk, username: str = "asha") -> str:
    answer = enter_password(desk, username)
    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_needed"), answer.text
    return str(answer.json()["fields"]["challenge"])


def set_up_phone(desk: Desk, phone: Phone, by: str = "asha") -> None:
    begun = desk.call("POST", "/api/admin/account/totp", by=by, json={"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    phone.secret = begun.json()["secret"]
    done = desk.call("POST", "/api/admin/account/totp/confirm", by=by, json={"code": phone.code()})
    assert done.status_code == 200, done.text
    phone.recovery = done.json()["recoveryCodes"]


def set_up_passkey(desk: Desk, passkey: Authenticator, by: str = "asha", name: str = "My phone") -> Response:
    begun = desk.call("POST", "/api/admin/account/passkeys/challenge", by=by, json={"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    challenge = begun.json()["challenge"]
    body = {"challenge": challenge, "name": name, "passkey": passkey.create(challenge)}
    return desk.call("POST", "/api/admin/account/passkeys", by=by, json=body)


def give_factor(desk: Desk, username: str) -> None:
    """A passkey that nobody can answer with. Unlike setting one up, it ends no session."""
    owner = select(admins.c.id).where(admins.c.username == username).scalar_subquery()
    row = {"id": new_id(), "admin_id": owner, "credential_id": new_id().encode(), "public_key": b"", "sign_count": 0}
    desk.change(insert(passkeys).values(row | {"name": "My phone", "created_at": now()}))


def confirm(desk: Desk, refused: Response, code: str, by: str = "asha") -> Response:
    """Answers `step_up_required` with a code."""
    assert (refused.status_code, refused.json()["code"]) == (403, "step_up_required"), refused.text
    return desk.call("POST", "/api/admin/step-up", by=by, json={**refused.json()["fields"], "code": code})
