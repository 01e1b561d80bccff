"""A service with the usual faults is imported from each format: the good rows arrive, the others are reported."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import run_import
from tests.importing.formats import FORMATS, write_archive, write_bson
from tests.importing.synthetic import STATUSES, Service

SERVICE = Service()


@pytest.mark.parametrize("name", FORMATS)
@on_one_engine
def test_each_format_brings_the_same_rows(name: str, desk: Desk, tmp_path: Path) -> None:
    source = FORMATS[name](SERVICE, tmp_path)
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(source))
    assert ran.code == 4, ran.errors
    check_imported(desk)
    assert {noun: created for noun, (created, *_) in ran.outcomes.items()} == SERVICE.good()
    assert "The desk has what the source has, except for the bad rows." in ran.output
    assert {row["Outcome"] for row in ran.bad_rows} == {"invalid", "imported"}
    assert len([row for row in ran.bad_rows if row["Outcome"] == "invalid"]) == SERVICE.bad()


def test_ids_dates_and_sums_are_kept_on_both_engines(desk: Desk, tmp_path: Path) -> None:
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(write_bson(SERVICE, tmp_path)))
    assert ran.code == 4, ran.errors
    check_imported(desk)
    made = next(SERVICE.made_claims())
    (claim,) = desk.rows(select(claims).where(claims.c.id == SERVICE.claim_id(0)))
    assert claim.external_id == SERVICE.claim_id(0)
    assert claim.created_at == made.fields["createdAt"]
    assert (claim.account_no, claim.ifsc) == ("0100000000000", "HDFC0001234")
    shown = desk.get("/api/claims/all").json()
    assert len(shown) == SERVICE.good()["claims"]


def check_imported(desk: Desk) -> None:
    for noun, table in (("users", users), ("purchases", purchases), ("claims", claims)):
        ((count,),) = desk.rows(select(func.count()).select_from(table))
        assert count == SERVICE.good()[noun]
    by_status = select(claims.c.status, func.sum(claims.c.amount_paise).label("paise")).group_by(claims.c.status)
    assert {row.status: int(row.paise) for row in desk.rows(by_status)} == SERVICE.paise_by_status()
    ((invested,),) = desk.rows(select(func.sum(purchases.c.invest_paise)))
    assert int(invested) == SERVICE.invested_paise()


def test_decided_claims_were_moved_by_the_import_and_every_row_is_audited(desk: Desk, tmp_path: Path) -> None:
    run_import(desk.settings.database_url, tmp_path / "run", str(write_archive(SERVICE, tmp_path)))
    movers = {row.moved_by for row in desk.rows(select(claim_transitions.c.moved_by))}
    assert movers == {"imported"}
    moved = desk.rows(
        select(claims.c.status, claims.c.version, claim_transitions.c.to_status).outerjoin(
            claim_transitions, claim_transitions.c.claim_id == claims.c.id
        )
    )
    assert {row.status for row in moved} == set(STATUSES.values())
    for row in moved:
        assert (row.version, row.to_status) == ((0, None) if row.status == "Pending" else (1, row.status))
    added = select(func.count(audit_log.c.subject_id.distinct())).where(audit_log.c.verb.like("%.added"))
    ((count,),) = desk.rows(added.where(audit_log.c.verb != "admin.added"))
    assert count == sum(SERVICE.good().values())
    (ended,) = desk.audit("import.ended")
    assert ended.actor == "command"


def test_an_imported_paid_claim_cannot_be_paid_again(desk: Desk, tmp_path: Path) -> None:
    run_import(desk.settings.database_url, tmp_path / "run", str(write_archive(SERVICE, tmp_path)))
    paid = desk.get("/api/claims/all?status=Paid&limit=1").json()[0]["_id"]
    assert desk.move(paid, "Paid").status_code == 409
    assert desk.move(paid, "Accepted").status_code == 409


def test_the_desk_is_healthy_after_an_import(desk: Desk, tmp_path: Path) -> None:
    from tests.cli.command import countinghouse

    run_import(desk.settings.database_url, tmp_path / "run", str(write_bson(SERVICE, tmp_path)))
    examined = countinghouse(desk.settings.database_url, "doctor")
    assert examined.returncode == 0, examined.stdout
