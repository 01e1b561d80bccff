"""What the audit log says about claims, their moves and their payout references."""

from collections.abc import Callable
from itertools import count
from typing import Any

from sqlalchemy import String, cast, literal, select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, Known, State, details_of
from countinghouse.claims.lifecycle import FIRST, round_after
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.money import rupees

# The row of a move to one of these tells where the claim is paid to.
PAYOUT_STEPS = ("Accepted", "Paid")


# Who is paid. Since 0.1.1: rows of earlier releases have an address only if it was corrected.
_PAYEE = ("user", "address")
_PAYOUT = ("accountNo", "ifsc", "amount", *_PAYEE)


def payout_details(user_id: str, address: str, account_no: str, ifsc: str, amount_paise: int) -> dict[str, Any]:
    """Whom a claim pays, where, and how much. In the log when it is added, accepted and paid, and what is corrected.

    In plain text like the account, which the log always had, so that a finding says what was replaced by what.
    """
    return {"accountNo": account_no, "ifsc": ifsc, "amount": rupees(amount_paise), "user": user_id, "address": address}


def _logged_claim(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    # Most rows of a log may be of other verbs, and decoding their details takes longest.
    if row["verb"] not in ("claim.added", "claim.moved", "claim.corrected"):
        return None
    after, claim_id = details_of(row), row["subject_id"]
    is_added = row["verb"] == "claim.added"
    known = {"status": FIRST, "version": 0} if is_added else before(claim_id)
    told = {name: after[name] for name in _PAYOUT if name in after}
    # A move tells whom it was decided to pay, and changes nothing about it: what was told before stays.
    state = told | known if row["verb"] == "claim.moved" else known | told
    state |= {"status": after["status"]} if "status" in after else {}
    # An import brings a claim together with one move, to the status that it has.
    has_moved = row["verb"] == "claim.moved" or state.get("status") != known.get("status")
    # A row of one of the first releases, in which only a move made a new version, does not name it.
    state["version"] = after.get("version", _number(known.get("version")) + has_moved)
    payout_round = _number(known.get("payoutRound"))
    state["payoutRound"] = round_after(state.get("status", FIRST), payout_round) if has_moved else payout_round
    return claim_id, state


def _number(logged: object) -> int:
    """An altered row may say anything."""
    return logged if isinstance(logged, int) else 0


CLAIM_KIND = Kind(
    "claim",
    "claim",
    _logged_claim,
    select(
        claims.c.id,
        claims.c.status,
        claims.c.version,
        claims.c.payout_round,
        claims.c.user_id,
        claims.c.address,
        claims.c.account_no,
        claims.c.ifsc,
        claims.c.amount_paise,
    ),
    claims.c.id,
    lambda row: {
        "status": row.status,
        "version": row.version,
        # How often the bank has returned it: what decides whether it may be paid, and by whom.
        "payoutRound": row.payout_round,
        **payout_details(row.user_id, row.address, row.account_no, row.ifsc, row.amount_paise),
    },
    # The service inserts claims directly into the database, and may insert one that was paid elsewhere.
    may_be_unlogged=lambda state: state["version"] == 0,
    is_worth_a_remark=lambda state: state["status"] != FIRST,
    later=_PAYEE,
    later_in_words="the client and the address",
    # Of a claim that the service inserted directly, it tells whom it pays when it is accepted.
    expects_later=lambda logged: "accountNo" in logged,
)


def _logged_move(row: AuditRow, before: Known) -> tuple[str, State] | None:
    if row["verb"] == "claim.added":
        return _imported_move(row)
    if row["verb"] != "claim.moved":
        return None
    after = details_of(row)
    version = after.get("version")
    if version is None:
        # A row of one of the first releases, whose moves were numbered in the order of the log when they got numbers.
        version = next(number for number in count(1) if not before(_move_id(row["subject_id"], number)))
    logged = {"reason": after["reason"]} if "reason" in after else {}
    if "status" in (moved := details_of(row, "before")):
        logged["from"] = moved["status"]
    payout_round = before(row["subject_id"], CLAIM_KIND.name).get("payoutRound")
    told = {"by": row["actor"], "to": after.get("status"), "payoutRound": payout_round}
    return _move_id(row["subject_id"], version), told | logged


def _imported_move(row: AuditRow) -> tuple[str, State] | None:
    """An import brings claims that were decided elsewhere, each with one move to the status that it has."""
    after = details_of(row)
    status = after.get("status", FIRST)
    if after.get("by") != _IMPORTED or status == FIRST:
        return None
    moved = {"by": _IMPORTED, "from": FIRST, "to": status, "payoutRound": round_after(status, 0)}
    return _move_id(row["subject_id"], 1), moved


def _move_id(claim_id: str, version: int) -> str:
    return f"{claim_id}{_TO_VERSION}{version}"


def _is_imported(state: State) -> bool:
    """The row about an imported claim does not tell its reference."""
    return bool(state["by"] == _IMPORTED and state["move"] == 1)


_IMPORTED = "imported"
_TO_VERSION = " to version "
_moves = claim_transitions.c
MOVE_KIND = Kind(
    "move of claim",
    "claim",
    _logged_move,
    select(
        (_moves.claim_id + literal(_TO_VERSION) + cast(_moves.number, String)).label("id"),
        _moves.from_status,
        _moves.to_status,
        _moves.payout_round,
        _moves.moved_by,
        _moves.reason,
    ),
    _moves.id,
    lambda row: {
        "by": row.moved_by,
        "from": row.from_status,
        "to": row.to_status,
        "payoutRound": row.payout_round,
        "reason": row.reason,
    },
)


def _logged_reference(row: AuditRow, _before: Callable[[str], State]) -> tuple[str, State] | None:
    if row["verb"] != "claim.moved":
        return None
    after = details_of(row)
    if "reference" not in after:
        return None
    return str(after["reference"]), {"claim": row["subject_id"], "move": after.get("version")}


_paid = (claim_transitions.c.claim_id == payout_references.c.claim_id) & (
    claim_transitions.c.number == payout_references.c.number
)
REFERENCE_KIND = Kind(
    "payout reference",
    "claim",
    _logged_reference,
    select(
        payout_references.c.reference.label("id"),
        payout_references.c.claim_id,
        payout_references.c.number,
        claim_transitions.c.moved_by,
    ).select_from(payout_references.outerjoin(claim_transitions, _paid)),
    payout_references.c.reference,
    lambda row: {"claim": row.claim_id, "move": row.number, "by": row.moved_by},
    may_be_unlogged=_is_imported,
)
