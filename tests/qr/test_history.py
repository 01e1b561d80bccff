"""The history of QR codes: who did what and when each was on display, including deleted codes."""

from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.core.times import iso
from countinghouse.qr.tables import qr_displays
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.pictures import code_for, qr_png

pytestmark = pytest.mark.usefixtures("one_admin_displays")


def history(desk: Desk, query: str = "") -> dict[str, Any]:
    answer = desk.get(f"/api/qr/history{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def set_status(desk: Desk, qr_id: str, status: str, by: str = "asha") -> None:
    assert desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": status}).status_code == 200


def test_the_history_of_a_code_is_complete_and_newest_first(desk: Desk) -> None:
    kept = desk.upload(qr_png(), name="Kept").json()["_id"]
    gone = desk.upload(code_for("other@okbank", am="500"), name="Gone", by="asha").json()["_id"]
    desk.call("POST", f"/api/qr/{gone}/confirm", by="ravi", json={"reason": "By the bank's letter."})
    set_status(desk, gone, "display", by="ravi")
    set_status(desk, kept, "display")
    set_status(desk, gone, "hide")
    set_status(desk, gone, "display")
    assert desk.call("DELETE", f"/api/qr/{gone}", by="ravi").status_code == 200

    whole = history(desk)
    why = "this code pays other@okbank, not desk1@okbank, and this code asks every payer for ₹500."
    assert [event["sentence"] for event in whole["events"]] == [
        "ravi deleted Gone (desk1@okbank).",
        "asha put Gone (desk1@okbank) on display.",
        "asha took Gone (desk1@okbank) off display.",
        "asha put Kept (desk1@okbank) on display.",
        "ravi put Gone (desk1@okbank) on display.",
        f"ravi confirmed Gone (desk1@okbank), although {why} Reason: By the bank's letter.",
        f"asha uploaded Gone (desk1@okbank): {why}",
        "asha uploaded Kept (desk1@okbank).",
    ]
    assert {(event["qr"], event["name"]) for event in whole["events"]} == {(kept, "Kept"), (gone, "Gone")}
    assert [event["by"] for event in whole["events"]][:2] == ["ravi", "asha"]

    newest, oldest = whole["codes"]
    assert (newest["_id"], newest["status"], newest["qrImage"]) == (gone, "hide", None)
    assert newest["deletedAt"] == whole["events"][0]["at"] or newest["deletedAt"] < whole["events"][0]["at"]
    displays = desk.rows(select(qr_displays).where(qr_displays.c.qr_id == gone).order_by(qr_displays.c.id.desc()))
    assert newest["shown"] == [{"from": iso(row.shown_at), "to": iso(row.hidden_at)} for row in displays]
    assert len(newest["shown"]) == 2
    assert (oldest["_id"], oldest["deletedAt"], [time["to"] for time in oldest["shown"]]) == (kept, None, [None])
    assert oldest["qrImage"].startswith("http://desk.test/qr-images/")


@on_one_engine
def test_the_history_can_be_filtered_to_one_code(desk: Desk) -> None:
    first, second = (desk.upload(qr_png(), name=name).json()["_id"] for name in ("First", "Second"))
    filtered = history(desk, f"?qr={first}")
    assert [code["_id"] for code in filtered["codes"]] == [first]
    assert [event["qr"] for event in filtered["events"]] == [first]
    assert second not in str(filtered)
    for unknown in ("0" * 24, "nonsense", "%00"):
        assert history(desk, f"?qr={unknown}") == {"codes": [], "events": [], "next": None}


@on_one_engine
def test_older_events_are_paged(desk: Desk) -> None:
    qr_id = desk.upload(qr_png()).json()["_id"]
    for _ in range(3):
        set_status(desk, qr_id, "display")
        set_status(desk, qr_id, "hide")
    whole = history(desk)["events"]
    assert len(whole) == 7
    walked: list[Any] = []
    query = "?limit=3"
    while True:
        page = history(desk, query)
        walked += page["events"]
        if page["next"] is None:
            break
        query = f"?limit=3&before={page['next']}"
    assert walked == whole
    for bad in ("limit=0", "limit=201", "before=0", "before=x"):
        assert desk.get(f"/api/qr/history?{bad}").status_code == 422


@on_one_engine
def test_the_history_has_no_events_of_other_subjects(desk: Desk) -> None:
    desk.add_claim_moved_to("Accepted")
    assert history(desk) == {"codes": [], "events": [], "next": None}
