"""Each bad row is reported with its place, field, value and reason, and the rows around it are imported."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bson
import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claims, payout_references
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import Ran, run_import
from tests.importing.formats import write_archive
from tests.importing.synthetic import Service

pytestmark = on_one_engine

USER = {"id": "u1", "username": "Om Rao", "mobile": "9805756092", "createdAt": "2026-01-05T00:00:00Z"}
PURCHASE = {
    "id": "p1",
    "user": "u1",
    "invest": 5000,
    "dailyIncome": 62.5,
    "upiId": "631902345678",
    "claimType": "Daily",
    "qrName": "Desk 1",
    "createdAt": "2026-01-06T00:00:00Z",
}
CLAIM = {
    "id": "c1",
    "user": "u1",
    "purchase": "p1",
    "amount": 100,
    "accountNo": "004512345678",
    "ifsc": "HDFC0001234",
    "address": "14 MG Road",
    "status": "Pending",
    "createdAt": "2026-01-07T00:00:00Z",
}


@pytest.fixture
def imported(desk: Desk, tmp_path: Path) -> Callable[..., Ran]:
    """Imports these documents, with a map if one is given."""
    runs = iter(range(100))

    def run(*words: str, corrections: Any = None, **collections: list[dict[str, Any]]) -> Ran:
        folder = tmp_path / f"source{next(runs)}"
        folder.mkdir()
        for name, documents in collections.items():
            (folder / f"{name}.json").write_text("\n".join(json.dumps(document) for document in documents))
        if corrections is not None:
            (tmp_path / "map.json").write_text(json.dumps(corrections))
            words = (*words, "--map", str(tmp_path / "map.json"))
        return run_import(desk.settings.database_url, tmp_path / f"run{next(runs)}", str(folder), *words)

    return run


def test_a_report_names_file_line_field_value_and_reason(imported: Callable[..., Ran], desk: Desk) -> None:
    ran = imported(users=[USER, {**USER, "id": "u2", "mobile": "12345"}, {**USER, "id": "u3"}])
    assert ran.code == 4
    assert ran.bad_rows == [
        {
            "File": "users.json",
            "Collection": "users",
            "Place": "line 2",
            "Outcome": "invalid",
            "Field": "mobile",
            "Value": '="12345"',
            "Reason": "mobile is not an Indian mobile number: those have 10 digits and begin with 6, 7, 8 or 9.",
        }
    ]
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": "lots"}, "amount"),
        ({"amount": 0}, "amount"),
        ({"amount": -5}, "amount"),
        ({"amount": 1e18}, "amount"),
        ({"status": "success"}, "status"),
        ({"status": None}, "status"),
        ({"purchase": "p9"}, "purchase"),
        ({"user": "u9"}, "user"),
        ({"user": "f" * 24}, "user"),
        ({"accountNo": 123456789012345678.0}, "accountNo"),
        ({"accountNo": "1.23457E+11"}, "accountNo"),
        ({"ifsc": "HDFC"}, "ifsc"),
        ({"address": " 14 MG Road"}, "address"),
        ({"address": "14\u0000MG Road"}, "address"),
        ({"address": None}, "address"),
        ({"createdAt": "05/01/2026"}, "createdAt"),
        ({"createdAt": "2099-01-01T00:00:00Z"}, "createdAt"),
        ({"createdAt": None}, "createdAt"),
        ({"movedAt": "2099-01-01T00:00:00Z"}, "movedAt"),
        ({"movedAt": "2026-01-05T23:59:59Z"}, "movedAt"),
        ({"reference": "12"}, "reference"),
        ({"amount": {"$numberDouble": "abc"}}, "amount"),
        ({"amount": "1e900000000"}, "amount"),
        ({"accountNo": {"$numberDecimal": "1e900000000"}}, "accountNo"),
        ({"createdAt": {"$date": {"$numberLong": "9" * 5000}}}, "createdAt"),
    ],
)
def test_each_fault_of_a_claim_is_found(imported: Callable[..., Ran], desk: Desk, change: Any, field: str) -> None:
    # The second claim has every field, so that the map has them too.
    good = {**CLAIM, "id": "c2", "status": "Paid", "reference": "AXIS0001"}
    ran = imported(users=[USER], purchases=[PURCHASE], claims=[{**CLAIM, "status": "Paid"} | change, good])
    assert [(row["Place"], row["Field"]) for row in ran.bad_rows] == [("line 1", field)], ran.errors
    assert ran.bad_rows[0]["Reason"].startswith(f"{field} ") or field == "purchase" or field == "user"
    assert [row.external_id for row in desk.rows(select(claims))] == ["c2"]


def test_a_move_is_refused_in_a_dry_run_too_and_may_be_a_day_without_a_time(imported: Callable[..., Ran]) -> None:
    paid = {**CLAIM, "status": "Paid", "createdAt": "2026-01-07T12:00:00Z"}
    moves = {"c1": "2026-01-07", "c2": "2026-01-08T09:00:00Z", "c3": "2026-01-06", "c4": "2099-01-01"}
    claims_of = [{**paid, "id": name, "movedAt": at} for name, at in moves.items()]
    for words in (("--dry-run",), ()):
        ran = imported(*words, users=[USER], purchases=[PURCHASE], claims=claims_of)
        assert ran.outcomes["claims"] == (2, 0, 0, 2)
        assert [(row["Place"], row["Field"], row["Reason"]) for row in ran.bad_rows] == [
            ("line 3", "movedAt", "movedAt is before createdAt."),
            ("line 4", "movedAt", "movedAt is in the future."),
        ]


def test_a_claim_on_the_purchase_of_another_user_is_refused(imported: Callable[..., Ran]) -> None:
    others = {**USER, "id": "u2", "mobile": "9805756093"}
    ran = imported(users=[USER, others], purchases=[PURCHASE], claims=[{**CLAIM, "user": "u2"}])
    assert [row["Reason"] for row in ran.bad_rows] == ["The purchase belongs to another user."]


def test_of_documents_with_one_id_the_first_is_imported(imported: Callable[..., Ran], desk: Desk) -> None:
    ran = imported(users=[USER, {**USER, "username": "Another"}, USER])
    assert [(row["Place"], row["Reason"]) for row in ran.bad_rows] == [
        ("line 2", "_id is the same as in line 1, which came first."),
        ("line 3", "_id is the same as in line 1, which came first."),
    ]
    assert [row.username for row in desk.rows(select(users))] == ["Om Rao"]


def test_a_bank_reference_belongs_to_one_claim(imported: Callable[..., Ran], desk: Desk) -> None:
    paid = {**CLAIM, "status": "Paid", "utr": "AXIS 0001-77"}
    ran = imported(users=[USER], purchases=[PURCHASE], claims=[paid, {**paid, "id": "c2", "utr": "axis000177"}])
    assert [(row["Place"], row["Reason"]) for row in ran.bad_rows] == [
        ("line 2", "reference is on another claim of this import too.")
    ]
    assert [row.reference for row in desk.rows(select(payout_references))] == ["AXIS000177"]
    again = imported(claims=[{**paid, "id": "c3"}, paid])
    assert again.outcomes["claims"] == (0, 1, 0, 1)


def test_money_with_more_than_two_places_is_rounded_and_reported(imported: Callable[..., Ran], desk: Desk) -> None:
    ran = imported(users=[USER], purchases=[{**PURCHASE, "invest": 33.335, "dailyIncome": 199.99}])
    assert ran.code == 0
    assert [(row["Outcome"], row["Field"], row["Reason"]) for row in ran.bad_rows] == [
        ("imported", "invest", "invest has more than two decimal places; it was rounded to 33.34.")
    ]
    (row,) = desk.rows(select(purchases.c.invest_paise, purchases.c.daily_income_paise))
    assert tuple(row) == (3334, 19999)


def test_rows_may_name_their_user_by_mobile_or_by_an_object(imported: Callable[..., Ran]) -> None:
    by_mobile = {name: value for name, value in PURCHASE.items() if name != "user"} | {"phone": "+91 98057 56092"}
    ran = imported(users=[USER], orders=[by_mobile])
    assert ran.code == 0, ran.output
    twin = {**USER, "id": "u2"}
    ran = imported(users=[USER, twin], orders=[{**by_mobile, "id": "p2"}])
    assert [row["Field"] for row in ran.bad_rows] == ["user"]
    populated = {**PURCHASE, "id": "p3", "user": {"_id": "u1", "username": "Om Rao"}}
    assert imported(orders=[populated]).code == 0


def test_rows_without_an_id_are_imported_once(imported: Callable[..., Ran]) -> None:
    nameless = {name: value for name, value in USER.items() if name != "id"}
    assert imported(users=[nameless]).outcomes["users"] == (1, 0, 0, 0)
    assert imported(users=[nameless, {**nameless, "username": "Another"}]).outcomes["users"] == (1, 1, 0, 0)


@pytest.mark.parametrize("keep", [0.999, 0.6, 0.2])
def test_a_cut_off_archive_is_reported(desk: Desk, tmp_path: Path, keep: float) -> None:
    archive = write_archive(Service(), tmp_path, is_packed=keep == 0.6)
    content = archive.read_bytes()
    archive.write_bytes(content[: int(len(content) * keep)])
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(archive), "--dry-run")
    assert ran.code == 4, ran.errors
    assert any("The file ends in the middle of a document" in row["Reason"] for row in ran.bad_rows)


def test_damaged_documents_are_reported_and_the_others_imported(desk: Desk, tmp_path: Path) -> None:
    good, bad = bson.encode(USER), bytearray(bson.encode({**USER, "id": "u2"}))
    bad[12] = 0xFF
    (tmp_path / "users.bson").write_bytes(good + bytes(bad) + bson.encode({**USER, "id": "u3"}) + b"\x07\x00")
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.bson"))
    assert [row["Place"] for row in ran.bad_rows] == ["document 2", "document 4"]
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}


@pytest.mark.parametrize(
    "line", ['{"id": "u2", ', "17", '["u2"]', '{"id": "\ud800"}', "{" * 100_000, '{"id": {"$oid": "x"}}', "null"]
)
def test_damaged_lines_are_reported_and_the_others_imported(desk: Desk, tmp_path: Path, line: str) -> None:
    lines = (json.dumps(USER), line, json.dumps({**USER, "id": "u3"}))
    (tmp_path / "users.json").write_bytes("\n".join(lines).encode(errors="surrogatepass"))
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.json"))
    assert {row["Place"] for row in ran.bad_rows} == {"line 2"}, ran.errors
    assert {row.external_id for row in desk.rows(select(users))} == {"u1", "u3"}


def test_csv_rows_are_reported_by_their_line_even_after_cells_with_line_breaks(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "users.csv").write_text(
        'id;name;phone;date\nu1;"Om\nRao";9805756092;2026-01-05\nu2;Asha;12;2026-01-05\nu3;Ravi;9805756092;2026-01-05;x\n'
    )
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.csv"))
    assert [(row["Place"], row["Field"]) for row in ran.bad_rows] == [
        ("line 2", "username"),
        ("line 4", "mobile"),
        ("line 5", ""),
    ]


def test_a_file_in_another_encoding_is_reported(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "users.csv").write_bytes("id,name,phone,date\nu1,José,9805756092,2026-01-05\n".encode("latin-1"))
    ran = run_import(desk.settings.database_url, tmp_path / "run", str(tmp_path / "users.csv"))
    assert ran.code in (1, 4)
    assert "UTF-8" in ran.errors + str(ran.bad_rows)


@pytest.mark.parametrize("date_format", ["%z%z", "%Q", "%", "%d/%d", "%-d/%m/%Y"])
def test_a_date_format_that_cannot_be_read_is_refused(imported: Callable[..., Ran], date_format: str) -> None:
    corrections = {"collections": {"users": {"noun": "users", "dateFormat": date_format}}}
    ran = imported(users=[USER], corrections=corrections)
    assert ran.code == 1
    assert "dateFormat is not a date format, like %d/%m/%Y." in ran.errors
