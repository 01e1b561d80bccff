"""A stranger cannot fill the audit log with refused logins, and those of an admin's name are kept."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from countinghouse.admins import refusals
from countinghouse.admins.refusals import MOST_ROWS_A_MINUTE
from countinghouse.core.db import Transaction
from countinghouse.core.times import iso
from tests.admins.test_guessing_is_slowed import count_of_hashes, guess, proxied  # noqa: F401 - fixtures
from tests.desk import Desk


class Moment:
    def __init__(self) -> None:
        self.at = datetime(2026, 1, 5, 10, 7, 30, tzinfo=UTC)

    async def read(self, _transaction: Transaction) -> str:
        return iso(self.at)


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    moment = Moment()
    monkeypatch.setattr(refusals, "_moment", moment.read)
    return moment


def _rows(desk: Desk) -> list[dict[str, Any]]:
    return [row.after for row in desk.audit("login.refused")]


@pytest.mark.usefixtures("moment")
def test_a_new_name_with_each_guess_adds_few_rows_to_the_audit_log(proxied: Desk) -> None:  # noqa: F811
    for number in range(120):
        guess(proxied, "wrong", username=f"name{number}", address=f"2001:db8:1:2::{number:x}")
    name = "unknown names from 2001:db8:1:2::/64"
    assert _rows(proxied) == [{"name": name, "hour": "2026-01-05T10", "refused": count} for count in (1, 10, 100)]


def test_new_names_from_many_networks_add_a_few_rows_a_minute(
    proxied: Desk,  # noqa: F811
    moment: Moment,
) -> None:
    for number in range(2 * MOST_ROWS_A_MINUTE):
        guess(proxied, "wrong", username=f"name{number}", address=f"198.51.100.{number}")
    assert len(_rows(proxied)) == MOST_ROWS_A_MINUTE
    guess(proxied, "wrong", address="203.0.113.5")
    assert _rows(proxied)[-1]["name"] == "asha"
    moment.at += timedelta(minutes=1)
    guess(proxied, "wrong", username="another", address="203.0.113.5")
    assert _rows(proxied)[-1]["name"] == "unknown names from 203.0.113.5"
