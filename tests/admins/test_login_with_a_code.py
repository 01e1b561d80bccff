"""Login with the code of an authenticator app, or with a recovery code."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from countinghouse.admins import actions
from countinghouse.admins.factors.tables import factor_challenges, recovery_codes
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.core.times import now
from tests.admins.second_factors import Phone, challenge_of, enter_password, log_in, set_up_phone
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run


@pytest.fixture
def phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """Asha's authenticator app. The code that set it up is over."""
    phone = Phone(monkeypatch)
    set_up_phone(desk, phone)
    phone.next_code()
    return phone


needs_phone = pytest.mark.usefixtures("phone")


def test_without_a_factor_login_answers_the_token_as_before(desk: Desk) -> None:
    answer = enter_password(desk)
    assert answer.status_code == 200
    assert {"token", "username"} <= set(answer.json())


def test_the_password_alone_gets_a_challenge_and_no_token(desk: Desk, phone: Phone) -> None:
    opened = len(desk.audit("session.opened"))
    answer = enter_password(desk)
    assert answer.status_code == 401
    assert answer.json()["code"] == "second_factor_needed"
    assert answer.json()["fields"]["needs"] == "totp recovery"
    assert "token" not in answer.text
    assert "set-cookie" not in answer.headers
    assert len(desk.audit("session.opened")) == opened
    assert len(phone.recovery) == 10


@needs_phone
def test_a_wrong_password_is_answered_as_ever(desk: Desk) -> None:
    answer = log_in(desk, username="asha", password="wrong password")
    assert answer.json() == {"code": "login_failed", "message": "Invalid username or password"}


def test_challenge_and_code_open_a_session(desk: Desk, phone: Phone) -> None:
    answer = log_in(desk, challenge=challenge_of(desk), code=phone.code())
    assert answer.status_code == 200
    me = desk.get("/api/admin/me", by=answer.json()["token"]).json()
    assert (me["username"], me["hasFactor"], me["mustEnrol"]) == ("asha", True, False)
    assert desk.audit("session.opened")[-1].after == {"factor": "totp"}
    assert "countinghouse_device" in answer.headers["set-cookie"]


def test_a_code_works_once(desk: Desk, phone: Phone) -> None:
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code()).status_code == 200
    again = log_in(desk, challenge=challenge_of(desk), code=phone.code())
    assert (again.status_code, again.json()["code"]) == (401, "factor_refused")
    assert desk.audit("session.factor_refused")[-1].actor == "asha"
    assert log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).status_code == 200


def test_the_code_of_the_enrolment_does_not_log_in_as_well(desk: Desk, phone: Phone) -> None:
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code(-1)).status_code == 401


@pytest.mark.parametrize(("steps", "status"), [(-2, 401), (-1, 200), (0, 200), (1, 200), (2, 401)])
def test_a_clock_may_be_off_by_one_step(desk: Desk, phone: Phone, steps: int, status: int) -> None:
    phone.at += 300
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code(steps)).status_code == status


def test_after_a_code_from_the_future_an_older_one_is_a_replay(desk: Desk, phone: Phone) -> None:
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code(1)).status_code == 200
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code(0)).status_code == 401


def test_a_challenge_works_once(desk: Desk, phone: Phone) -> None:
    challenge = challenge_of(desk)
    assert log_in(desk, challenge=challenge, code=phone.code()).status_code == 200
    again = log_in(desk, challenge=challenge, code=phone.next_code())
    assert (again.status_code, again.json()["code"]) == (401, "login_expired")


def test_a_wrong_code_leaves_the_challenge_for_a_few_more_tries(desk: Desk, phone: Phone) -> None:
    challenge = challenge_of(desk)
    for _ in range(3):
        assert log_in(desk, challenge=challenge, code="000000").json()["code"] == "factor_refused"
    assert log_in(desk, challenge=challenge, code=phone.code()).status_code == 200


def test_a_challenge_expires(desk: Desk, phone: Phone) -> None:
    challenge = challenge_of(desk)
    desk.change(update(factor_challenges).values(expires_at=now()))
    assert log_in(desk, challenge=challenge, code=phone.code()).json()["code"] == "login_expired"


def test_a_challenge_belongs_to_one_admin(desk: Desk, phone: Phone) -> None:
    hers = phone.code()
    set_up_phone(desk, phone, by="ravi")
    of_ravi = challenge_of(desk, "ravi")
    assert log_in(desk, challenge=of_ravi, code=hers).json()["code"] == "factor_refused"


