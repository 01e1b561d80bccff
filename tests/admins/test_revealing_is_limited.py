"""Whoever sees masked numbers may reveal one at a time. A program could reveal all of them, so reveals are limited for
each admin, whichever instance they ask; refusals are in the audit log and on the owner's Home."""

from collections.abc import Callable
from datetime import date

from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import login_buckets
from tests.admins.test_masked_numbers import add_claim, set_role
from tests.desk import Desk
from tests.engines import on_one_engine

A_MINUTE, A_DAY = 30, 400


def reveal(desk: Desk, claim_id: str, *, by: str = "asha") -> Response:
    return desk.call("POST", f"/api/claims/{claim_id}/reveal", by=by)


def allowed(desk: Desk, claim_id: str, tries: int) -> int:
    return sum(reveal(desk, claim_id).status_code == 200 for _ in range(tries))


def test_a_program_that_reveals_is_refused_whichever_instance_it_asks(
    desk: Desk, open_desk: Callable[..., Desk]
) -> None:
    claim_id, user_id = add_claim(desk)
    set_role(desk, Role.VIEWER)
    other = open_desk()
    answers = [reveal((desk, other)[place % 2], claim_id) for place in range(2 * A_MINUTE)]
    shown = [answer for answer in answers if answer.status_code == 200]
    # The limit refills meanwhile, by one in two seconds.
    assert A_MINUTE <= len(shown) < A_MINUTE + 15
    refused = answers[-1]
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_reveals")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Try again in " in refused.json()["message"]
    assert "004512345678" not in refused.text
    assert len(desk.audit("claim.revealed")) == len(shown)
    # One count for claims and clients.
    assert other.call("POST", f"/api/clients/{user_id}/reveal").status_code == 429
    # The others go on.
    assert reveal(desk, claim_id, by="ravi").status_code == 200


def test_a_slow_program_is_refused_after_as_many_as_a_day_allows(desk: Desk) -> None:
    claim_id, _ = add_claim(desk)
    set_role(desk, Role.VIEWER)
    assert reveal(desk, claim_id).status_code == 200
    drained, is_it = login_buckets.c.drained_at_ms, login_buckets.c.key.startswith("reveals a day")
    # As if all but one of the day had been made, a few a minute.
    more = (A_DAY - 2) * 24 * 3600 * 1000 // A_DAY
    desk.change(update(login_buckets).where(is_it).values(drained_at_ms=drained + more))
    assert allowed(desk, claim_id, 4) == 1
    refused = reveal(desk, claim_id)
    assert 60 < int(refused.headers["Retry-After"]) <= 24 * 3600 // A_DAY
    assert "minutes" in refused.json()["message"]


def test_the_owner_reads_of_it_in_the_log(desk: Desk) -> None:
    claim_id, _ = add_claim(desk)
    set_role(desk, Role.VIEWER)
    allowed(desk, claim_id, A_MINUTE + 30)
    rows = desk.audit("admin.reveals_refused")
    assert [(row.actor, row.after["refused"]) for row in rows] == [("asha", 1), ("asha", 10)]
    set_role(desk, Role.OWNER)
    today = date.today().isoformat()
    found = desk.get(f"/api/audit?verb=admin.reveals_refused&from={today}&limit=5", by="asha").json()
    assert [entry["actor"] for entry in found] == ["asha", "asha"]


@on_one_engine
def test_the_operator_may_set_other_limits(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(numbers_per_minute=3, numbers_per_day=5)
    claim_id, _ = add_claim(desk)
    set_role(desk, Role.VIEWER)
    assert allowed(desk, claim_id, 5) == 3
    searches = [desk.get(f"/api/users?limit=5&q=98057560{place}0").status_code for place in range(5)]
    assert searches == [200, 200, 200, 429, 429]
    keys = [key for (key,) in desk.rows(select(login_buckets.c.key))]
    assert {key.partition(":")[0] for key in keys} >= {"reveals a minute", "reveals a day", "numbers a minute"}
