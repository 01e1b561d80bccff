"""What is imported is the plan that the admin has seen, though another admin may have planned otherwise meanwhile."""

from typing import Any

from sqlalchemy import select

from countinghouse.claims.tables import claims
from tests.desk import Desk
from tests.importing.test_bad_rows import CLAIM, PURCHASE, USER
from tests.importing.test_importing_on_the_screen import ended, lines, start, upload_all


def with_success_as(status: str) -> dict[str, Any]:
    return {"collections": {"claims": {"statuses": {"success": status}}}}


def test_a_plan_that_another_admin_changed_is_not_run_unseen(desk: Desk) -> None:
    claim = {**CLAIM, "status": "success"}
    files = {"users.json": lines([USER]), "purchases.json": lines([PURCHASE]), "claims.json": lines([claim])}
    import_id = upload_all(desk, files)
    seen = start(desk, import_id, "plan", **with_success_as("Paid"))
    assert seen["map"] == with_success_as("Paid")
    # With this map, a claim that was paid before it came here could be paid again.
    other = start(desk, import_id, "plan", by="ravi", **with_success_as("Pending"))

    refused = desk.call("POST", f"/api/imports/{import_id}/run", json={"map": seen["map"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "import_plan_changed")
    assert desk.rows(select(claims)) == []
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={}).status_code == 422

    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": other["map"]}).status_code == 202
    assert ended(desk, import_id)["state"] == "done"
    assert [row.status for row in desk.rows(select(claims))] == ["Pending"]
    planned = desk.audit("import.planned")
    assert [(row.actor, row.after["map"]) for row in planned] == [("asha", seen["map"]), ("ravi", other["map"])]
