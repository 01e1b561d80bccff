"""A desk under test: the app on its own database, called as an admin's client would, with helpers that insert rows."""

import atexit
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from httpx2 import Response
from sqlalchemy import Row, insert, select, text

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.core.db import Database
from countinghouse.core.ids import new_id
from countinghouse.main import create_app
from countinghouse.purchases.tables import purchases
from countinghouse.qr.picture_client import Pictures, PictureWorker
from countinghouse.settings import Settings
from countinghouse.users.tables import users
from tests.desk_client import DeskClient
from tests.direct_database import DirectDatabase

# The shortest sequence of moves to each status.
ROADS = {
    "Pending": [],
    "Accepted": ["Accepted"],
    "Paid": ["Accepted", "Paid"],
    "On hold": ["On hold"],
    "Rejected": ["Rejected"],
    "Returned": ["Accepted", "Paid", "Returned"],
}
NEED_REASON = ("On hold", "Rejected", "Returned")

# One worker for all desks of a test run: starting one takes as long as many tests. Patient, for shared machines.
_worker = PictureWorker(seconds=60)
atexit.register(_worker.close)

NEWEST = datetime(2026, 11, 15, 2, 52, 36, 120_000, tzinfo=UTC)


@dataclass
class Desk:
    settings: Settings
    tokens: dict[str, str]
    peer: str = "203.0.113.9"
    # Where the tests read and change rows directly, if the app reaches the database in another way.
    direct_url: str = ""
    client: DeskClient = field(init=False)
    database: DirectDatabase = field(init=False)

    def __post_init__(self) -> None:
        app = create_app(self.settings)
        self.database = DirectDatabase(self.direct_url or self.settings.database_url)
        app.state.pictures = Pictures(_worker)
        self.client = DeskClient(app, self.peer)

    @property
    def app_database(self) -> Database:
        """The app's own connections; `database` has others."""
        found: Database = self.client.app.state.database
        return found

    def call(self, method: str, path: str, *, by: str | None = "asha", **more: Any) -> Response:
        headers = dict(more.pop("headers", {}))
        if by is not None:
            headers["Authorization"] = f"Bearer {self.tokens.get(by, by)}"
        return self.client.request(method, path, headers=headers, **more)

    def get(self, path: str, **more: Any) -> Response:
        return self.call("GET", path, **more)

    def move(self, claim_id: str, status: str, *, by: str = "asha", key: str | None = None, **more: Any) -> Response:
        """`more` holds the other fields of the body."""
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"status": status} | more
        return self.call("PUT", f"/api/claims/{claim_id}/status", by=by, json=body, headers=headers)

    def upload(self, image: bytes, *, name: str = "Desk 1", upi_id: str = "desk1@okbank", **more: Any) -> Response:
        files = {"qrImage": ("code.png", image, "image/png")}
        return self.call("POST", "/api/qr/upload", data={"name": name, "upiId": upi_id}, files=files, **more)

    def display(self, qr_id: str, *, by: str = "asha") -> Response:
        """Displays a code. The other admin requests it first; if the payee is new (202), `by` then confirms it."""
        body, path = {"status": "display"}, f"/api/qr/status/{qr_id}"
        answer = self.call("PATCH", path, by="ravi" if by == "asha" else "asha", json=body)
        return self.call("PATCH", path, by=by, json=body) if answer.status_code == 202 else answer

    def let_history_be_altered(self, table: str) -> None:
        """Disables the triggers that refuse such a change, as the owner of the database could."""
        if self.database.is_sqlite:
            for change in ("update", "delete"):
                self.change(text(f"DROP TRIGGER {table}_keeps_{change}"))
        else:
            self.change(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))

    def audit(self, verb: str | None = None) -> list[Row[Any]]:
        rows = select(audit_log).order_by(audit_log.c.seq)
        if verb is not None:
            rows = rows.where(audit_log.c.verb == verb)
        with self.database.reading() as connection:
            return list(connection.execute(rows))

    def rows(self, statement: Any) -> list[Row[Any]]:
        with self.database.reading() as connection:
            return list(connection.execute(statement))

    def change(self, statement: Any) -> None:
        """Changes the database directly, to reach a state that would take many API calls."""
        with self.database.writing() as connection:
            connection.execute(statement)

    def add_claim(self, status: str = "Pending", **values: Any) -> str:
        user_id, purchase_id = self.add_purchase()
        row = {
            "id": new_id(),
            "created_at": NEWEST,
            "user_id": user_id,
            "purchase_id": purchase_id,
            "amount_paise": 193_750,
            "account_no": "004512345678",
            "ifsc": "HDFC0001234",
            "address": "14 MG Road, Kochi 682016",
            "status": status,
        } | values
        self.change(insert(claims).values(row))
        return str(row["id"])

    def add_claim_moved_to(self, status: str, by: str = "asha") -> str:
        """Adds a claim and moves it to this status through the API, as one admin."""
        claim_id = self.add_claim()
        for step in ROADS[status]:
            reason = {"reason": f"Because of {step}."} if step in NEED_REASON else {}
            assert self.move(claim_id, step, by=by, **reason).status_code == 200
        return claim_id

    def add_purchase(self, **values: Any) -> tuple[str, str]:
        user_id = self.add_user()
        row = {
            "id": new_id(),
            "created_at": NEWEST,
            "user_id": user_id,
            "invest_paise": 500_000,
            "daily_income_paise": 6_250,
            "upi_id": "631902345678",
            "claim_type": "Daily",
            "qr_name": "Desk 1",
        } | values
        self.change(insert(purchases).values(row))
        return user_id, str(row["id"])

    def add_user(self, **values: Any) -> str:
        row: Mapping[str, Any] = {
            "id": new_id(),
            "created_at": NEWEST,
            "username": "Ananya Iyer",
            "mobile": "0980575609",
        } | values
        self.change(insert(users).values(row))
        return str(row["id"])

    def close(self) -> None:
        with suppress(Exception):
            self.client.close()
        self.app_database.close()
        self.database.close()


def days_before(days: int) -> datetime:
    return NEWEST - timedelta(days=days)
