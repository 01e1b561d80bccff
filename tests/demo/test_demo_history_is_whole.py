import asyncio
from collections import defaultdict
from typing import Any

from sqlalchemy import Row, select, text

from countinghouse.audit.actions import Actor
from countinghouse.audit.tables import audit_log
from countinghouse.claims.actions import move_claim
from countinghouse.claims.lifecycle import Target
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.database import Database
from countinghouse.core.quick import Change
from countinghouse.demo.actions import Sizes, fill_demo
from countinghouse.qr.tables import qr_codes, qr_images
from tests.demo.conftest import UNTIL

ROADS = {
    "Pending": [],
    "Accepted": [("Pending", "Accepted")],
    "Paid": [("Pending", "Accepted"), ("Accepted", "Paid")],
}


def rows_of(database: Database, statement: Any) -> list[Row[Any]]:
    with database.reading() as connection:
        return list(connection.execute(statement))


def test_every_claim_has_the_moves_of_its_status_and_nothing_else(filled: Database) -> None:
    moves = defaultdict(list)
    for move in rows_of(filled, select(claim_transitions).order_by(claim_transitions.c.moved_at)):
        moves[move.claim_id].append(move)
    for claim in rows_of(filled, select(claims)):
        road = moves.pop(claim.id, [])
        assert [(move.from_status, move.to_status) for move in road] == ROADS[claim.status]
        moments = [claim.created_at, *(move.moved_at for move in road), UNTIL]
        assert moments == sorted(set(moments))
    assert not moves


def test_every_move_is_in_the_log_once_and_nothing_else_is(filled: Database) -> None:
    logged = [
        (row.subject_id, row.before, row.after, row.actor, row.at)
        for row in rows_of(filled, select(audit_log).where(audit_log.c.verb == "claim.moved"))
    ]
    moved = [
        (row.claim_id, {"status": row.from_status}, {"status": row.to_status}, row.moved_by, row.moved_at)
        for row in rows_of(filled, select(claim_transitions))
    ]
    assert sorted(logged, key=repr) == sorted(moved, key=repr)
    assert {actor for _, _, _, actor, _ in logged} == {"admin", "asha"}


def test_the_log_stands_in_the_order_of_time(filled: Database) -> None:
    told = select(audit_log.c.at).where(audit_log.c.actor != "command").order_by(audit_log.c.seq)
    moments = [row.at for row in rows_of(filled, told)]
    assert len(moments) > 1000
    assert moments == sorted(moments)


def test_the_newest_wait_and_the_oldest_are_paid(filled: Database) -> None:
    newest_first = [row.status for row in rows_of(filled, select(claims).order_by(claims.c.created_at.desc()))]
    assert newest_first[:20].count("Pending") > 10
    assert newest_first[-300:].count("Paid") > 250
    assert newest_first.count("Accepted") > 10


def test_a_made_up_move_is_stored_letter_for_letter_as_a_real_one(database: Database) -> None:
    fill_demo(database, Sizes(), 7, lambda _noun, _done, _total: None, UNTIL)
    (pending, *_) = rows_of(database, select(claims.c.id).where(claims.c.status == "Pending"))
    raw = text(
        'SELECT CAST("before" AS text) AS "before", CAST("after" AS text) AS "after", address, verb, subject_id'
        " FROM audit_log WHERE actor = 'asha' AND verb = 'claim.moved'"
    )

    def move(change: Change) -> None:
        targets: tuple[Target, ...] = ("Accepted", "Paid")
        for target in targets:
            move_claim(change, Actor("asha", "203.0.113.24"), pending.id, target)

    asyncio.run(database.quick.change(move))
    rows = [tuple(row) for row in rows_of(database, raw)]
    real = {row[:-1] for row in rows if row[-1] == pending.id}
    made_up = {row[:-1] for row in rows if row[-1] != pending.id}
    assert len(real) == 2
    assert real == made_up


def test_the_story_of_each_code_ends_in_its_state(filled: Database) -> None:
    codes = rows_of(filled, select(qr_codes, qr_images.c.sha256).join_from(qr_codes, qr_images))
    for code in codes:
        story = rows_of(filled, select(audit_log).where(audit_log.c.subject_id == code.id).order_by(audit_log.c.seq))
        names = {"name": code.name, "upiId": code.upi_id}
        assert (story[0].verb, story[0].at) == ("qr.uploaded", code.created_at)
        assert (story[0].before, story[0].after) == (None, {**names, "status": "hide", "imageSha256": code.sha256})
        status = "hide"
        for row in story[1:]:
            assert row.before["status"] == status
            if row.verb == "qr.deleted":
                assert (row.at, row.before, row.after) == (code.deleted_at, {**names, "status": status}, None)
                status = "hide"
            else:
                assert row.verb == "qr.status_changed"
                status = row.after["status"]
                assert row.after == {"status": status, **names}
        assert status == code.status
        assert (story[-1].verb == "qr.deleted") == (code.deleted_at is not None)


def test_the_log_ends_with_the_filling_itself(filled: Database) -> None:
    *_, last = rows_of(filled, select(audit_log).order_by(audit_log.c.seq))
    assert (last.actor, last.verb, last.subject_id) == ("command", "demo.filled", "demo")
    assert last.after == {"users": 200, "purchases": 420, "claims": 640, "seed": 7}
