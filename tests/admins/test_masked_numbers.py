"""Viewers and QR managers see the last four digits of account and mobile numbers, and the audit log sees them ask."""

import csv
import io
import zipfile

import pytest
from sqlalchemy import update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.core.masking import mask_numbers, mask_own, masked
from tests.desk import Desk

ACCOUNT = "004512345678"
HIDING, SEEING = (Role.VIEWER, Role.QR_MANAGER), (Role.OWNER, Role.PAYER, Role.REVIEWER, Role.AUDITOR)


def set_role(desk: Desk, role: Role) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))


def add_claim(desk: Desk) -> tuple[str, str]:
    claim_id = desk.add_claim()
    user: str = desk.get(f"/api/claims/{claim_id}", by="ravi").json()["user"]["_id"]
    return claim_id, user


def paths(claim_id: str, user_id: str) -> tuple[str, ...]:
    return (
        "/api/claims/all",
        "/api/claims/all?limit=5",
        "/api/claims/all?limit=5&q=HDFC0001234",
        f"/api/claims/{claim_id}",
        f"/api/claims/{claim_id}/details",
        "/api/purchases/all?limit=5",
        "/api/users",
        "/api/users?limit=5",
        f"/api/clients/{user_id}",
    )


@pytest.mark.parametrize("role", HIDING)
def test_the_numbers_are_masked_wherever_they_are_shown(desk: Desk, role: Role) -> None:
    claim_id, user_id = add_claim(desk)
    mobile = desk.get("/api/users", by="ravi").json()[0]["mobile"]
    set_role(desk, role)
    for path in paths(claim_id, user_id):
        shown = desk.get(path).text
        assert ACCOUNT not in shown, path
        assert mobile not in shown, path
        assert f"••••{mobile[-4:]}" in shown, (path, shown)
    assert desk.get("/api/claims/all?limit=5").json()[0]["accountNo"] == "••••5678"


@pytest.mark.parametrize("role", SEEING)
def test_other_roles_see_them(desk: Desk, role: Role) -> None:
    claim_id, user_id = add_claim(desk)
    set_role(desk, role)
    for path in paths(claim_id, user_id):
        assert desk.get(path).text.count("••••") == 0
        assert ACCOUNT in desk.get(path).text or "claim" not in path, path


@pytest.mark.parametrize(
    "path",
    [
        "/api/claims/all?sort=accountNo",
        "/api/claims/all?sort=address",
        "/api/claims/all?sort=-username",
        "/api/purchases/all?sort=qrName",
        "/api/purchases/all?sort=upiId",
        "/api/purchases/all?sort=-upiId",
        "/api/users?sort=-mobile",
        "/api/users?sort=username",
    ],
)
def test_no_list_is_sorted_by_a_text_that_is_masked(desk: Desk, path: str) -> None:
    set_role(desk, Role.VIEWER)
    assert desk.get(path).status_code == 422
    assert desk.get(path, by="ravi").status_code == 200


@pytest.mark.parametrize("sort", ["createdAt", "amount", "ifsc", "status"])
def test_lists_with_masked_numbers_are_sorted_by_what_holds_none(desk: Desk, sort: str) -> None:
    set_role(desk, Role.VIEWER)
    assert desk.get(f"/api/claims/all?sort={sort}").status_code == 200


@pytest.mark.parametrize("sort", ["mobile", "username"])
def test_no_export_is_sorted_by_a_text_that_is_masked(desk: Desk, sort: str) -> None:
    set_role(desk, Role.VIEWER)
    asked = {"list": "users", "format": "csv", "query": {"sort": sort}}
    assert desk.call("POST", "/api/exports", json=asked).status_code == 422


def test_revealing_is_audited_without_the_number(desk: Desk) -> None:
    claim_id, user_id = add_claim(desk)
    set_role(desk, Role.VIEWER)
    mobile = desk.get("/api/users", by="ravi").json()[0]["mobile"]
    answer = desk.call("POST", f"/api/claims/{claim_id}/reveal")
    assert answer.json() == {"accountNo": ACCOUNT, "mobile": mobile}
    assert desk.call("POST", f"/api/clients/{user_id}/reveal").json() == {"mobile": mobile}
    rows = [*desk.audit("claim.revealed"), *desk.audit("client.revealed")]
    assert [(row.actor, row.subject_id, row.before, row.after) for row in rows] == [
        ("asha", claim_id, None, None),
        ("asha", user_id, None, None),
    ]
    assert desk.call("POST", f"/api/claims/{'0' * 24}/reveal").status_code == 404
    assert len(desk.audit("claim.revealed")) == 1


