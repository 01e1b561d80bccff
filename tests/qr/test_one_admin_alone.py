"""Whatever calls one of two admins makes, in any order, they alone cannot get a new address displayed."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.tables import admins
from countinghouse.qr.rules import address_key, drawn_address
from countinghouse.qr.tables import qr_codes, qr_displays
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import code_for, qr_png, side_by_side, without_a_code
from tests.qr.corpus import seeded

STEPS = 60
KNOWN, NEW = "known@okbank", "evil@okbank"

PICTURES = (
    code_for(KNOWN),
    code_for(NEW),
    code_for(NEW.upper(), am="5"),
    code_for(KNOWN, url="https://evil.test"),
    side_by_side(code_for(KNOWN), code_for(NEW)),
    without_a_code(),
    qr_png("https://evil.test/pay"),
)


class Thief:
    """An attacker with one admin's token who makes random calls."""

    def __init__(self, desk: Desk, rng: Random) -> None:
        self.desk, self.rng = desk, rng
        self.codes: list[str] = []

    def step(self) -> list[Response]:
        often = (self.upload, self.display, self.display, self.display_twice, self.confirm)
        call = self.rng.choice((*often, self.hide, self.withdraw, self.delete, self.loosen, self.draw, self.read))
        return call()

    def _random_code(self) -> str:
        return self.rng.choice(self.codes) if self.codes else "0" * 24

    def _call(self, method: str, path: str, **more: object) -> list[Response]:
        return [self.desk.call(method, path, by="asha", **more)]

    def upload(self) -> list[Response]:
        typed = self.rng.choice((KNOWN, NEW))
        answer = self.desk.upload(self.rng.choice(PICTURES), upi_id=typed, by="asha")
        self.codes.append(answer.json()["_id"])
        return [answer]

    def display(self) -> list[Response]:
        return self._call("PATCH", f"/api/qr/status/{self._random_code()}", json={"status": "display"})

    def display_twice(self) -> list[Response]:
        path = f"/api/qr/status/{self._random_code()}"
        with ThreadPoolExecutor(2) as pool:
            pressed = [pool.submit(self._call, "PATCH", path, json={"status": "display"}) for _ in range(2)]
            return [answer for one in pressed for answer in one.result()]

    def hide(self) -> list[Response]:
        return self._call("PATCH", f"/api/qr/status/{self._random_code()}", json={"status": "hide"})

    def confirm(self) -> list[Response]:
        body = {"reason": "Trust me.", "payee": self.rng.choice((KNOWN, NEW, None))}
        return self._call("POST", f"/api/qr/{self._random_code()}/confirm", json=body)

    def withdraw(self) -> list[Response]:
        return self._call("DELETE", f"/api/qr/{self._random_code()}/display-request")

    def delete(self) -> list[Response]:
        qr_id = self._random_code()
        if self.rng.random() < 0.7 or qr_id not in self.codes:
            return []
        self.codes.remove(qr_id)
        return self._call("DELETE", f"/api/qr/{qr_id}")

    def loosen(self) -> list[Response]:
        return self._call("PUT", "/api/policy", json={"newPayeeNeedsSecondAdmin": False})

    def draw(self) -> list[Response]:
        return self._call("POST", "/api/qr/draw", json={"upiId": NEW, "name": "Desk 1"})

    def read(self) -> list[Response]:
        return self._call("POST", "/api/qr/read", files={"qrImage": ("a.png", PICTURES[1], "image/png")})


def addresses_ever_shown(desk: Desk) -> set[str]:
    shown = desk.rows(select(qr_codes).where(qr_codes.c.id.in_(select(qr_displays.c.qr_id))))
    return {address_key(drawn_address(code)) for code in shown}


@pytest.mark.parametrize("seed", range(2))
def test_with_two_admins_one_alone_cannot_display_a_new_address(desk: Desk, seed: int) -> None:
    first = desk.upload(code_for(KNOWN), upi_id=KNOWN, by="ravi").json()["_id"]
    assert desk.display(first, by="ravi").status_code == 200
    thief = Thief(desk, seeded(seed))
    for _ in range(STEPS):
        for answer in thief.step():
            assert answer.status_code in (200, 202, 404, 409, 422), answer.text
        assert addresses_ever_shown(desk) == {KNOWN}
    assert not [row for row in desk.audit("qr.confirmed") if row.actor == "asha"]


@on_one_engine
def test_with_one_admin_codes_with_findings_are_displayed_only_after_retyping(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "ravi").values(disabled_at=NEWEST))
    thief = Thief(desk, seeded(9))
    for _ in range(STEPS):
        for answer in thief.step():
            assert answer.status_code in (200, 404, 409, 422), answer.text
    shown = desk.rows(select(qr_codes).where(qr_codes.c.id.in_(select(qr_displays.c.qr_id))))
    assert shown
    confirmed = {row.subject_id: row.after for row in desk.audit("qr.confirmed")}
    for code in shown:
        assert code.image_key is not None
        assert code.findings == "" or confirmed[code.id]["by"] == "retype"
