"""The key in a download URL is the credential: 256 bits, valid once, within a minute, while the session lasts."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update

from countinghouse.admins.actions import change_password, disable_admin
from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.actions import COMMAND
from countinghouse.core.times import now
from countinghouse.exports.tables import exports
from tests.admins.second_factors import give_factor
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.event_loop import run
from tests.exports.downloads import asked, fetch, path_of, state


def test_the_url_follows_no_header_and_its_key_is_stored_only_as_a_hash(desk: Desk) -> None:
    export = asked(desk)
    begin, _, key = export["url"].partition("?key=")
    assert begin == f"/api/exports/{export['_id']}/file"
    assert len(key) == 43
    assert key not in str(desk.rows(select(exports))[0])
    assert key not in str([tuple(row) for row in desk.audit()])


def test_a_second_use_is_refused(desk: Desk) -> None:
    export = asked(desk)
    assert fetch(desk, export).status_code == 200
    assert_refused(fetch(desk, export), 410, "export_used")
    assert state(desk, export) == "done"


def test_of_many_concurrent_downloads_only_one_gets_the_file(desk: Desk) -> None:
    export = asked(desk)
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: fetch(desk, export).status_code, range(8)))
    assert sorted(answers) == [200] + [410] * 7


def test_an_expired_url_is_refused(desk: Desk) -> None:
    export = asked(desk)
    desk.change(update(exports).values(expires_at=now() - timedelta(milliseconds=1)))
    assert state(desk, export) == "expired"
    assert_refused(fetch(desk, export), 410, "export_expired")
    assert desk.audit("export.ended") == []


def test_the_key_expires_after_a_minute(desk: Desk) -> None:
    asked(desk)
    (row,) = desk.rows(select(exports))
    assert row.expires_at - row.created_at == timedelta(seconds=60)


@pytest.mark.parametrize("key", ["x" * 43, "", "x" * 5000, "%C3%A9"])
def test_a_wrong_key_is_refused_and_does_not_use_up_the_url(desk: Desk, key: str) -> None:
    export = asked(desk)
    wrong = path_of(export).partition("=")[0] + "=" + key
    assert_refused(desk.get(wrong, by=None), 404, "export_not_found")
    assert_refused(desk.get(wrong, by="asha"), 404, "export_not_found")
    assert fetch(desk, export).status_code == 200


@pytest.mark.parametrize("export_id", ["0" * 24, "x", "0" * 300])
def test_a_key_works_only_for_its_own_export(desk: Desk, export_id: str) -> None:
    key = asked(desk)["url"].partition("?key=")[2]
    assert_refused(desk.get(f"/api/exports/{export_id}/file?key={key}", by=None), 404, "export_not_found")


def test_without_a_key_even_the_requesting_admin_gets_no_file(desk: Desk) -> None:
    export = asked(desk)
    answer = desk.get(f"/api/exports/{export['_id']}/file", by="asha")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["key"]


def _log_out(desk: Desk) -> None:
    assert desk.call("POST", "/api/admin/logout").status_code == 204


def _disable(desk: Desk) -> None:
    run(desk.database.write(lambda transaction: disable_admin(transaction, COMMAND, "asha")))


def _disable_behind_the_back(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))


def _change_password(desk: Desk) -> None:
    run(desk.database.write(lambda transaction: change_password(transaction, COMMAND, "asha", "another hash")))


def _outlive(desk: Desk) -> None:
    desk.change(update(sessions).values(expires_at=now()))


@pytest.mark.parametrize("ended", [_log_out, _disable, _disable_behind_the_back, _change_password, _outlive])
def test_the_key_is_invalid_after_the_requesting_session_ends(desk: Desk, ended: Any) -> None:
    export = asked(desk)
    ended(desk)
    assert_refused(fetch(desk, export), 401, "session_ended")
    assert desk.rows(select(exports.c.started_at))[0].started_at is None


def test_the_key_needs_the_second_factor_that_the_policy_requires_by_now(desk: Desk) -> None:
    export = asked(desk)
    assert desk.call("PUT", "/api/policy", by="ravi", json={"secondFactorRequired": True}).status_code == 200
    assert_refused(desk.get("/api/claims/all"), 403, "factor_missing")
    assert_refused(fetch(desk, export), 403, "factor_missing")
    assert desk.rows(select(exports.c.started_at))[0].started_at is None
    give_factor(desk, "asha")
    assert fetch(desk, export).status_code == 200


def test_the_key_survives_the_end_of_another_admins_session(desk: Desk) -> None:
    export = asked(desk)
    desk.call("POST", "/api/admin/logout", by="ravi")
    assert fetch(desk, export).status_code == 200


def test_a_cancelled_export_cannot_be_downloaded(desk: Desk) -> None:
    export = asked(desk)
    assert desk.call("DELETE", f"/api/exports/{export['_id']}").status_code == 204
    assert state(desk, export) == "cancelled"
    assert_refused(fetch(desk, export), 410, "export_cancelled")
    assert desk.call("DELETE", f"/api/exports/{export['_id']}").status_code == 204
    assert [row.after for row in desk.audit("export.ended")] == [{"outcome": "cancelled", "rows": 0}]


def test_cancelling_a_finished_export_changes_nothing(desk: Desk) -> None:
    export = asked(desk)
    fetch(desk, export)
    assert desk.call("DELETE", f"/api/exports/{export['_id']}").status_code == 204
    assert state(desk, export) == "done"
    assert desk.rows(select(func.count()).where(exports.c.cancelled_at.is_not(None)))[0][0] == 0
