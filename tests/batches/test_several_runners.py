"""Concurrent runs on two servers with one database: of one batch, and of two batches over the same claims."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx2

from tests.batches.batches import add_claims, logged_moves, moves, plan, read, seen
from tests.desk import Desk
from tests.servers import running_server


def run_until_nothing_is_left(server: str, token: str, batch_id: str) -> None:
    with httpx2.Client(base_url=server, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        for _ in range(200):
            answer = client.post(f"/api/batches/{batch_id}/run")
            assert answer.status_code == 200, answer.text
            if answer.json()["outcome"]["left"] == 0:
                return
    raise AssertionError("the batch came to no end")


def run_together(database_url: str, jobs: Sequence[tuple[str, str]]) -> None:
    """Run all jobs (token, batch) at the same time, alternating between two servers."""
    with (
        running_server(database_url) as first,
        running_server(database_url) as second,
        ThreadPoolExecutor(len(jobs)) as threads,
    ):
        servers = [first, second] * len(jobs)
        running = [
            threads.submit(run_until_nothing_is_left, server, *job) for server, job in zip(servers, jobs, strict=False)
        ]
        for done in running:
            done.result()


def test_concurrent_runs_of_one_batch_move_each_claim_once(desk: Desk, database_url: str) -> None:
    ids = add_claims(desk, 300)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    run_together(database_url, [(desk.tokens["asha"], sheet["_id"])] * 4)
    assert read(desk, sheet)["outcome"] == {"done": 300, "skipped": 0, "failed": 0, "left": 0}
    assert moves(desk) == [(claim, "Accepted", "asha") for claim in ids]
    assert logged_moves(desk, sheet) == ids
    assert [len(desk.audit(verb)) for verb in ("batch.confirmed", "batch.ended")] == [1, 1]


def test_concurrent_batches_of_two_admins_over_the_same_claims_move_each_once(desk: Desk, database_url: str) -> None:
    """The claims start in several statuses, and the two batches have different targets, On hold and Rejected."""
    ids = sorted(add_claims(desk, 100) + add_claims(desk, 100, "Accepted") + add_claims(desk, 100, "Returned"))
    hold = plan(desk, status="On hold", reason="Wait.", claims=seen(desk, ids))
    reject = plan(desk, status="Rejected", reason="No.", claims=seen(desk, ids), by="ravi")
    jobs = [(desk.tokens["asha"], hold["_id"]), (desk.tokens["ravi"], reject["_id"])]
    run_together(database_url, jobs * 2)
    outcomes = [read(desk, hold)["outcome"], read(desk, reject, by="ravi")["outcome"]]
    assert [outcome["done"] + outcome["skipped"] for outcome in outcomes] == [300, 300]
    assert sum(outcome["done"] for outcome in outcomes) == 300
    assert [claim for claim, _, _ in moves(desk)] == ids
    assert sorted(logged_moves(desk, hold) + logged_moves(desk, reject)) == ids
