import json
import re
from collections import defaultdict
from hashlib import sha256
from typing import Any

from sqlalchemy import Row, select, text

from countinghouse.audit.actions import Actor
from countinghouse.audit.tables import audit_log
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.lifecycle import STATUSES, find_move
from countinghouse.claims.references import normalised_reference
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Change
from countinghouse.demo.actions import Sizes, fill_demo
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from tests.demo.conftest import UNTIL
from tests.direct_database import DirectDatabase
from tests.event_loop import run


def rows_of(database: DirectDatabase, statement: Any) -> list[Row[Any]]:
    with database.reading() as connection:
        return list(connection.execute(statement))


def test_every_claim_has_exactly_the_moves_that_lead_to_its_status(filled: DirectDatabase) -> None:
    moves = defaultdict(list)
    for move in rows_of(filled, select(claim_transitions).order_by(claim_transitions.c.number)):
        moves[move.claim_id].append(move)
    for claim in rows_of(filled, select(claims)):
        road = moves.pop(claim.id, [])
        steps = [find_move(move.from_status, move.to_status) for move in road]
        assert None not in steps
        assert [bool(move.reason) for move in road] == [step.needs_reason for step in steps if step]
        stops = ["Pending", *(move.to_status for move in road)]
        assert [move.from_status for move in road] == stops[:-1]
        assert (claim.status, claim.version, claim.payout_round) == (stops[-1], len(road), stops.count("Returned"))
        assert [move.number for move in road] == list(range(1, len(road) + 1))
        assert [move.payout_round for move in road] == [
            stops[: place + 2].count("Returned") for place in range(len(road))
        ]
        assert claim.moved_at == (road[-1].moved_at if road else None)
        moments = [claim.created_at, *(move.moved_at for move in road), UNTIL]
        assert moments == sorted(set(moments))
    assert not moves


def test_every_status_occurs_and_the_unusual_ones_are_rare(filled: DirectDatabase) -> None:
    every = [row.status for row in rows_of(filled, select(claims))]
    counts = {status: every.count(status) for status in STATUSES}
    assert min(counts.values()) >= 1
    assert sum(counts[status] for status in ("On hold", "Rejected", "Returned")) < len(every) / 10


def test_every_reference_belongs_to_a_payout_and_is_normalised(filled: DirectDatabase) -> None:
    paid = {
        (row.claim_id, row.number): row.moved_at
        for row in rows_of(filled, select(claim_transitions).where(claim_transitions.c.to_status == "Paid"))
    }
    references = rows_of(filled, select(payout_references))
    assert len(paid) / 3 < len(references) < len(paid)
    for row in references:
        assert paid[row.claim_id, row.number] == row.recorded_at
        assert normalised_reference(row.reference) == row.reference


def test_every_move_is_logged_once_and_nothing_else_is(filled: DirectDatabase) -> None:
    logged = [
        (row.subject_id, row.before, row.after, row.actor, row.at)
        for row in rows_of(filled, select(audit_log).where(audit_log.c.verb == "claim.moved"))
    ]
    references = {(row.claim_id, row.number): row.reference for row in rows_of(filled, select(payout_references))}
    payouts = {
        row.id: {"accountNo": row.account_no, "ifsc": row.ifsc, "amount": row.amount_paise / 100}
        | {"user": row.user_id, "address": row.address}
        for row in rows_of(filled, select(claims))
    }
    moved = []
    for row in rows_of(filled, select(claim_transitions)):
        before = {"status": row.from_status, "version": row.number - 1}
        after = {"status": row.to_status, "version": row.number}
        after |= {"reason": row.reason} if row.reason else {}
        reference = references.get((row.claim_id, row.number))
        after |= {"reference": reference} if reference else {}
        after |= payouts[row.claim_id] if row.to_status in ("Accepted", "Paid") else {}
        moved.append((row.claim_id, before, after, row.moved_by, row.moved_at))
    assert sorted(logged, key=repr) == sorted(moved, key=repr)
    assert {actor for _, _, _, actor, _ in logged} == {"admin", "asha"}


def test_the_log_is_in_chronological_order(filled: DirectDatabase) -> None:
    statement = select(audit_log.c.at).where(audit_log.c.actor != "command").order_by(audit_log.c.seq)
    moments = [row.at for row in rows_of(filled, statement)]
    assert len(moments) > 1000
    assert moments == sorted(moments)


