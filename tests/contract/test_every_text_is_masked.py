"""Whoever sees masked numbers sees none in any text, also in one that nobody thought of: a number is planted in every
text column of the database, one after the other, and everything that such a role can read is read."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Column, String, Table, select, update
from sqlalchemy.exc import DBAPIError

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.core.db import metadata
from countinghouse.resources import LISTED
from tests.admins.test_masked_numbers import HIDING
from tests.contract.test_no_whole_number_is_shown import QUERIES, concrete, fill, text_of
from tests.contract.test_what_each_role_may_do import ROUTES, set_role
from tests.core.sockets import served
from tests.desk import Desk
from tests.live.screens import screen
from tests.pictures import qr_png

NUMBER = "004512345678"
PLANTED = f"call {NUMBER}"
# Who may call, and where their sessions end: with these changed, nobody could read anything.
CLOSED = {"admins", "sessions", "alembic_version"}


def text_columns() -> Iterator[tuple[Table, Column[Any]]]:
    for table in metadata.sorted_tables:
        for column in table.c:
            if isinstance(column.type, String) and not column.primary_key and table.name not in CLOSED:
                yield table, column


def texts_of(desk: Desk, addresses: list[str], *, by: str) -> dict[str, str]:
    answers = {address: desk.get(address, by=by) for address in addresses}
    return {address: text_of(answer) for address, answer in answers.items() if answer.status_code == 200}


def plant(desk: Desk, table: Table, column: Column[Any]) -> list[tuple[Any, Any]] | None:
    """Into every row. Returns what was there; nothing if the database refuses it, or there is no row."""
    key = next(iter(table.primary_key.columns))
    before = [tuple(row) for row in desk.rows(select(key, column))]
    rows = before[:1] if column.unique else before
    try:
        for row_key, _ in rows:
            desk.change(update(table).where(key == row_key).values({column.name: PLANTED}))
    except DBAPIError:
        return None
    return rows or None


@pytest.mark.parametrize("role", HIDING)
def test_no_role_with_masked_numbers_sees_one_planted_in_any_column(desk: Desk, role: Role) -> None:
    ids = fill(desk)
    desk.upload(qr_png())
    addresses = [
        concrete(path, ids) + QUERIES.get(path, "")
        for method, path, _ in ROUTES
        if method == "GET" and path not in ("/api/live", "/api/openapi.json", "/api/health", "/api/health/data")
    ]
    addresses += [
        f"/api/claims/{ids['claim_id']}/details",
        "/api/claims/all?limit=5&with=more",
        "/api/purchases/all?limit=1&sort=username",
        "/api/claims/all?limit=1&sort=address",
    ]
    set_role(desk, role)
    readable = list(texts_of(desk, addresses, by="asha"))
    assert len(readable) > 25
    for table, column in text_columns():
        before = plant(desk, table, column)
        if before is None:
            continue
        texts = texts_of(desk, readable, by="asha")
        shown = [address for address, text in texts.items() if NUMBER in text]
        assert shown == [], f"{table.name}.{column.name}"
        if len(texts) < len(readable):
            # It is no text for people: other values break what is read.
            key = next(iter(table.primary_key.columns))
            for row_key, value in before:
                desk.change(update(table).where(key == row_key).values({column.name: value}))
    # Otherwise this proves nothing.
    seen_by_owner = texts_of(desk, readable, by="ravi").values()
    assert sum(text.count(PLANTED) for text in seen_by_owner) > 50


def test_planted_everywhere_it_is_in_no_file_and_no_event(desk: Desk) -> None:
    fill(desk)
    planted = ("users", "purchases", "claims", "claim_transitions", "payout_references")
    for table, column in text_columns():
        if table.name in planted and not column.foreign_keys:
            plant(desk, table, column)
    for role in (Role.OWNER, Role.VIEWER):
        set_role(desk, role)
        for name in LISTED:
            for file_format in ("csv", "xlsx"):
                asked = desk.call("POST", "/api/exports", json={"list": name, "format": file_format})
                if asked.status_code == 201:
                    file = desk.client.get(asked.json()["url"])
                    assert file.status_code == 200
                    assert (NUMBER in text_of(file)) == (role is Role.OWNER and name != "audit"), (name, role)


def test_it_is_in_no_event(desk: Desk) -> None:
    claim_id = desk.add_claim()
    set_role(desk, Role.VIEWER)
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"], after=0) as open_screen:
        desk.change(update(admins).where(admins.c.username == "ravi").values(username=PLANTED))
        assert desk.move(claim_id, "On hold", by="ravi", reason=PLANTED).status_code == 200
        open_screen.wait_until(lambda screen: any(event.data.get("status") == "On hold" for event in screen.heard))
    (moved,) = [event.data for event in open_screen.heard if event.data.get("status") == "On hold"]
    assert (moved["by"], moved["subjectId"]) == ("call ••••5678", claim_id)
    assert not any(NUMBER in str(event.data) for event in open_screen.heard)
