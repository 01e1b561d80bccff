"""Another program stored a claim on SQLite whose account is not valid UTF-8: it stops nothing but its own payment."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.audit.sealed import seal_and_sign, verified
from tests.batches.batches import add_claims, plan, run_to_end, seen, statuses
from tests.cli.command import countinghouse
from tests.contract.rows import CLAIMS, PURCHASES, USERS, ids, walk
from tests.desk import Desk
from tests.engines import on_one_engine

# As SQL: half a surrogate pair, a letter in Latin-1, and a character that ends too early.
UNREADABLE = ("x'3132eda08033'", "x'31323334ff3536373839'", "x'31323334e282'")
ROW_OF = {"claims": "id", "users": "user_id", "purchases": "purchase_id"}


def spoil(desk: Desk, column: str, claim_id: str, stored: str = UNREADABLE[1]) -> None:
    """Of the claim, its client or its purchase, as a program does that writes in another encoding."""
    table, _, name = column.partition(".")
    assert desk.database.file is not None
    with closing(sqlite3.connect(desk.database.file)) as other, other:
        (row_id,) = other.execute(f"SELECT {ROW_OF[table]} FROM claims WHERE id = ?", [claim_id]).fetchone()
        other.execute(f"UPDATE {table} SET {name} = CAST({stored} AS TEXT) WHERE id = ?", [row_id])


def pay(desk: Desk, claim_ids: Sequence[str]) -> dict[str, Any]:
    return plan(desk, status="Paid", claims=seen(desk, claim_ids))


def claims_to_pay(desk: Desk, sheet: dict[str, Any]) -> list[str]:
    answer = desk.get(f"/api/batches/{sheet['_id']}/claims")
    assert answer.status_code == 200, answer.text
    return ids(answer.json())


@on_one_engine
@pytest.mark.parametrize("column", ["claims.account_no", "claims.ifsc"])
@pytest.mark.parametrize("stored", UNREADABLE)
def test_a_claim_whose_account_cannot_be_read_is_not_paid_and_all_others_are(
    desk: Desk, column: str, stored: str
) -> None:
    claim_ids = add_claims(desk, 5, "Accepted", amount_paise=50_000)
    unreadable, others = claim_ids[1], [*claim_ids[:1], *claim_ids[2:]]
    spoil(desk, column, unreadable, stored)
    sheet = pay(desk, claim_ids)
    (blocked,) = sheet["blocked"]["items"]
    assert blocked["_id"] == unreadable
    assert blocked["why"].startswith("Its account number or bank code cannot be read")
    assert sorted(claims_to_pay(desk, sheet)) == others
    assert run_to_end(desk, sheet)["outcome"] == {"done": 4, "skipped": 1, "failed": 0, "left": 0}
    assert statuses(desk) == dict.fromkeys(others, "Paid") | {unreadable: "Accepted"}


@on_one_engine
def test_it_can_be_rejected_with_others(desk: Desk) -> None:
    claim_ids = add_claims(desk, 3)
    for claim_id in claim_ids[:2]:
        spoil(desk, "claims.account_no", claim_id)
    sheet = plan(desk, status="Rejected", reason="Not ours.", claims=seen(desk, claim_ids))
    assert sorted(claims_to_pay(desk, sheet)) == claim_ids
    assert run_to_end(desk, sheet)["outcome"]["done"] == 3


@on_one_engine
@pytest.mark.parametrize(
    "column",
    ["claims.account_no", "claims.ifsc", "claims.address", "users.username", "purchases.upi_id", "purchases.qr_name"],
)
def test_it_makes_nothing_else_unreadable(desk: Desk, database_url: str, tmp_path: Path, column: str) -> None:
    claim_ids = add_claims(desk, 3, amount_paise=50_000)
    stranger = desk.add_claim()
    for claim_id in (*claim_ids[:2], stranger):
        spoil(desk, column, claim_id)
    for path in (CLAIMS, PURCHASES, USERS):
        assert len(walk(desk, path, {"limit": "1"})) == len(desk.get(path).json())
    person = desk.get(CLAIMS).json()[0]["user"]["_id"]
    for path in (
        *(f"/api/claims/{claim_id}/details" for claim_id in (*claim_ids, stranger)),
        f"/api/clients/{person}",
        f"/api/clients/{person}/statement?from=2026-01-01&to=2026-11-15",
        "/api/claims/totals?exact=true",
        f"{CLAIMS}?q=5678",
        "/api/home",
    ):
        answer = desk.get(path)
        assert answer.status_code == 200, (path, answer.text)
    assert len(claims_to_pay(desk, plan(desk, status="Rejected", reason="No.", claims=seen(desk, claim_ids)))) == 3
    assert desk.move(claim_ids[2], "Accepted").status_code == 200
    for kind in ("csv", "xlsx"):
        asked = desk.call("POST", "/api/exports", json={"list": "claims", "format": kind, "query": {}}).json()
        assert desk.client.get(asked["url"]).status_code == 200
    ended = countinghouse(database_url, "doctor")
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    seal_and_sign(desk, tmp_path)
    code, said = verified(database_url, tmp_path)
    assert code == 0, said
