"""Passkeys: setting them up, login with one, and what must not pass for one."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cbor2
import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.factors.tables import factor_challenges, passkeys
from countinghouse.admins.tables import admins
from countinghouse.core.times import now
from tests.admins.authenticator import USER_PRESENT, USER_VERIFIED, Authenticator, from_base64, to_base64
from tests.admins.second_factors import challenge_of, enter_password, log_in, set_up_passkey
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.engines import on_one_engine


@pytest.fixture
def passkey(desk: Desk) -> Authenticator:
    """Asha's."""
    passkey = Authenticator()
    answer = set_up_passkey(desk, passkey)
    assert answer.status_code == 201, answer.text
    return passkey


def begin(desk: Desk) -> str:
    answer = log_in(desk, begin="passkey")
    assert (answer.status_code, answer.json()["fields"]["needs"]) == (401, "passkey")
    return str(answer.json()["fields"]["challenge"])


def answered(desk: Desk, passkey: Authenticator, challenge: str) -> Response:
    return log_in(desk, challenge=challenge, passkey=passkey.get(challenge))


@on_one_engine
@pytest.mark.parametrize(
    "key",
    [
        {1: 2, 3: -7, -1: 1, -2: b"\x01", -3: b"\x02"},
        {1: 2, 3: -7, -1: 1, -2: b"\x01" * 32, -3: b"\x02" * 32},
        {1: 2, 3: -7, -1: 99, -2: b"\x01" * 32, -3: b"\x02" * 32},
        {1: 3, 3: -257, -1: b"\x01", -2: b"\x01"},
        {1: 1, 3: -8, -1: 6, -2: b"\x01\x02\x03"},
    ],
)
def test_a_passkey_that_nobody_could_sign_with_is_refused(desk: Desk, key: dict[int, Any]) -> None:
    answer = set_up_passkey(desk, Authenticator(public_key=cbor2.dumps(key)))
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["passkey"])
    assert desk.rows(select(passkeys)) == []


def test_a_passkey_is_the_second_step_after_the_password(desk: Desk, passkey: Authenticator) -> None:
    assert enter_password(desk).json()["fields"]["needs"] == "passkey recovery"
    answer = answered(desk, passkey, challenge_of(desk))
    assert answer.status_code == 200
    assert desk.get("/api/admin/me", by=answer.json()["token"]).json()["username"] == "asha"
    assert desk.audit("session.opened")[-1].after == {"factor": "passkey"}


def test_a_passkey_alone_logs_in_the_admin_it_belongs_to(desk: Desk, passkey: Authenticator) -> None:
    answer = answered(desk, passkey, begin(desk))
    assert (answer.status_code, answer.json()["username"]) == (200, "asha")


def test_an_answer_is_accepted_once(desk: Desk, passkey: Authenticator) -> None:
    challenge = begin(desk)
    answer = passkey.get(challenge)
    assert log_in(desk, challenge=challenge, passkey=answer).status_code == 200
    assert log_in(desk, challenge=challenge, passkey=answer).json()["code"] == "login_expired"


def test_an_answer_to_another_challenge_is_refused(desk: Desk, passkey: Authenticator) -> None:
    recorded = passkey.get(begin(desk))
    assert log_in(desk, challenge=begin(desk), passkey=recorded).json()["code"] == "factor_refused"


def test_two_requests_with_one_answer_open_one_session(desk: Desk, passkey: Authenticator) -> None:
    passkey.counts = False
    for _ in range(5):
        challenge = begin(desk)
        answer = passkey.get(challenge)
        with ThreadPoolExecutor(2) as threads:
            answers = [threads.submit(log_in, desk, challenge=challenge, passkey=answer).result for _ in range(2)]
            assert sorted(each().status_code for each in answers) == [200, 401]


def test_of_two_copies_of_a_passkey_with_the_same_count_one_logs_in(desk: Desk, passkey: Authenticator) -> None:
    for _ in range(5):
        challenges = [begin(desk) for _ in range(2)]
        first = passkey.get(challenges[0])
        passkey.sign_count -= 1
        bodies = list(zip(challenges, [first, passkey.get(challenges[1])], strict=True))
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(lambda body: log_in(desk, challenge=body[0], passkey=body[1]), bodies))
        assert sorted(answer.status_code for answer in answers) == [200, 401]


def test_a_challenge_of_the_enrolment_logs_nobody_in(desk: Desk, passkey: Authenticator) -> None:
    # A step-up comes before a second passkey, so the challenge is ravi's.
    begun = desk.call("POST", "/api/admin/account/passkeys/challenge", by="ravi", json={"password": PASSWORD})
    assert answered(desk, passkey, begun.json()["challenge"]).json()["code"] == "login_expired"


def test_an_expired_challenge_is_refused(desk: Desk, passkey: Authenticator) -> None:
    challenge = begin(desk)
    desk.change(update(factor_challenges).values(expires_at=now()))
    assert answered(desk, passkey, challenge).json()["code"] == "login_expired"


def test_somebody_elses_passkey_is_no_second_step(desk: Desk, passkey: Authenticator) -> None:
    of_ravi = Authenticator()
    assert set_up_passkey(desk, of_ravi, by="ravi").status_code == 201
    assert answered(desk, of_ravi, challenge_of(desk)).json()["code"] == "factor_refused"
    assert answered(desk, passkey, challenge_of(desk)).status_code == 200


