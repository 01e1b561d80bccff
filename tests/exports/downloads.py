"""Helpers: request an export and read the file back, as a browser and a spreadsheet would."""

import csv
import io
from typing import Any
from urllib.parse import urlsplit

from httpx2 import Response
from openpyxl import load_workbook
from sqlalchemy import Insert, insert

from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from tests.desk import NEWEST, Desk

HEADERS = {
    "claims": [
        "Claim No.",
        "Date (Asia/Kolkata)",
        "User Name",
        "Mobile",
        "Invest",
        "Amount",
        "Account No",
        "IFSC",
        "Bank",
        "Address",
        "Status",
        "Bank Reference",
        "Accepted by",
        "Accepted at (Asia/Kolkata)",
        "Paid by",
        "Paid at (Asia/Kolkata)",
        "Rejected by",
        "Rejected at (Asia/Kolkata)",
        "Rejected because",
        "Returned by",
        "Returned at (Asia/Kolkata)",
        "Returned because",
        "Client ID",
        "ID",
        "External ID",
    ],
    "purchases": [
        "Purchase No.",
        "Date (Asia/Kolkata)",
        "User Name",
        "Mobile",
        "Invest",
        "Daily Income",
        "Transaction ID",
        "Claim Type",
        "QR Name",
        "Findings",
        "Confirmed",
        "Confirmed by",
        "Confirmed at (Asia/Kolkata)",
        "Confirmed because",
        "Client ID",
        "ID",
        "External ID",
    ],
    "users": ["Date (Asia/Kolkata)", "User Name", "Mobile", "ID", "External ID"],
}


def ask(desk: Desk, name: str = "claims", form: str = "csv", *, by: str = "asha", **query: str) -> Response:
    # `from` is a Python keyword, so callers pass from_.
    sent = {field.rstrip("_"): value for field, value in query.items()}
    return desk.call("POST", "/api/exports", by=by, json={"list": name, "format": form, "query": sent})


def asked(desk: Desk, name: str = "claims", form: str = "csv", **query: str) -> dict[str, Any]:
    answer = ask(desk, name, form, **query)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def path_of(export: dict[str, Any]) -> str:
    parts = urlsplit(export["url"])
    return f"{parts.path}?{parts.query}"


def fetch(desk: Desk, export: dict[str, Any]) -> Response:
    """Without any token, as a link does."""
    return desk.get(path_of(export), by=None)


def download(desk: Desk, name: str = "claims", form: str = "csv", **query: str) -> bytes:
    answer = fetch(desk, asked(desk, name, form, **query))
    assert answer.status_code == 200, answer.text
    return answer.content


def read_csv(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


def read_sheets(content: bytes) -> list[Any]:
    return list(load_workbook(io.BytesIO(content)).worksheets)


def read_rows(content: bytes, form: str) -> list[list[Any]]:
    if form == "csv":
        return [list(row) for row in read_csv(content)]
    (sheet,) = read_sheets(content)
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def state(desk: Desk, export: dict[str, Any]) -> str:
    answer = desk.get(f"/api/exports/{export['_id']}")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["state"])


def many_claims(desk: Desk, count: int, address: str) -> None:
    user_id, purchase_id = desk.add_purchase()
    rows = [
        {
            "id": new_id(),
            "created_at": NEWEST,
            "user_id": user_id,
            "purchase_id": purchase_id,
            "amount_paise": number,
            "account_no": f"{number:018}",
            "ifsc": "HDFC0001234",
            "address": address,
            "status": "Pending",
        }
        for number in range(count)
    ]
    statement: Insert = insert(claims)
    with desk.database.writing() as connection:
        connection.execute(statement, rows)
