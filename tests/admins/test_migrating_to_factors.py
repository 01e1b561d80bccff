"""A desk from before second factors: open sessions stay open, and nobody is asked for a factor."""

from pathlib import Path

import pytest
from sqlalchemy import select

from countinghouse.admins.tables import admins
from countinghouse.core.migrate import migrate
from tests.admins.second_factors import Phone, enter_password, set_up_phone
from tests.core.earlier_desks import desk_at


def test_sessions_stay_open_and_logins_go_on_as_before(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_at("0014", blank_url, tmp_path, monkeypatch) as desk:
        migrate(desk.database)
        me = desk.get("/api/admin/me").json()
        assert (me["username"], me["hasFactor"], me["mustEnrol"]) == ("asha", False, False)
        assert enter_password(desk).status_code == 200
        (first, second) = desk.get("/api/admin/account/sessions").json()
        assert {first["address"], second["address"]} == {"203.0.113.9", None}
        set_up_phone(desk, Phone(monkeypatch))
        assert [row.has_factor for row in desk.rows(select(admins.c.has_factor))] == [True]