def test_an_unknown_challenge_is_refused(desk: Desk, phone: Phone) -> None:
    answer = log_in(desk, challenge="A" * 43, code=phone.code())
    assert (answer.status_code, answer.json()["code"]) == (401, "login_expired")


def test_two_logins_with_one_code_open_one_session(desk: Desk, phone: Phone) -> None:
    for _ in range(5):
        code = phone.next_code()
        challenges = [challenge_of(desk) for _ in range(2)]
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(lambda one, code=code: log_in(desk, challenge=one, code=code), challenges))
        assert sorted(answer.status_code for answer in answers) == [200, 401]


def test_two_codes_for_one_challenge_open_one_session(desk: Desk, phone: Phone) -> None:
    challenge = challenge_of(desk)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda code: log_in(desk, challenge=challenge, code=code), phone.recovery[:2]))
    assert sorted(answer.status_code for answer in answers) == [200, 401]


@needs_phone
def test_guesses_of_codes_are_throttled_over_all_challenges(desk: Desk) -> None:
    challenge = challenge_of(desk)
    codes = [log_in(desk, challenge=challenge, code=f"00000{n}").status_code for n in range(5)]
    assert codes == [401] * 4 + [429]
    throttled = enter_password(desk)
    assert (throttled.status_code, throttled.json()["code"]) == (429, "login_throttled")


def test_a_known_browser_gets_five_guesses_at_a_code(desk: Desk, phone: Phone) -> None:
    assert log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).status_code == 200
    answers = []
    for n in range(7):
        challenge = challenge_of(desk)
        answers.append(log_in(desk, challenge=challenge, code=f"00000{n}").status_code)
        phone.at += 120
    assert answers == [401] * 5 + [429] * 2


def test_after_the_clock_was_set_back_codes_work_again(desk: Desk, phone: Phone) -> None:
    phone.at += 10_000_000
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code()).status_code == 200
    phone.at -= 10_000_000
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code()).status_code == 200
    assert log_in(desk, challenge=challenge_of(desk), code=phone.code()).status_code == 401


def test_success_gives_the_attempts_back(desk: Desk, phone: Phone) -> None:
    for place in range(24):
        if place < 12:
            desk.client.cookies.clear()
        assert log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).status_code == 200


def test_a_recovery_code_works_once(desk: Desk, phone: Phone) -> None:
    assert log_in(desk, challenge=challenge_of(desk), code=phone.recovery[3]).status_code == 200
    assert desk.audit("session.opened")[-1].after == {"factor": "recovery"}
    assert log_in(desk, challenge=challenge_of(desk), code=phone.recovery[3]).status_code == 401
    typed = phone.recovery[4].replace("-", " ").upper()
    assert log_in(desk, challenge=challenge_of(desk), code=typed).status_code == 200
    assert desk.get("/api/admin/account", by="asha").json()["recoveryCodesLeft"] == 8


def test_only_hashes_of_recovery_codes_are_stored(desk: Desk, phone: Phone) -> None:
    stored = desk.rows(select(recovery_codes.c.code_hash))
    assert len(stored) == 10
    assert not any(code.replace("-", "").encode() in bytes(row.code_hash) for code in phone.recovery for row in stored)


def disable(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))


def change_password(desk: Desk) -> None:
    run(desk.database.write(lambda transaction: actions.change_password(transaction, COMMAND, "asha", "another hash")))


@pytest.mark.parametrize("meanwhile", [disable, change_password])
def test_a_login_does_not_end_after_a_change_of_the_account(
    desk: Desk, phone: Phone, meanwhile: Callable[[Desk], None]
) -> None:
    challenge = challenge_of(desk)
    meanwhile(desk)
    assert log_in(desk, challenge=challenge, code=phone.code()).status_code == 401


@on_one_engine
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"challenge": "A" * 43, "code": "12345"}, {"code"}),
        ({"challenge": "short", "code": "123456"}, {"challenge"}),
        ({"code": "123456"}, {"challenge"}),
        ({"challenge": "A" * 43, "passkey": {}}, {"passkey.id", "passkey.rawId", "passkey.response"}),
        ({"begin": "magic"}, {"begin"}),
        ({"username": "asha"}, {"password"}),
    ],
)
def test_an_incomplete_step_names_the_fields_of_that_step(
    desk: Desk, body: dict[str, object], fields: set[str]
) -> None:
    answer = log_in(desk, **body)
    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == fields


def test_password_and_code_in_one_request_are_not_mixed(desk: Desk, phone: Phone) -> None:
    answer = log_in(desk, username="asha", password=PASSWORD, code=phone.code())
    assert answer.status_code == 422
