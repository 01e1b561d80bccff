"""GET /api/audit: who did what, when and from where."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from countinghouse.admins.tables import admins
from countinghouse.audit.tables import audit_log
from countinghouse.auditing import queries
from countinghouse.core.times import iso, now
from tests.contract.rows import next_of
from tests.core.refusals import assert_refused
from tests.databases import Template
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.exports.downloads import download, read_rows

AUDIT = "/api/audit?limit=50"
ACTORS = ("asha", "ravi", "command")
VERBS = ("claim.moved", "claim.revealed", "policy.changed", "qr.uploaded")


def fill(desk: Desk) -> None:
    """Of each admin a row of each verb an hour, for three days."""
    rows = [
        {
            "at": NEWEST - timedelta(hours=hour),
            "actor": actor,
            "address": None if actor == "command" else "203.0.113.9",
            "verb": verb,
            "subject_id": f"subject{hour % 5}",
            "before": None,
            "after": {"hour": hour},
        }
        for hour in range(72, -1, -1)
        for actor in ACTORS
        for verb in VERBS
    ]
    with desk.database.writing() as connection:
        for row in rows:
            connection.execute(insert(audit_log).values(row))


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("log", fill)


def read(desk: Desk, query: str = "") -> list[dict[str, Any]]:
    """All pages."""
    found: list[dict[str, Any]] = []
    url: str | None = f"{AUDIT}{query}"
    while url:
        answer = desk.get(url)
        assert answer.status_code == 200, answer.text
        found += answer.json()
        url = next_of(answer)
    return found


def test_the_newest_change_comes_first_with_everything_about_it(desk: Desk) -> None:
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    newest = desk.get(AUDIT).json()[0]
    last = desk.audit()[-1]
    (claim,) = [one for one in desk.get("/api/claims/all").json() if one["_id"] == claim_id]
    assert newest == {
        "_id": str(last.seq),
        "createdAt": iso(last.at),
        "actor": "ravi",
        "address": "203.0.113.9",
        "verb": "claim.moved",
        "label": "Moved a claim",
        "subjectId": claim_id,
        "number": "C-10001",
        "before": {"status": "Pending", "version": 0},
        "after": {
            "status": "Accepted",
            "version": 1,
            "accountNo": "004512345678",
            "ifsc": "HDFC0001234",
            "amount": 1937.5,
            "user": claim["user"]["_id"],
            "address": claim["address"],
        },
    }
    assert desk.get(f"{AUDIT}&subject={claim_id}").json() == [newest]


def test_all_pages_together_are_the_log(desk: Desk) -> None:
    found = read(desk)
    assert sorted(int(one["_id"]) for one in found) == [row.seq for row in desk.audit()]
    assert [one["createdAt"] for one in found] == sorted((one["createdAt"] for one in found), reverse=True)
    # Reading the whole log leaves a row of its own, which is the newest.
    assert [one["_id"] for one in desk.get("/api/audit").json()][1:] == [one["_id"] for one in found]


@pytest.mark.parametrize(
    "query",
    [
        "&actor=ravi",
        "&verb=claim.moved",
        "&noun=claim",
        "&noun=policy",
        "&subject=subject3",
        "&actor=ravi&noun=claim",
        "&actor=ravi&verb=qr.uploaded&subject=subject1",
        "&actor=ravi&from=2026-11-14T00:00:00Z&to=2026-11-15T00:00:00Z",
        "&noun=claim&from=2026-11-14T00:00:00Z&actor=command",
        "&actor=nobody",
        "&noun=webhook",
        "&sort=createdAt&noun=policy",
    ],
)
def test_a_filter_keeps_exactly_what_it_names(desk: Desk, query: str) -> None:
    asked_for = dict(part.split("=") for part in query.strip("&").split("&"))

    def is_kept(row: Any) -> bool:
        at = iso(row.at)
        return (
            asked_for.get("actor") in (None, row.actor)
            and asked_for.get("verb") in (None, row.verb)
            and asked_for.get("noun") in (None, row.verb.partition(".")[0])
            and asked_for.get("subject") in (None, row.subject_id)
            and asked_for.get("from", "") <= at
            and at < asked_for.get("to", "9")
        )

    found = read(desk, query)
    assert sorted(int(one["_id"]) for one in found) == [row.seq for row in desk.audit() if is_kept(row)]


@on_one_engine
@pytest.mark.parametrize(
    ("query", "field"),
    [("&noun=clam", "noun"), ("&q=asha", "q"), ("&actor=", "actor"), ("&who=asha", "who"), ("&sort=actor", "sort")],
)
def test_an_unknown_filter_is_refused_with_a_sentence(desk: Desk, query: str, field: str) -> None:
    answer = desk.get(f"{AUDIT}{query}")
    assert_refused(answer, 422, "invalid_input")
    assert field in answer.json()["fields"]


@on_one_engine
@pytest.mark.parametrize("role", ["payer", "reviewer", "qr-manager", "viewer"])
def test_a_role_that_may_not_read_the_log_cannot_export_it_either(desk: Desk, role: str) -> None:
    desk.change(update(admins).where(admins.c.username == "ravi").values(role=role))
    answer = desk.call("POST", "/api/exports", by="ravi", json={"list": "audit", "format": "csv", "query": {}})
    assert_refused(answer, 403, "permission_missing")


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_an_export_of_the_log_says_before_and_after_in_words(desk: Desk, form: str) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(role="auditor"))
    desk.change(
        insert(audit_log).values(
            at=NEWEST,
            actor="=SUM(A1)",
            address=None,
            verb="qr.read",
            subject_id="7",
            before={"status": "hide", "findings": []},
            after={"status": "display", "findings": ["one", "two"], "payee": None},
        )
    )
    labels, row = read_rows(download(desk, "audit", form, verb="qr.read"), form)
    assert labels == ["Date (Asia/Kolkata)", "Who", "From", "What", "No.", "Of", "Before", "After"]
    assert row[1] == ("'=SUM(A1)" if form == "csv" else "=SUM(A1)")
    assert not row[2]
    assert row[7] == "status: display, findings: one; two, payee: "


def test_a_client_or_the_id_of_the_service_finds_what_was_done_to_their_claims(desk: Desk) -> None:
    claim_id = desk.add_claim(external_id="C-10482")
    assert desk.move(claim_id, "Accepted").status_code == 200
    (claim,) = [one for one in desk.get("/api/claims/all").json() if one["_id"] == claim_id]
    client_id = claim["user"]["_id"]
    assert desk.call("POST", f"/api/clients/{client_id}/notes", json={"text": "Called."}).status_code == 201
    assert [one["verb"] for one in read(desk, "&subject=C-10482")] == ["claim.moved"]
    assert [one["verb"] for one in read(desk, f"&subject={client_id}")] == ["client.noted", "claim.moved"]


def test_totals_are_exact_up_to_a_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(desk.audit())
    assert desk.get("/api/audit/totals").json() == {"count": count, "isExact": True}
    assert desk.get("/api/audit/totals?actor=ravi&noun=policy").json() == {"count": 73, "isExact": True}
    monkeypatch.setattr(queries, "MOST_COUNTED", 100)
    assert desk.get("/api/audit/totals").json() == {"count": 100, "isExact": False}
    assert desk.get("/api/audit/totals?exact=true").json() == {"count": count, "isExact": True}


def test_choices_name_everybody_who_did_something(desk: Desk) -> None:
    choices = desk.get("/api/audit/choices").json()
    assert choices["actor"] == sorted({row.actor for row in desk.audit()})
    assert "claim" in choices["noun"]
    assert "claim.moved" in choices["verb"]
    assert sorted(choices["labels"]) == choices["verb"]
    assert choices["labels"]["claim.moved"] == "Moved a claim"


def test_each_row_says_in_words_what_was_done(desk: Desk) -> None:
    desk.move(desk.add_claim(), "Accepted")
    assert desk.get("/api/audit?limit=1").json()[0]["label"] == "Moved a claim"


def test_a_verb_of_a_later_version_is_shown_as_the_log_has_it(desk: Desk) -> None:
    later = {"at": now(), "actor": "asha", "verb": "claim.split_up", "subject_id": "c1"}
    desk.change(insert(audit_log).values(later))
    assert desk.get("/api/audit?limit=1").json()[0]["label"] == "Claim split up"


@on_one_engine
def test_sealing_is_not_for_everybody(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "ravi").values(role="viewer"))
    assert_refused(desk.get("/api/audit/sealing", by="ravi"), 403, "permission_missing")