@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_exported_files_are_masked_too(desk: Desk, file_format: str) -> None:
    add_claim(desk)
    for role, account in ((Role.OWNER, ACCOUNT), (Role.VIEWER, "••••5678")):
        set_role(desk, role)
        asked = desk.call("POST", "/api/exports", json={"list": "claims", "format": file_format})
        content = desk.client.get(asked.json()["url"]).content
        if file_format == "csv":
            (row,) = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
            assert row["Account No"].strip('="') == account
        else:
            sheet = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml").decode()
            assert account in sheet
            assert (ACCOUNT in sheet) == (role is Role.OWNER)


def test_a_short_number_is_hidden_as_a_whole() -> None:
    assert (masked("1234567"), masked("12345678"), masked("")) == ("••••", "••••5678", "••••")


def test_numbers_in_what_somebody_wrote_are_masked() -> None:
    written = "Call +91 98057 56092 (flat 12, 682016) about 0045-1234-5678 of 15-11-2026."
    assert mask_numbers(written) == "Call +••••6092 (flat 12, 682016) about ••••5678 of 15-11-2026."
    assert mask_numbers("14 MG Road, Kochi 682016") == "14 MG Road, Kochi 682016"


def test_dates_amounts_and_other_digits_stay_beside_a_number_in_any_spelling() -> None:
    own = "004512345678", "+91 98057 56092"
    kept = "On 15.11.2026, 14:30: 1,25,000.00 - 2,50,000.00; 682016/560001; C-10482, C-10483, C-10484"
    assert mask_numbers(kept, own) == kept
    for written, shown in {
        f"{kept}. Call (98057).56092": f"{kept}. Call (••••6092",
        "0045, 1234, 5678 or 4512/345/678": "••••5678 or ••••5678",
        "098057\u201356092; ९८०५७.५६०९२": "0••••6092; ••••6092",
        "98057 and then 56092": "98057 and then 56092",
        "98057\n\n56092 x 9805\u00a0756\u00a0092": "••••6092 x ••••6092",
        f"98057{' ' * 7}56092, 9{' ' * 90}80{'. ' * 90}5756092": "••••6092, ••••6092",
        "⁹⁸⁰⁵⁷⁵⁶⁰⁹² ⑨⑧⓪⑤⑦⑤⑥⓪⑨② ❾❽⓿❺❼❺❻⓿❾❷ ₉8⁰५\uff17⑤⁶⁰⒐²": " ".join(["••••6092"] * 4),
        "98057\u316456092; 98057ー56092; 98057\u280056092; 98057\u02d756092; 98057\uff7056092": "; ".join(
            ["••••6092"] * 5
        ),
    }.items():
        assert mask_numbers(written, own) == shown


def test_a_text_full_of_digits_and_gaps_is_masked_at_once() -> None:
    """It would not end if a gap could be read in several ways."""
    own = "9999999998", "0000000001"
    for text in ("9 " * 50_000, "9" * 100_000, ("9" + " " * 999) * 100, "9" + " \n_-" * 25_000, "(99999) " * 12_000):
        assert "8" not in mask_own(text, own)
        assert mask_numbers(text, own)


def test_an_id_of_the_service_keeps_digits_that_are_not_those_of_its_row() -> None:
    own = ("004512345678", "9805756092")
    for kept in ("order-20261115-000123", "6917e2f4a1b2c3d4e5000001", "100000012345", "row 12"):
        assert mask_own(kept, own) == kept
    assert mask_own("u9805756092", own) == "u••••6092"
    assert mask_own("C/0045-1234-5678/2", own) == "C/••••5678/2"
    assert mask_own(f"row {'0af3' * 8}", ()) == "row ••••"
    assert mask_own("row 12", ("12", "", "1234567")) == "row 12"
