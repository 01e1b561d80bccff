"""Bodies that anybody may send are decoded one at a time, so that a flood of them delays only their senders."""

import asyncio
from typing import Any, cast

from countinghouse.core.lanes import Lane
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine

OPEN = ("/api/admin/login", "/api/invitations/open", "/api/invitations/accept")


def full_lane() -> Lane:
    lane = Lane(1, most_waiting=0)
    asyncio.run(cast(Any, lane.enter()))
    return lane


@on_one_engine
def test_a_flood_of_open_calls_delays_only_open_calls(desk: Desk) -> None:
    cast(Any, desk.client.app).state.open_bodies = full_lane()
    for path in OPEN:
        answer = desk.call("POST", path, by=None, json={})
        assert_refused(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) > 0
    assert desk.get("/api/claims/all").status_code == 200
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200


@on_one_engine
def test_a_flood_of_long_bodies_delays_only_long_bodies(desk: Desk) -> None:
    cast(Any, desk.client.app).state.long_bodies = full_lane()
    claims = [{"_id": f"{number:024x}", "version": 1} for number in range(200)]
    assert_refused(desk.call("POST", "/api/batches", json={"status": "Accepted", "claims": claims}), 503, "busy")
    assert desk.call("POST", "/api/batches", json={"status": "Accepted", "claims": claims[:1]}).status_code == 422
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200
    assert desk.call("POST", "/api/invitations/open", by=None, json={"token": "a"}).status_code == 410
