"""Changes by other admins reach every open screen within moments."""

from functools import partial
from http.client import HTTPConnection

import pytest
from sqlalchemy import insert

from countinghouse.admins.actions import AdminVerb
from countinghouse.audit.actions import Actor, record
from countinghouse.core.desk_zone import use_zone
from countinghouse.core.ids import new_id
from countinghouse.exports.actions import ExportVerb
from countinghouse.live import queries, stream
from countinghouse.users.tables import users
from countinghouse.views.actions import ViewVerb
from tests.batches.batches import add_claims, confirm, plan, seen
from tests.core.refusals import assert_refused
from tests.core.sockets import served
from tests.desk import NEWEST, Desk
from tests.event_loop import run
from tests.live.screens import screen
from tests.pictures import qr_png
from tests.servers import running_server
from tests.waiting import eventually


def test_a_move_is_sent_to_all_screens_with_who_and_what(desk: Desk) -> None:
    claim_id = desk.add_claim()
    asha, ravi = desk.tokens["asha"], desk.tokens["ravi"]
    with served(desk.client.app) as port, screen(port, asha) as one, screen(port, ravi) as other:
        assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
        for opened in (one, other):
            change = opened.wait_for_change_of(claim_id)
            (row,) = desk.audit("claim.moved")
            assert change == {
                "verb": "claim.moved",
                "subjectId": claim_id,
                "by": "ravi",
                "at": change["at"],
                "status": "Accepted",
                "version": row.after.get("version"),
            }
            assert opened.wait_for("counts")[0] == {}
            assert opened.heard[-1].mark == row.seq


def test_changes_that_no_screen_shows_are_not_sent(desk: Desk) -> None:
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        for verb in (AdminVerb.SESSION_OPENED, ExportVerb.REQUESTED, ViewVerb.SAVED):
            run(desk.database.write(partial(record, actor=Actor("ravi"), verb=verb, subject_id=new_id())))
        uploaded = desk.upload(qr_png(), by="ravi").json()
        opened.wait_for_change_of(uploaded["_id"])
        assert [change["verb"] for change in opened.named("change")] == ["qr.uploaded"]


def test_a_change_made_through_another_server_arrives(desk: Desk, database_url: str) -> None:
    claim_id = desk.add_claim()
    with running_server(database_url) as url, screen(int(url.rsplit(":", 1)[1]), desk.tokens["asha"]) as opened:
        assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
        assert opened.wait_for_change_of(claim_id)["by"] == "ravi"


def test_rows_inserted_directly_into_the_database_are_sent_as_counts(desk: Desk) -> None:
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        desk.change(insert(users).values(id=new_id(), created_at=NEWEST, username="Outside", mobile="0980575600"))
        opened.wait_for("counts")
        desk.add_purchase()
        opened.wait_for("counts", 2)
        assert opened.named("change") == []


def test_the_stream_is_neither_cached_nor_buffered_nor_compressed(desk: Desk) -> None:
    with served(desk.client.app) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        # A HEAD request must end, unlike the stream.
        connection.request("HEAD", "/api/live", headers={"Authorization": f"Bearer {desk.tokens['asha']}"})
        answer = connection.getresponse()
        connection.close()
        with screen(port, desk.tokens["asha"]) as opened:
            for headers in (answer.headers, opened.answer.headers):
                assert headers["content-type"].startswith("text/event-stream")
                assert headers["cache-control"] == "no-store"
                assert headers["x-accel-buffering"] == "no"
                assert "content-encoding" not in headers


def test_a_heartbeat_keeps_the_connection_open_and_advances_the_event_id(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.1)
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        opened_session = partial(record, actor=Actor("ravi"), verb=AdminVerb.SESSION_OPENED, subject_id=new_id())
        run(desk.database.write(opened_session))
        newest = desk.audit()[-1].seq
        opened.wait_until(lambda screen: screen.mark == newest)
        assert opened.beats >= 1
        assert [event.name for event in opened.heard] == ["hello"]


def test_a_connection_begins_with_the_name_of_the_time_zone(desk: Desk) -> None:
    use_zone("America/New_York")
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"]) as opened:
        assert opened.named("hello")[0]["timeZone"] == "America/New_York"


def test_a_connection_begins_with_whether_the_admin_has_an_unfinished_batch(desk: Desk) -> None:
    sheet = plan(desk, status="Accepted", claims=seen(desk, add_claims(desk, 2)))
    assert confirm(desk, sheet).status_code == 200
    with served(desk.client.app) as port:
        for name, is_theirs in (("asha", True), ("ravi", False)):
            with screen(port, desk.tokens[name]) as opened:
                assert opened.named("hello")[0]["hasUnfinishedBatch"] is is_theirs


def test_a_connection_begins_with_the_requests_to_display_a_code(desk: Desk) -> None:
    code = desk.upload(qr_png()).json()["_id"]
    assert desk.call("PATCH", f"/api/qr/status/{code}", json={"status": "display"}).status_code == 202
    with served(desk.client.app) as port, screen(port, desk.tokens["ravi"]) as opened:
        (request,) = opened.named("hello")[0]["displayRequests"]
        assert (request["verb"], request["subjectId"], request["by"]) == ("qr.display_requested", code, "asha")
    assert desk.call("PATCH", f"/api/qr/status/{code}", by="ravi", json={"status": "display"}).status_code == 200
    with served(desk.client.app) as port, screen(port, desk.tokens["ravi"]) as opened:
        assert opened.named("hello")[0]["displayRequests"] == []


def test_the_log_is_polled_only_while_a_screen_is_connected(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    polls = 0
    read = queries.read_rows_after

    async def counted(*asked: object) -> object:
        nonlocal polls
        polls += 1
        return await read(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(queries, "read_rows_after", counted)
    tail = desk.client.app.state.tail
    with served(desk.client.app) as port:
        assert polls == 0
        with screen(port, desk.tokens["asha"]), screen(port, desk.tokens["ravi"]):
            eventually(lambda: polls >= 2)
        eventually(lambda: tail._work is None)
        stopped_at = polls
        with screen(port, desk.tokens["asha"]):
            eventually(lambda: polls > stopped_at)


@pytest.mark.parametrize(
    "headers", [{"Last-Event-ID": "-1"}, {"Last-Event-ID": "first"}, {"Last-Event-ID": "9223372036854775808"}]
)
def test_an_invalid_last_event_id_is_refused(desk: Desk, headers: dict[str, str]) -> None:
    assert_refused(desk.get("/api/live", headers=headers), 422, "invalid_input")
