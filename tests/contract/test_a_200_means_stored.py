"""The transaction ends before the answer leaves: when the commit fails, nobody is told that it went well."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from httpx2 import Response
from sqlalchemy import Connection, event, func, select
from sqlalchemy.exc import OperationalError

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.qr.tables import qr_codes, qr_images
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.pictures import qr_png


@contextmanager
def commits_fail(desk: Desk) -> Iterator[None]:
    def fail(_connection: Connection) -> None:
        raise OperationalError("COMMIT", {}, OSError("disk I/O error"))

    event.listen(desk.database.engine, "commit", fail)
    try:
        yield
    finally:
        event.remove(desk.database.engine, "commit", fail)


def everything(desk: Desk) -> list[object]:
    counted = (audit_log, claim_transitions, qr_codes, qr_images)
    counts = [desk.rows(select(func.count()).select_from(table))[0][0] for table in counted]
    states = desk.rows(select(claims.c.id, claims.c.status)) + desk.rows(
        select(qr_codes.c.id, qr_codes.c.status, qr_codes.c.deleted_at)
    )
    return [*counts, *states]


CHANGES: dict[str, Callable[[Desk, str, str], Response]] = {
    "log in": lambda desk, _claim, _qr: desk.call(
        "POST", "/api/admin/login", by=None, json={"username": "asha", "password": PASSWORD}
    ),
    "log out": lambda desk, _claim, _qr: desk.call("POST", "/api/admin/logout"),
    "move a claim": lambda desk, claim_id, _qr: desk.move(claim_id, "Accepted"),
    "upload a QR": lambda desk, _claim, _qr: desk.upload(qr_png()),
    "display a QR": lambda desk, _claim, qr_id: desk.call(
        "PATCH", f"/api/qr/status/{qr_id}", json={"status": "display"}
    ),
    "delete a QR": lambda desk, _claim, qr_id: desk.call("DELETE", f"/api/qr/{qr_id}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_failing_commit_never_answers_200(desk: Desk, change: str) -> None:
    claim_id, qr_id = desk.add_claim(), desk.upload(qr_png()).json()["_id"]
    before = everything(desk)
    with commits_fail(desk):
        answer = CHANGES[change](desk, claim_id, qr_id)
    assert answer.status_code == 503
    assert answer.json()["code"] == "database_unavailable"
    assert everything(desk) == before

    # The same change goes through once the disk is well again: nothing was left locked or half done.
    assert CHANGES[change](desk, claim_id, qr_id).status_code in (200, 204)
    assert everything(desk) != before