def test_the_newest_claims_are_pending_and_the_oldest_are_paid(filled: DirectDatabase) -> None:
    newest_first = [row.status for row in rows_of(filled, select(claims).order_by(claims.c.created_at.desc()))]
    assert newest_first[:20].count("Pending") > 10
    assert newest_first[-300:].count("Paid") > 240
    assert newest_first.count("Accepted") > 10


def _without_account(row: tuple[str, ...]) -> tuple[str, ...]:
    """Each claim has its own; what stays is how it is written."""
    account = r'"accountNo": "\d+", "ifsc": "\w{11}", "amount": \d+\.\d+, "user": "\w+", "address": "[^"]+"'
    return tuple(re.sub(account, '"an account"', cell) for cell in row)


def test_a_demo_move_is_stored_exactly_like_a_real_one(database: DirectDatabase) -> None:
    run(fill_demo(database, Sizes(), 7, lambda _noun, _done, _total: None, UNTIL))
    (pending, *_) = rows_of(database, select(claims.c.id).where(claims.c.status == "Pending", claims.c.version == 0))
    raw = text(
        'SELECT CAST("before" AS text) AS "before", CAST("after" AS text) AS "after", address, verb, subject_id'
        " FROM audit_log WHERE actor = 'asha' AND verb = 'claim.moved'"
    )
    made_up = {_without_account(tuple(row[:-1])) for row in rows_of(database, raw)}
    held = next(row for row in made_up if '"On hold"' in row[1])

    async def move(change: Change) -> None:
        asha = Actor("asha", "203.0.113.24")
        await move_claim(change, asha, pending.id, MoveRequest("Accepted"))
        await move_claim(change, asha, pending.id, MoveRequest("Paid"))
        again = rows_of(database, select(claims.c.id).where(claims.c.status == "Pending", claims.c.version == 0))[0]
        await move_claim(change, asha, again.id, MoveRequest("On hold", reason=json.loads(held[1])["reason"]))

    before = len(rows_of(database, raw))
    run(database.change(move))
    rows = rows_of(database, select(audit_log.c.seq).order_by(audit_log.c.seq.desc()).limit(3))
    newest = text(f"{raw.text} AND seq >= {rows[-1].seq}")
    real = {_without_account(tuple(row[:-1])) for row in rows_of(database, newest)}
    assert len(rows_of(database, raw)) == before + 3
    assert len(real) == 3
    assert real <= made_up


def test_the_history_of_each_code_ends_in_its_current_state(filled: DirectDatabase) -> None:
    codes = rows_of(filled, select(qr_codes))
    hashes = {row.key: row.sha256 for row in rows_of(filled, select(qr_images))}
    for code in codes:
        story = rows_of(filled, select(audit_log).where(audit_log.c.subject_id == code.id).order_by(audit_log.c.seq))
        names = {"name": code.name, "upiId": code.upi_id}
        assert (story[0].verb, story[0].at) == ("qr.uploaded", code.created_at)
        text_hash = sha256(code.payload.encode()).hexdigest()
        read = {"payee": code.upi_id, "fixedAmount": None, "findings": [], "textSha256": text_hash}
        read["drawnSha256"] = hashes[code.image_key]
        assert story[0].before is None
        assert story[0].after == {**names, "status": "hide", "imageSha256": hashes[code.upload_key], **read}
        status = "hide"
        shown: list[list[Any]] = []
        for row in story[1:]:
            assert row.before["status"] == status
            if row.verb == "qr.deleted":
                assert (row.at, row.before, row.after) == (code.deleted_at, {**names, "status": status}, None)
                status = "hide"
            else:
                assert row.verb == "qr.status_changed"
                status = row.after["status"]
                assert row.after == {"status": status, **names}
            if status == "display":
                shown.append([row.at, None])
            else:
                shown[-1][1] = row.at
        assert status == code.status
        assert (story[-1].verb == "qr.deleted") == (code.deleted_at is not None)
        displays = rows_of(filled, select(qr_displays).where(qr_displays.c.qr_id == code.id))
        assert [[row.shown_at, row.hidden_at] for row in displays] == shown
        assert (code.is_cleared, code.findings, code.payee, code.uploaded_by) == (True, "", code.upi_id, "admin")


def test_the_last_log_entry_is_the_demo_fill(filled: DirectDatabase) -> None:
    *_, last = rows_of(filled, select(audit_log).order_by(audit_log.c.seq))
    assert (last.actor, last.verb, last.subject_id) == ("command", "demo.filled", "demo")
    assert last.after == {"users": 200, "purchases": 420, "claims": 640, "seed": 7}
