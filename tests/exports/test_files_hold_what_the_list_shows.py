"""One statement feeds the list and its file: the same rows, in the same order."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claim_transitions
from countinghouse.core.times import iso, now
from tests.desk import NEWEST, Desk, days_before
from tests.engines import on_one_engine
from tests.exports.downloads import HEADERS, ask, asked, download, fetch, read_csv, read_rows, read_sheets
from tests.purchases.purchases import check

FORMATS = ("csv", "xlsx")
PATHS = {"claims": "/api/claims/all", "purchases": "/api/purchases/all", "users": "/api/users"}
ACCOUNT = HEADERS["claims"].index("Account No")


@pytest.fixture
def filled(desk: Desk) -> Desk:
    for number in range(12):
        desk.add_claim(
            created_at=days_before(number // 3),
            amount_paise=100 * (number % 4),
            status=("Pending", "Accepted", "Paid")[number % 3],
            account_no=f"00{number:04}",
        )
    return desk


def test_a_claim_is_written_exactly_as_expected_in_csv(desk: Desk) -> None:
    claim_id = desk.add_claim()
    client_id = desk.get("/api/users").json()[0]["_id"]
    expected = (
        f"\ufeff{','.join(HEADERS['claims'])}\r\n"
        'C-10001,2026-11-15 08:22:36,Ananya Iyer,"=""0980575609""",5000.00,1937.50,"=""004512345678""",HDFC0001234,'
        f'HDFC Bank,"14 MG Road, Kochi 682016",Pending,,,,,,,,,,,,{client_id},{claim_id},\r\n'
    )
    assert download(desk).decode() == expected


def test_a_claim_in_xlsx_has_text_number_and_date_cells(desk: Desk) -> None:
    desk.add_claim()
    (sheet,) = read_sheets(download(desk, form="xlsx"))
    header, row = sheet.iter_rows()
    assert sheet.title == "Claims"
    assert sheet.freeze_panes == "A2"
    assert [cell.value for cell in header] == HEADERS["claims"]
    assert [cell.value for cell in row][:11] == [
        "C-10001",
        datetime(2026, 11, 15, 8, 22, 36),
        "Ananya Iyer",
        "0980575609",
        5000,
        1937.5,
        "004512345678",
        "HDFC0001234",
        "HDFC Bank",
        "14 MG Road, Kochi 682016",
        "Pending",
    ]
    assert [cell.data_type for cell in row][:11] == ["s", "d", "s", "s", "n", "n", "s", "s", "s", "s", "s"]
    assert row[5].number_format == "#,##0.00"
    assert sheet.column_dimensions["J"].width == 40


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_of_claims_can_be_compared_with_a_bank_statement(desk: Desk, form: str) -> None:
    paid = desk.add_claim_moved_to("Accepted")
    assert desk.move(paid, "Paid", by="ravi", reference="N319260012345678").status_code == 200
    returned = desk.add_claim_moved_to("Returned")
    header, *rows = read_rows(download(desk, "claims", form), form)
    by_id = {row[header.index("ID")]: dict(zip(header, row, strict=True)) for row in rows}
    first, second = by_id[paid], by_id[returned]
    assert (first["Bank Reference"], first["Accepted by"], first["Paid by"]) == ("N319260012345678", "asha", "ravi")
    assert str(first["Paid at (Asia/Kolkata)"])[:19] == indian_time(desk, paid, "Paid")
    assert not first["Returned by"]
    assert not first["Returned because"]
    assert (second["Returned by"], second["Returned because"]) == ("asha", "Because of Returned.")
    assert second["Paid by"] == "asha"


def test_a_file_of_claims_leaves_out_what_was_undone_or_started_again(desk: Desk) -> None:
    undone, unrejected = desk.add_claim_moved_to("Accepted"), desk.add_claim_moved_to("Rejected")
    assert [desk.move(each, "Pending").status_code for each in (undone, unrejected)] == [200, 200]
    again = desk.add_claim_moved_to("Accepted")
    assert desk.move(again, "Paid", reference="N319260012345678").status_code == 200
    assert desk.move(again, "Returned", reason="Closed").status_code == 200
    assert desk.move(again, "Accepted", by="ravi").status_code == 200
    header, *rows = read_rows(download(desk, "claims", "csv"), "csv")
    by_id = {row[header.index("ID")]: dict(zip(header, row, strict=True)) for row in rows}
    moved = [name for name in header if name.split()[0] in ("Accepted", "Paid", "Rejected", "Returned", "Bank")]
    filled = {claim: [name for name in moved if by_id[claim][name] and name != "Bank"] for claim in by_id}
    assert filled == {undone: [], unrejected: [], again: ["Accepted by", "Accepted at (Asia/Kolkata)"]}


def indian_time(desk: Desk, claim_id: str, status: str) -> str:
    moved = select(claim_transitions.c.moved_at).where(
        claim_transitions.c.claim_id == claim_id, claim_transitions.c.to_status == status
    )
    ((at,),) = desk.rows(moved)
    return _in_india(at)


def _in_india(at: datetime) -> str:
    return f"{at.astimezone(ZoneInfo('Asia/Kolkata')):%Y-%m-%d %H:%M:%S}"


def test_times_are_in_the_zone_of_the_settings(desk: Desk) -> None:
    desk.settings.time_zone = "America/New_York"
    desk.add_claim()
    header, row = read_csv(download(desk))
    assert (header[1], row[1]) == ("Date (America/New_York)", "2026-11-14 21:52:36")


