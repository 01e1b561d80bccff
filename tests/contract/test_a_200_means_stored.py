"""The transaction is committed before the answer is sent: a failed commit is never reported as a success."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from httpx2 import Response
from sqlalchemy import func, select, text

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.qr.tables import qr_codes, qr_images
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.pictures import qr_png

# Rows that break a constraint which is checked only at the end: the COMMIT itself fails, in the database.
POISON = {
    "sqlite": (
        "CREATE TABLE remedy (id INTEGER PRIMARY KEY)",
        "CREATE TABLE poison (id INTEGER REFERENCES remedy (id) DEFERRABLE INITIALLY DEFERRED)",
        "CREATE TRIGGER poison AFTER INSERT ON audit_log BEGIN INSERT INTO poison VALUES (1); END",
    ),
    "postgresql": (
        "CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '58030',"
        " MESSAGE = 'disk I/O error'; END $$",
        "CREATE CONSTRAINT TRIGGER poison AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
        " EXECUTE FUNCTION poison()",
    ),
}
ANTIDOTE = {
    "sqlite": ("DROP TRIGGER poison", "DROP TABLE poison", "DROP TABLE remedy"),
    "postgresql": ("DROP TRIGGER poison ON audit_log", "DROP FUNCTION poison"),
}


@contextmanager
def commits_fail(desk: Desk, engine: str) -> Iterator[None]:
    for statement in POISON[engine]:
        desk.change(text(statement))
    yield
    for statement in ANTIDOTE[engine]:
        desk.change(text(statement))


def everything(desk: Desk) -> list[object]:
    counted = (audit_log, claim_transitions, qr_codes, qr_images)
    counts = [desk.rows(select(func.count()).select_from(table))[0][0] for table in counted]
    states = desk.rows(select(claims.c.id, claims.c.status)) + desk.rows(
        select(qr_codes.c.id, qr_codes.c.status, qr_codes.c.deleted_at, qr_codes.c.display_requested_by)
    )
    return [*counts, *states]


CHANGES: dict[str, Callable[[Desk, str, str], Response]] = {
    "log in": lambda desk, _claim, _qr: desk.call(
        "POST", "/api/admin/login", by=None, json={"username": "asha", "password": PASSWORD}
    ),
    "log out": lambda desk, _claim, _qr: desk.call("POST", "/api/admin/logout"),
    "move a claim": lambda desk, claim_id, _qr: desk.move(claim_id, "Accepted"),
    "upload a QR": lambda desk, _claim, _qr: desk.upload(qr_png()),
    "ask for a QR to be displayed": lambda desk, _claim, qr_id: desk.call(
        "PATCH", f"/api/qr/status/{qr_id}", json={"status": "display"}
    ),
    "delete a QR": lambda desk, _claim, qr_id: desk.call("DELETE", f"/api/qr/{qr_id}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_failed_commit_never_answers_200(desk: Desk, engine: str, change: str) -> None:
    claim_id, qr_id = desk.add_claim(), desk.upload(qr_png()).json()["_id"]
    before = everything(desk)
    with commits_fail(desk, engine):
        answer = CHANGES[change](desk, claim_id, qr_id)
    # PostgreSQL reports a disk error; SQLite can only be made to report a broken constraint.
    assert answer.status_code == (500 if engine == "sqlite" else 503)
    assert answer.json()["code"] == ("internal_error" if engine == "sqlite" else "database_unavailable")
    assert everything(desk) == before

    # The same change succeeds once commits work again: nothing was left locked or half done.
    assert CHANGES[change](desk, claim_id, qr_id).status_code in (200, 202, 204)
    assert everything(desk) != before
