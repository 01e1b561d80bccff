"""`Idempotency-Key`: a retry gets the answer of the first call, and changes nothing."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from countinghouse.core import idempotency
from countinghouse.core.times import now
from countinghouse.intake import answers
from countinghouse.intake.tables import intake_answers
from tests.desk import Desk
from tests.intake.pushing import a_user, add_key, outcomes, push, pushed


@pytest.fixture
def key(desk: Desk) -> str:
    return add_key(desk)


def test_a_retry_with_the_same_key_and_body_gets_the_stored_answer(desk: Desk, key: str) -> None:
    first = push(desk, key, "users", [a_user(1), a_user(2, mobile="1")], call="night-1")
    again = push(desk, key, "users", [a_user(1), a_user(2, mobile="1")], call="night-1")
    assert outcomes(first.json()["results"]) == ["created", "invalid"]
    assert again.content == first.content
    assert len(desk.audit("user.added")) == 1


def test_the_same_key_with_another_body_or_for_another_noun_is_refused(desk: Desk, key: str) -> None:
    push(desk, key, "users", a_user(1), call="night-1")
    for noun, row in (("users", a_user(2)), ("claims", a_user(1))):
        answer = push(desk, key, noun, row, call="night-1")
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert len(desk.audit("user.added")) == 1


def test_two_api_keys_do_not_share_their_idempotency_keys(desk: Desk, key: str) -> None:
    push(desk, key, "users", a_user(1), call="night-1")
    assert outcomes(pushed(desk, add_key(desk, "other"), "users", a_user(2), call="night-1")) == ["created"]


@pytest.mark.parametrize("name", [None, "", "a b", "x" * 201, "é"])
def test_a_call_without_a_usable_key_is_refused(desk: Desk, key: str, name: str | None) -> None:
    headers = {} if name is None else {"Idempotency-Key": name.encode()}
    answer = desk.call("POST", "/api/intake/users", by=key, json=a_user(1), headers=headers)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["Idempotency-Key"])
    assert desk.audit("user.added") == []


def test_answers_expire_after_a_day_and_their_rows_stay_known(desk: Desk, key: str) -> None:
    push(desk, key, "users", a_user(1), call="night-1")
    desk.change(update(intake_answers).values(created_at=now() - timedelta(hours=24)))
    assert outcomes(pushed(desk, key, "users", a_user(1), call="night-1")) == ["unchanged"]
    assert outcomes(pushed(desk, key, "users", a_user(2), call="night-2")) == ["created"]


def test_only_so_many_answers_are_kept(desk: Desk, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "SWEEPS_ONE_IN", 1)
    for number in range(5):
        pushed(desk, key, "users", a_user(number), call=f"night-{number}")
    desk.change(
        update(intake_answers)
        .where(intake_answers.c.idempotency_key.in_(["night-0", "night-1"]))
        .values(created_at=now() - timedelta(hours=25))
    )
    pushed(desk, key, "users", a_user(9))
    assert desk.rows(select(func.count()).select_from(intake_answers))[0][0] == 4


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("wrong_by", [timedelta(hours=30), timedelta(hours=-30)], ids=str)
def test_a_server_with_a_wrong_clock_neither_forgets_a_key_early_nor_stores_it_as_old(
    desk: Desk, key: str, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta
) -> None:
    """Those of other servers are right, and all judge by the clock of the database."""
    monkeypatch.setattr(idempotency, "SWEEPS_ONE_IN", 1)
    push(desk, key, "users", a_user(1), call="before")
    with monkeypatch.context() as wrong:
        wrong.setattr(answers, "now", lambda: now() + wrong_by)
        push(desk, key, "users", a_user(2), call="meanwhile")
        refused = [push(desk, key, "users", a_user(9), call=call).status_code for call in ("before", "meanwhile")]
    refused += [push(desk, key, "users", a_user(9), call=call).status_code for call in ("before", "meanwhile")]
    assert refused == [422] * 4