def test_findings_of_a_purchase_are_written_as_sentences(desk: Desk) -> None:
    for _ in range(2):
        desk.add_purchase()
    check(desk)
    header, *rows = read_csv(download(desk, "purchases"))
    assert all("purchase" in row[header.index("Findings")] for row in rows)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", HEADERS)
def test_each_list_has_the_labels_of_its_screen(desk: Desk, name: str, form: str) -> None:
    desk.add_claim()
    header, *rows = read_rows(download(desk, name, form), form)
    assert header == HEADERS[name]
    assert len(rows) == 1


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", HEADERS)
def test_an_empty_list_gives_a_file_with_only_the_header(desk: Desk, name: str, form: str) -> None:
    assert read_rows(download(desk, name, form), form) == [HEADERS[name]]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"status": "Accepted"},
        {"sort": "amount"},
        {"sort": "-accountNo"},
        {"q": "0011"},
        {"q": "%"},
        {"from": iso(days_before(2)), "to": iso(NEWEST)},
        {"minAmount": "1", "maxAmount": "2.00", "sort": "username"},
        {"status": "Paid", "q": "00", "sort": "-amount", "from": iso(days_before(3))},
    ],
)
def test_a_file_has_the_rows_of_the_list_in_the_same_order(filled: Desk, query: dict[str, str]) -> None:
    listed: list[dict[str, Any]] = filled.get("/api/claims/all", params=query).json()
    _, *rows = read_csv(download(filled, **query))
    assert [row[ACCOUNT] for row in rows] == [f'="{claim["accountNo"]}"' for claim in listed]


def test_an_export_of_purchases_supports_the_filters_of_purchases(desk: Desk) -> None:
    desk.add_purchase(claim_type="Daily", qr_name="Desk 1", upi_id="001")
    desk.add_purchase(claim_type="Weekly", qr_name="Desk 1", upi_id="002")
    desk.add_purchase(claim_type="Weekly", qr_name="Desk 2", upi_id="003", invest_paise=100)
    for query, expected in (
        ({"claimType": "Weekly", "sort": "upiId"}, ['="002"', '="003"']),
        ({"claimType": "Weekly", "qrName": "Desk 1"}, ['="002"']),
        ({"maxAmount": "1"}, ['="003"']),
    ):
        assert [row[6] for row in read_csv(download(desk, "purchases", **query))[1:]] == expected


@pytest.mark.parametrize("name", PATHS)
def test_a_file_can_be_sorted_like_its_list(filled: Desk, name: str) -> None:
    for sort in ("createdAt", "-username", "mobile"):
        listed = filled.get(PATHS[name], params={"sort": sort}).json()
        _, *rows = read_csv(download(filled, name, sort=sort))
        date = HEADERS[name].index("Date (Asia/Kolkata)")
        assert [row[date] for row in rows] == [_in_india(datetime.fromisoformat(item["createdAt"])) for item in listed]


@pytest.mark.parametrize("form", FORMATS)
def test_all_scripts_and_emoji_are_preserved(desk: Desk, form: str) -> None:
    address = "१४ गांधी मार्ग, कोच्चि 🏦 — “घर” & <b>, ಬೆಂಗಳೂರು"
    desk.add_claim(address=address)
    _, row = read_rows(download(desk, form=form), form)
    assert row[9] == address


@pytest.mark.parametrize(
    ("paise", "written"),
    [(0, "0.00"), (1, "0.01"), (99, "0.99"), (10_000_000_000_01, "10000000000.01"), (10**15 - 1, "9999999999999.99")],
)
def test_money_is_exact_to_the_paisa(desk: Desk, paise: int, written: str) -> None:
    desk.add_claim(amount_paise=paise)
    assert read_csv(download(desk))[1][5] == written
    (sheet,) = read_sheets(download(desk, form="xlsx"))
    assert f"{sheet['F2'].value:.2f}" == written


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ],
)
def test_the_response_is_an_attachment_that_must_not_be_cached(desk: Desk, form: str, media_type: str) -> None:
    days = {iso(now())[:10]}
    export = asked(desk, "users", form)
    days.add(iso(now())[:10])
    answer = fetch(desk, export)
    assert answer.headers["content-type"] == media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="{export["fileName"]}"'
    # Two possible dates if the test runs across midnight.
    assert export["fileName"] in {f"users-{day}.{form}" for day in days}
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "content-length" not in answer.headers


@on_one_engine
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "50"}, "limit"),
        ({"cursor": "x"}, "cursor"),
        ({"skip": "1"}, "skip"),
        ({"status": "Lost"}, "status"),
        ({"sort": "colour"}, "sort"),
        ({"from_": "yesterday"}, "from"),
        ({"minAmount": "-1"}, "minAmount"),
        ({"q": ""}, "q"),
        ({"q": "a\x00b"}, "q"),
        ({"q": "x" * 101}, "q"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_query_that_the_list_refuses_is_refused_with_the_field_named(
    desk: Desk, query: dict[str, str], field: str
) -> None:
    answer = ask(desk, "claims", "csv", **query)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert desk.audit("export.requested") == []


@on_one_engine
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"list": "qr", "format": "csv", "query": {}}, "list"),
        ({"list": "claims", "format": "pdf", "query": {}}, "format"),
        ({"list": "claims", "format": "csv", "query": {"q": 5}}, "q"),
        ({"list": "users", "format": "csv", "query": {"status": "Paid"}}, "status"),
        ({"list": "users", "format": "csv", "colour": "red"}, "colour"),
        ({"format": "csv"}, "list"),
    ],
)
def test_an_invalid_request_is_refused_with_the_field_named(desk: Desk, body: dict[str, Any], field: str) -> None:
    answer = desk.call("POST", "/api/exports", json=body)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
