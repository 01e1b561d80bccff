"""Changing roles, and the owner who always remains."""

import asyncio
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.admins.actions import change_role, disable_admin
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.core.errors import Conflict
from tests.desk import Desk
from tests.event_loop import run


def test_a_changed_role_ends_the_sessions_and_is_audited(desk: Desk) -> None:
    me = desk.get("/api/admin/me").json()
    assert (me["role"], "claims.pay" in me["permissions"]) == ("owner", True)
    run(desk.database.write(partial(change_role, actor=COMMAND, username="asha", role=Role.VIEWER)))
    assert desk.get("/api/admin/me").status_code == 401
    (row,) = desk.audit("admin.role_changed")
    assert (row.actor, row.before, row.after) == ("command", {"role": "owner"}, {"role": "viewer"})
    with pytest.raises(Conflict, match="already has the role Viewer"):
        run(desk.database.write(partial(change_role, actor=COMMAND, username="asha", role=Role.VIEWER)))


@pytest.mark.parametrize(
    "leave", [disable_admin, partial(change_role, role=Role.PAYER)], ids=["disabling", "another role"]
)
def test_the_last_owner_stays(desk: Desk, leave: Any) -> None:
    run(desk.database.write(partial(leave, actor=COMMAND, username="asha")))
    with pytest.raises(Conflict, match="ravi is the last owner"):
        run(desk.database.write(partial(leave, actor=COMMAND, username="ravi")))
    assert desk.rows(select(admins.c.role, admins.c.disabled_at).where(admins.c.username == "ravi")) == [
        ("owner", None)
    ]


def test_two_owners_cannot_remove_each_other_at_the_same_time(desk: Desk) -> None:
    async def both() -> list[Any]:
        return await asyncio.gather(
            *(desk.database.write(partial(disable_admin, actor=COMMAND, username=name)) for name in ("asha", "ravi")),
            return_exceptions=True,
        )

    outcomes = run(both())
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
    assert len(desk.rows(select(admins.c.id).where(admins.c.disabled_at.is_(None)))) == 1
