"""Helpers for batch tests: create many claims, plan a batch and run it."""

from collections.abc import Sequence
from typing import Any

from httpx2 import Response
from sqlalchemy import insert, select

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from tests.desk import NEWEST, Desk


def add_claims(desk: Desk, count: int, status: str = "Pending", **values: Any) -> list[str]:
    """All of one client, each with a different account number."""
    user_id, purchase_id = desk.add_purchase()
    rows = [
        {
            "id": new_id(),
            "created_at": NEWEST,
            "user_id": user_id,
            "purchase_id": purchase_id,
            "amount_paise": 100_000 + place,
            "account_no": f"{place:012}",
            "ifsc": "HDFC0001234",
            "address": "14 MG Road, Kochi 682016",
            "status": status,
            **values,
        }
        for place in range(count)
    ]
    with desk.database.writing() as connection:
        connection.execute(insert(claims).inline(), rows)
    return sorted(str(row["id"]) for row in rows)


def seen(desk: Desk, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The ids with their current versions, as a client that has just loaded them would send them."""
    versions = {row.id: row.version for row in desk.rows(select(claims.c.id, claims.c.version))}
    return [{"_id": claim_id, "version": versions[claim_id]} for claim_id in ids]


def ask(desk: Desk, *, by: str = "asha", but_not: Sequence[str] = (), **body: Any) -> Response:
    left_out = {"except": list(but_not)} if but_not else {}
    return desk.call("POST", "/api/batches", by=by, json=body | left_out)


def plan(desk: Desk, *, by: str = "asha", but_not: Sequence[str] = (), **body: Any) -> dict[str, Any]:
    answer = ask(desk, by=by, but_not=but_not, **body)
    assert answer.status_code == 201, answer.text
    sheet: dict[str, Any] = answer.json()
    return sheet


def run(desk: Desk, sheet: dict[str, Any], *, by: str = "asha") -> Response:
    return desk.call("POST", f"/api/batches/{sheet['_id']}/run", by=by)


def leave(desk: Desk, sheet: dict[str, Any], *, by: str = "asha") -> Response:
    return desk.call("POST", f"/api/batches/{sheet['_id']}/leave", by=by)


def run_to_end(desk: Desk, sheet: dict[str, Any], *, by: str = "asha") -> dict[str, Any]:
    """Run the batch until it ends and return its final sheet."""
    for _ in range(100):
        answer = run(desk, sheet, by=by)
        assert answer.status_code == 200, answer.text
        if answer.json()["outcome"]["left"] == 0 and answer.json()["endedAt"]:
            return read(desk, sheet, by=by)
    raise AssertionError("the batch came to no end")


def read(desk: Desk, sheet: dict[str, Any], *, by: str = "asha") -> dict[str, Any]:
    answer = desk.get(f"/api/batches/{sheet['_id']}", by=by)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def statuses(desk: Desk) -> dict[str, str]:
    return {row.id: row.status for row in desk.rows(select(claims.c.id, claims.c.status))}


def moves(desk: Desk) -> list[tuple[str, str, str]]:
    """Every move of every claim as (claim, target status, admin), sorted."""
    rows = desk.rows(select(claim_transitions))
    return sorted((row.claim_id, row.to_status, row.moved_by) for row in rows)


def logged_moves(desk: Desk, sheet: dict[str, Any]) -> list[str]:
    """The claims that this batch moved according to the audit log, sorted."""
    return sorted(row.subject_id for row in desk.audit("claim.moved") if row.after.get("batch") == sheet["_id"])


def claims_of(desk: Desk, sheet: dict[str, Any], *, by: str = "asha") -> list[dict[str, Any]]:
    """The claims that the batch is to move, with their warnings."""
    answer = desk.get(f"/api/batches/{sheet['_id']}/claims", by=by)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def confirm(
    desk: Desk,
    sheet: dict[str, Any],
    references: dict[str, str] | None = None,
    without: Sequence[str] = (),
    *,
    by: str = "asha",
) -> Response:
    body = {"batch": sheet["_id"], "references": references or {}, "without": list(without)}
    return desk.call("POST", "/api/batches/confirm", by=by, json=body)