def test_a_passkey_whose_count_goes_back_is_refused(desk: Desk, passkey: Authenticator) -> None:
    passkey.sign_count = 9
    assert answered(desk, passkey, begin(desk)).status_code == 200
    for count in (9, 5):
        passkey.sign_count = count - 1
        assert answered(desk, passkey, begin(desk)).json()["code"] == "factor_refused"
    assert desk.rows(select(passkeys.c.sign_count)) == [(10,)]
    assert desk.audit("session.factor_refused")[-1].actor == "asha"


def test_a_passkey_that_does_not_count_works_every_time(desk: Desk) -> None:
    passkey = Authenticator(counts=False)
    assert set_up_passkey(desk, passkey).status_code == 201
    for _ in range(3):
        assert answered(desk, passkey, begin(desk)).status_code == 200


@on_one_engine
@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "http://evil.test"},
        {"origin": "https://desk.test"},
        {"origin": "http://desk.test:8000"},
        {"rp_id": "evil.test"},
        {"flags": USER_PRESENT},
        {"flags": USER_VERIFIED},
        {"key": Authenticator().key},
        {"credential_id": b"another credential"},
    ],
)
def test_what_is_not_right_in_every_part_is_refused(
    desk: Desk, passkey: Authenticator, wrong: dict[str, object]
) -> None:
    for name, value in wrong.items():
        setattr(passkey, name, value)
    answer = answered(desk, passkey, begin(desk))
    assert (answer.status_code, answer.json()["code"]) == (401, "factor_refused")
    assert len(desk.audit("session.opened")) == 2


@on_one_engine
@pytest.mark.parametrize(
    "wrong", [{"origin": "http://evil.test"}, {"rp_id": "evil.test"}, {"flags": USER_PRESENT}, {"flags": 0}]
)
def test_a_passkey_of_another_site_or_without_its_user_is_not_set_up(desk: Desk, wrong: dict[str, object]) -> None:
    answer = set_up_passkey(desk, Authenticator(**wrong))  # type: ignore[arg-type]
    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"passkey"})
    assert desk.get("/api/admin/account").json()["passkeys"] == []


@on_one_engine
@pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature"])
@pytest.mark.parametrize("content", [b"", b"\x00", b"\xff" * 200, b"{}", b"[]", b"null", b"\xa1\x01" * 90])
def test_foreign_bytes_are_refused_without_a_server_error(
    desk: Desk, passkey: Authenticator, part: str, content: bytes
) -> None:
    challenge = begin(desk)
    answer = passkey.get(challenge)
    answer["response"][part] = to_base64(content)
    assert log_in(desk, challenge=challenge, passkey=answer).status_code in (401, 422)


@on_one_engine
@pytest.mark.parametrize("content", [b"\x00", b"\xff" * 200, b"{}", b"\xa1\x01" * 90, b"\x9f" * 500])
def test_foreign_bytes_are_not_set_up(desk: Desk, content: bytes) -> None:
    begun = desk.call("POST", "/api/admin/account/passkeys/challenge", json={"password": PASSWORD}).json()
    created = Authenticator().create(begun["challenge"])
    created["response"]["attestationObject"] = to_base64(content)
    body = {"challenge": begun["challenge"], "name": "x", "passkey": created}
    assert desk.call("POST", "/api/admin/account/passkeys", json=body).status_code == 422


def test_a_changed_bit_is_refused(desk: Desk, passkey: Authenticator) -> None:
    challenge = begin(desk)
    answer = passkey.get(challenge)
    data = bytearray(from_base64(answer["response"]["authenticatorData"]))
    data[-1] ^= 1
    answer["response"]["authenticatorData"] = to_base64(bytes(data))
    assert log_in(desk, challenge=challenge, passkey=answer).json()["code"] == "factor_refused"


def test_the_challenge_of_an_enrolment_belongs_to_its_session_and_works_once(desk: Desk) -> None:
    begun = desk.call("POST", "/api/admin/account/passkeys/challenge", json={"password": PASSWORD}).json()
    body = {"challenge": begun["challenge"], "name": "x", "passkey": Authenticator().create(begun["challenge"])}
    assert desk.call("POST", "/api/admin/account/passkeys", by="ravi", json=body).status_code == 409
    assert desk.call("POST", "/api/admin/account/passkeys", json=body).status_code == 201
    assert desk.call("POST", "/api/admin/account/passkeys", json=body).status_code == 409


def test_a_passkey_belongs_to_one_admin(desk: Desk, passkey: Authenticator) -> None:
    answer = set_up_passkey(desk, passkey, by="ravi")
    assert (answer.status_code, answer.json()["code"]) == (409, "passkey_exists")
    assert desk.get("/api/admin/me", by="ravi").json()["hasFactor"] is False


def test_a_disabled_admin_gets_in_by_no_passkey(desk: Desk, passkey: Authenticator) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))
    assert answered(desk, passkey, begin(desk)).status_code == 401


def test_starts_are_throttled_by_address_and_success_gives_them_back(desk: Desk, passkey: Authenticator) -> None:
    for _ in range(25):
        desk.client.cookies.clear()
        assert answered(desk, passkey, begin(desk)).status_code == 200
    desk.client.cookies.clear()
    answers = [log_in(desk, begin="passkey").status_code for _ in range(25)]
    assert answers == [401] * 20 + [429] * 5


@on_one_engine
def test_at_an_ip_address_passkeys_are_refused_with_the_reason(desk: Desk) -> None:
    answer = desk.call(
        "POST",
        "/api/admin/account/passkeys/challenge",
        json={"password": PASSWORD},
        headers={"Host": "127.0.0.1:8000"},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "passkeys_need_a_name")
