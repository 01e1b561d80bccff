"""The service and an admin change the same claim at the same moment: one of them wins, and the other is told."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claim_transitions, claims
from tests.desk import Desk
from tests.intake.pushing import a_claim, add_key, push_one_of_each, pushed

ROUNDS = 12
NEW_ACCOUNT = {"version": 0, "accountNo": "998877665544"}


@pytest.mark.parametrize(("method", "body"), [("PUT", NEW_ACCOUNT), ("DELETE", None)])
def test_a_claim_is_either_accepted_as_seen_or_changed_by_the_service(
    desk: Desk, method: str, body: dict[str, Any] | None
) -> None:
    key = add_key(desk)
    push_one_of_each(desk, key)
    with ThreadPoolExecutor(2) as pool:
        for number in range(2, 2 + ROUNDS):
            (created,) = pushed(desk, key, "claims", a_claim(number))
            path = f"/api/intake/claims/c-{number}"
            changing = pool.submit(desk.call, method, path, by=key, json=body)
            moving = pool.submit(desk.move, created["_id"], "Accepted", version=0)
            by_service, by_admin = changing.result(), moving.result()
            assert sorted((by_service.status_code, by_admin.status_code)) == [200, 409]
            (claim,) = desk.rows(select(claims).where(claims.c.id == created["_id"]))
            assert (claim.status == "Accepted") == (by_admin.status_code == 200)
            assert (claim.account_no == "998877665544") == (method == "PUT" and by_service.status_code == 200)
    moves = desk.rows(select(claim_transitions.c.claim_id))
    assert len(moves) == len(set(moves))
