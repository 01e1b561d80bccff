"""The import screen's calls: upload in parts, plan, correct the map, run, read what is wrong. Two admins, one desk."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.claims.lifecycle import STATUSES
from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from countinghouse.importing.shapes import LARGEST_UPLOAD, PART_BYTES
from countinghouse.importing.tables import import_parts, imports
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.test_bad_rows import CLAIM, PURCHASE, USER
from tests.waiting import eventually

CSV = "id,name,phone,date\nu1,Om Rao,9805756092,2026-01-05\nu2,Asha,12,2026-01-05\n"


def upload(desk: Desk, name: str, content: bytes) -> str:
    return upload_all(desk, {name: content})


def upload_all(desk: Desk, files: dict[str, bytes]) -> str:
    announced = [{"name": name, "size": len(content)} for name, content in files.items()]
    new = desk.call("POST", "/api/imports", json={"files": announced})
    assert new.status_code == 201, new.text
    parts = [content[at : at + PART_BYTES] for content in files.values() for at in range(0, len(content), PART_BYTES)]
    for number, part in enumerate(parts):
        assert send(desk, new.json()["_id"], number, part) == 204
    assert (new.json()["parts"], new.json()["partsInAll"]) == (0, len(parts))
    return str(new.json()["_id"])


def lines(documents: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(document) for document in documents).encode()


def send(desk: Desk, import_id: str, number: int, part: bytes, by: str = "asha") -> int:
    path = f"/api/imports/parts?import={import_id}&number={number}"
    return desk.call("PUT", path, content=part, by=by).status_code


def start(desk: Desk, import_id: str, task: str, by: str = "asha", **body: Any) -> dict[str, Any]:
    """A run is that of the map which is stored."""
    if task == "run":
        body["map"] = desk.get(f"/api/imports/{import_id}").json()["map"]
    answer = desk.call("POST", f"/api/imports/{import_id}/{task}", by=by, json=body)
    assert answer.status_code == 202, answer.text
    return ended(desk, import_id)


def ended(desk: Desk, import_id: str) -> dict[str, Any]:
    def found() -> dict[str, Any]:
        read: dict[str, Any] = desk.get(f"/api/imports/{import_id}").json()
        return read

    eventually(lambda: found()["state"] not in ("planning", "running"), seconds=60)
    return found()


def test_a_file_is_planned_then_run_and_its_bad_rows_downloaded(desk: Desk) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    planned = start(desk, import_id, "plan")
    assert planned["state"] == "planned", planned
    assert planned["report"]["outcomes"] == {"users": {"created": 1, "invalid": 1}}
    assert planned["report"]["collections"][0]["fields"]["mobile"] == "phone"
    assert planned["report"]["firstBad"][0]["place"] == "line 3"
    assert desk.rows(select(users)) == []
    done = start(desk, import_id, "run", by="ravi")
    assert done["state"] == "done"
    assert done["report"]["outcomes"] == planned["report"]["outcomes"]
    assert [user.username for user in desk.rows(select(users))] == ["Om Rao"]
    errors = desk.get(f"/api/imports/{import_id}/errors")
    assert errors.headers["content-type"] == "text/csv; charset=utf-8"
    assert "line 3" in errors.text
    assert desk.rows(select(import_parts)) == []
    assert [row.actor for row in desk.audit("import.uploaded")] == ["asha"]
    assert [row.actor for row in desk.audit("import.started")] == ["ravi"]
    assert [row.actor for row in desk.audit("import.ended")] == ["ravi"]
    assert [row.actor for row in desk.audit("user.added")] == ["ravi"]
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}}).status_code == 409


def test_the_map_is_corrected_between_two_plans(desk: Desk) -> None:
    import_id = upload(desk, "people.csv", b"id,called,dial,date\nu1,Om Rao,9805756092,2026-01-05\n")
    first = start(desk, import_id, "plan")
    assert first["report"]["outcomes"] == {}
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}}).status_code == 409
    fields = {"username": "called", "mobile": "dial"}
    second = start(desk, import_id, "plan", collections={"people": {"noun": "users", "fields": fields}})
    assert second["report"]["outcomes"] == {"users": {"created": 1}}
    assert desk.call("POST", f"/api/imports/{import_id}/plan", json={"collections": 5}).status_code == 422


def test_an_admin_cannot_bring_in_accepted_claims_to_pay_them_alone(desk: Desk) -> None:
    rows: dict[str, list[dict[str, Any]]] = {"users": [USER], "purchases": [PURCHASE]}
    for name, documents in rows.items():
        import_id = upload(desk, f"{name}.json", lines(documents))
        start(desk, import_id, "plan")
        assert start(desk, import_id, "run")["state"] == "done"
    accepted = [{**CLAIM, "status": "Accepted"}, {**CLAIM, "id": "c2", "status": "Paid"}]
    import_id = upload(desk, "claims.json", lines(accepted))
    start(desk, import_id, "plan")
    done = start(desk, import_id, "run")
    assert done["report"]["outcomes"] == {"claims": {"created": 1, "invalid": 1}}
    assert [claim.status for claim in desk.rows(select(claims))] == ["Paid"]


def test_parts_are_checked_and_may_be_sent_again(desk: Desk) -> None:
    content = (CSV.splitlines(keepends=True)[0] + CSV.splitlines(keepends=True)[1] * 40_000).encode()
    assert len(content) > PART_BYTES
    new = desk.call("POST", "/api/imports", json={"files": [{"name": "users.csv", "size": len(content)}]}).json()["_id"]
    assert send(desk, new, 1, content[PART_BYTES:]) == 204
    assert desk.call("POST", f"/api/imports/{new}/plan", json={}).json()["code"] == "import_is_incomplete"
    assert send(desk, new, 0, content[: PART_BYTES - 1]) == 422
    assert send(desk, new, 0, content[:PART_BYTES], by="ravi") == 409
    assert [send(desk, new, 0, content[:PART_BYTES]) for _ in range(2)] == [204, 204]
    assert send(desk, new, 0, b"x" * PART_BYTES) == 409
    assert send(desk, new, 2, b"x") == 422
    assert send(desk, new, 0, b"x" * (PART_BYTES + 1)) == 413
    assert send(desk, "0" * 24, 0, b"x") == 404
    assert desk.get(f"/api/imports/{new}").json()["parts"] == 2


def test_what_cannot_be_imported_is_refused_or_explained(desk: Desk) -> None:
    for body in (
        [{"name": "../users.csv", "size": 5}],
        [{"name": "a.csv", "size": LARGEST_UPLOAD + 1}],
        [{"name": "a.csv", "size": LARGEST_UPLOAD}, {"name": "b.csv", "size": 1}],
        [{"name": "a.csv", "size": 1}, {"name": "A.csv", "size": 1}],
        [{"name": "a"}],
        [],
    ):
        assert desk.call("POST", "/api/imports", json={"files": body}).status_code == 422
    import_id = upload(desk, "picture.png", b"\x89PNG not a table")
    failed = start(desk, import_id, "plan")
    assert failed["state"] == "failed"
    assert "is of an unknown kind" in failed["failure"]
    assert desk.get(f"/api/imports/{import_id}/errors").status_code == 404


def test_one_import_runs_at_a_time_and_a_silent_one_counts_as_interrupted(desk: Desk) -> None:
    first, second = (upload(desk, "users.csv", CSV.encode()) for _ in range(2))
    start(desk, first, "plan")
    start(desk, second, "plan")
    running = imports.update().where(imports.c.id == first).values(state="running", heard_at=datetime.now(UTC))
    desk.change(running)
    assert desk.call("POST", f"/api/imports/{second}/run", json={"map": {}}).json()["code"] == "import_under_way"
    desk.change(imports.update().where(imports.c.id == first).values(heard_at=datetime(2026, 1, 1, tzinfo=UTC)))
    assert desk.get(f"/api/imports/{first}").json()["state"] == "interrupted"
    assert start(desk, second, "run")["state"] == "done"
    assert start(desk, first, "run")["report"]["outcomes"] == {"users": {"unchanged": 1, "invalid": 1}}
    assert [one["_id"] for one in desk.get("/api/imports").json()] == [second, first]


def test_several_files_are_one_import_so_that_a_plan_knows_the_rows_of_the_others(desk: Desk) -> None:
    files = {"claims.json": lines([CLAIM]), "purchases.json": lines([PURCHASE]), "users.json": lines([USER])}
    import_id = upload_all(desk, files | {"code.png": b"a picture that no row names"})
    planned = start(desk, import_id, "plan")
    created = {"users": {"created": 1}, "purchases": {"created": 1}, "claims": {"created": 1}}
    assert planned["report"]["outcomes"] == created
    assert (planned["good"], planned["bad"]) == (3, 0)
    done = start(desk, import_id, "run", stopAtErrors=True)
    assert (done["state"], done["report"]["outcomes"]) == ("done", created)
    amount = next(line for line in done["report"]["totals"] if line["noun"] == "claims")
    assert amount["source"] == amount["desk"] == {"rows": 1, "sums": {"Amount": CLAIM["amount"]}}
    assert amount["missing"] == {"rows": 0, "sums": {"Amount": 0}}


def test_nothing_is_imported_if_a_row_is_bad_and_the_admin_wants_all_or_nothing(desk: Desk) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    start(desk, import_id, "plan")
    refused = desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}, "stopAtErrors": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "import_has_bad_rows")
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}, "stopAtError": True}).status_code == 422
    assert desk.rows(select(users)) == []
    # A row that was good in the plan may be bad by now.
    good = upload(
        desk, "users.csv", b"id,name,phone,date\nu2,Om Rao,9805756092,2026-01-05\nu1,Om,9805756091,2026-01-05\n"
    )
    assert start(desk, good, "plan")["bad"] == 0
    other = upload(desk, "users.csv", b"id,name,phone,date\nu1,Asha,9805756093,2026-01-05\n")
    start(desk, other, "plan")
    start(desk, other, "run")
    nothing = start(desk, good, "run", stopAtErrors=True)
    assert (nothing["state"], nothing["bad"]) == ("planned", 1)
    assert nothing["failure"].startswith("Nothing was imported")
    assert [user.username for user in desk.rows(select(users))] == ["Asha"]


def test_a_map_without_a_plan_of_its_own_cannot_be_run(desk: Desk) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    start(desk, import_id, "plan")
    failed = start(desk, import_id, "plan", collections={"users": {"fields": {"nickname": "name"}}})
    assert failed["state"] == "failed"
    assert "users have only these fields" in failed["failure"]
    assert desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}}).json()["code"] == "import_not_planned"
    # What is needed to correct the map stays.
    (collection,) = failed["report"]["collections"]
    assert collection["sourceFields"] == ["id", "name", "phone", "date"]
    assert {"name": "mobile", "isRequired": True} in collection["ourFields"]
    assert start(desk, import_id, "plan")["state"] == "planned"


def test_statuses_that_the_map_does_not_name_are_listed(desk: Desk) -> None:
    claims_of = [{**CLAIM, "id": f"c{number}", "status": "in process"} for number in range(3)]
    files = {"users.json": lines([USER]), "purchases.json": lines([PURCHASE]), "claims.json": lines(claims_of)}
    import_id = upload_all(desk, files)
    by_name = {one["name"]: one for one in start(desk, import_id, "plan")["report"]["collections"]}
    assert by_name["claims"]["unknownStatuses"] == ["in process"]
    named = start(desk, import_id, "plan", collections={"claims": {"statuses": {"in process": "On hold"}}})
    assert named["report"]["outcomes"]["claims"] == {"created": 3}


def test_the_statuses_of_an_import_are_those_that_it_does_not_refuse(desk: Desk) -> None:
    dated = [{**CLAIM, "id": status, "status": status, "updatedAt": "2026-01-07T10:00:00Z"} for status in STATUSES]
    files = {"users.json": lines([USER]), "purchases.json": lines([PURCHASE]), "claims.json": lines(dated)}
    import_id = upload_all(desk, files)
    report = start(desk, import_id, "plan")["report"]
    refused = {bad["value"] for bad in report["firstBad"] if bad["field"] == "status"}
    told = desk.get(f"/api/imports/{import_id}").json()["statuses"]
    assert told == [status for status in STATUSES if status not in refused]
    assert refused == {"Accepted"}


def test_progress_says_how_fast_and_how_long(desk: Desk) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    began = int(datetime.now(UTC).timestamp()) - 4
    heard = datetime.fromtimestamp(began + 4, UTC)
    job = {"state": "running", "job": new_id(began), "rows_done": 12_000, "share_done": 40}
    desk.change(imports.update().where(imports.c.id == import_id).values(job | {"heard_at": heard}))
    progress = desk.get(f"/api/imports/{import_id}").json()["progress"]
    assert progress == {"rows": 12_000, "share": 40, "rowsPerSecond": 3_000, "secondsLeft": 6}


def test_two_imports_cannot_begin_at_the_same_moment(desk: Desk, open_desk: Callable[..., Desk]) -> None:
    chosen = [upload(desk, "users.csv", CSV.encode()) for _ in range(8)]
    desks = [open_desk(peer=f"203.0.113.{number}") for number in range(8)]
    for one in desks:
        one.get("/api/imports")
    together = Barrier(8)

    def begin(each: tuple[Desk, str]) -> str:
        together.wait(30)
        return str(each[0].call("POST", f"/api/imports/{each[1]}/plan", json={}).json().get("code"))

    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(begin, zip(desks, chosen, strict=True)))
    assert sorted(codes) == ["None", *["import_under_way"] * 7]
    ended(desk, chosen[codes.index("None")])


@on_one_engine
def test_an_import_that_is_done_is_not_begun_again(desk: Desk) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    start(desk, import_id, "plan")
    assert start(desk, import_id, "run")["state"] == "done"
    bodies: dict[str, dict[str, Any]] = {"plan": {}, "run": {"map": {}}}
    for task, body in bodies.items():
        refused = desk.call("POST", f"/api/imports/{import_id}/{task}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "import_is_done")


def test_files_that_were_deleted_after_a_day_are_never_imported_in_part(desk: Desk) -> None:
    import_id = upload_all(desk, {"users.csv": CSV.encode(), "more.csv": CSV.encode()})
    start(desk, import_id, "plan")
    desk.change(imports.update().where(imports.c.id == import_id).values(created_at=datetime(2026, 1, 1, tzinfo=UTC)))
    upload(desk, "users.csv", CSV.encode())
    refused = desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}})
    assert (refused.status_code, refused.json()["code"]) == (409, "import_is_incomplete")
    assert "Upload them again" in refused.json()["message"]
    assert desk.rows(select(users)) == []


@pytest.mark.parametrize("name", [".", "..", "a/b.csv", "a\\b.csv"])
def test_a_name_that_is_no_file_is_refused(desk: Desk, name: str) -> None:
    answer = desk.call("POST", "/api/imports", json={"files": [{"name": name, "size": 10}]})
    assert answer.status_code == 422
    assert desk.get("/api/imports").json() == []
